import { describeLatePenalty, type LatePenalty } from '@assay/shared/rules/adjust-score.ts'
import { handInPaper, type StudentAssignmentDetails } from '@assay/shared/students.ts'
import { Button, Checkbox } from '@mantine/core'
import { useRef, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { PdfDropZone } from '../../../components/files/PdfDropZone.tsx'
import { RejectedFilesNotice } from '../../../components/files/RejectedFilesNotice.tsx'
import { SelectedFiles } from '../../../components/files/SelectedFiles.tsx'
import { UploadProgressBar } from '../../../components/files/UploadProgressBar.tsx'
import { ApiError } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useRejectedFiles } from '../../../lib/files/rejected-files.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { useBeforeUnloadWarning } from '../../../lib/hooks/useBeforeUnloadWarning.ts'
import { toast } from '../../../lib/toast.ts'
import { PhotoButton } from '../../photos/PhotoButton.tsx'
import { usePhotoDraft } from '../../photos/usePhotoDraft.ts'
import classes from './HandInForm.module.css'
import { PhotoForm } from './PhotoForm.tsx'

interface Props {
  assignment: StudentAssignmentDetails
  handedIn: (now: StudentAssignmentDetails) => void
  /** It was broken off: whether it arrived, the server knows. */
  uncertain: () => Promise<unknown>
}

const REQUIRED = 'Please select files to upload'
const emptyForm = { paper: null as File | null, isHandwritten: false }

/** One PDF, or photos. Refused or broken off, it stays chosen. */
export function HandInForm({ assignment, handedIn, uncertain }: Props) {
  const { send, sending, progress, error, clear } = useSend(handInPaper)
  const refresh = useRevalidate()
  const form = useContractForm(handInPaper, {
    initialValues: emptyForm,
    toBody: ({ isHandwritten }) => ({ is_handwritten: isHandwritten }),
    check: ({ paper }) => (paper ? {} : { paper: REQUIRED }),
  })
  const { paper } = form.values
  const [stopped, setStopped] = useState(false)
  const stop = useRef<AbortController | null>(null)
  const refusals = useRejectedFiles(paper ? [paper] : [])
  useBeforeUnloadWarning(sending)
  const photos = usePhotoDraft(assignment.id)

  const submit = form.submit(
    async (body, { paper: file }) => {
      if (!file) return
      const abort = new AbortController()
      stop.current = abort
      setStopped(false)
      try {
        const params = { assignmentId: assignment.id }
        const now = await send({ params, body, files: { file }, signal: abort.signal })
        toast.success('File uploaded successfully!')
        form.setFieldValue('paper', null)
        handedIn(now)
        void refresh('/student/courses', '/student/dashboard')
      } catch (cause) {
        if (!abort.signal.aborted) {
          // Another paper may have come in meanwhile.
          if (cause instanceof ApiError && cause.status === 409) void uncertain()
          refusals.remember(cause, { file: [file] })
          throw cause
        }
        clear()
        setStopped(true)
        void uncertain()
      }
    },
    { refused: () => toast.error(REQUIRED) },
  )

  function choose(next: File | null) {
    clear()
    setStopped(false)
    form.setFieldValue('paper', next)
  }

  if (photos.pages.length + photos.queue.length > 0 && !paper)
    return (
      <div className={classes.root}>
        <HandInConsequences assignment={assignment} />
        <PhotoForm photos={photos} dates={assignment} handedIn={handedIn} uncertain={uncertain} />
      </div>
    )
  return (
    <form className={classes.root} onSubmit={submit} aria-label="Hand in">
      <HandInConsequences assignment={assignment} />
      {paper ? (
        <SelectedFiles
          label="Chosen paper"
          files={[{ file: paper, sentFraction: null, rejectionReason: refusals.reasonFor(paper) }]}
          remove={() => {
            if (!sending) choose(null)
          }}
        />
      ) : (
        <>
          <PdfDropZone
            label="Choose your paper"
            hint="One PDF, under 50 MB."
            disabled={sending}
            onFiles={([chosen]) => chosen && choose(chosen)}
          />
          <PhotoButton label="Take or choose photos" add={photos.send} />
        </>
      )}
      {error && !refusals.settled && (
        <RejectedFilesNotice error={error} rejected={refusals.refused} fallback="Failed to upload files" />
      )}
      {stopped && (
        <Notice tone="warn">Stopped. Your file is still selected. The paper that counts is shown above.</Notice>
      )}
      {sending && <UploadProgressBar progress={progress} />}
      <div className={classes.buttons}>
        <Checkbox
          label="My paper is handwritten"
          disabled={sending}
          {...form.getInputProps('isHandwritten', { type: 'checkbox' })}
        />
        {sending ? (
          <Button variant="default" onClick={() => stop.current?.abort()}>
            Stop
          </Button>
        ) : (
          <Button type="submit">Hand in</Button>
        )}
      </div>
    </form>
  )
}

/** Said before: what becomes of the paper that is there, and what being late means. */
function HandInConsequences({ assignment: { paper, state, late_rule, late_penalty } }: Pick<Props, 'assignment'>) {
  return (
    <>
      {paper && (
        <p className={classes.words}>
          {paper.handed_in_by === 'teacher'
            ? 'Your instructor uploaded this paper for you. A paper you hand in replaces it; the earlier one stays listed.'
            : 'You can hand in again until your grade is released. The new paper replaces this one; the earlier one stays listed.'}
        </p>
      )}
      {state === 'overdue' && (
        <Notice tone="warn">
          The due date has passed.{' '}
          {late_rule === 'mark_late'
            ? 'You can still hand in, and your paper will be marked late.'
            : 'You can still hand in.'}
          {late_penalty && ` ${lateCost(late_penalty)}`}
        </Notice>
      )}
      {state === 'open' && late_penalty && <p className={classes.words}>{lateCost(late_penalty)}</p>}
    </>
  )
}

const lateCost = (penalty: LatePenalty) => `Late papers lose points: ${describeLatePenalty(penalty)}.`
