import { handInPhotos } from '@assay/shared/photo-drafts.ts'
import { describeLatePenalty, type LatePenalty } from '@assay/shared/rules/adjust-score.ts'
import { isPast } from '@assay/shared/rules/dates.ts'
import { handInPaper, type StudentAssignmentDetails } from '@assay/shared/students.ts'
import { Button, Checkbox } from '@mantine/core'
import { useRef, useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { AskFirst } from '../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { PdfDropZone, RejectedFilesNotice, SelectedFiles } from '../../../components/files/PdfDropZone.tsx'
import { UploadProgressBar } from '../../../components/files/UploadProgressBar.tsx'
import { ApiError } from '../../../lib/api/api-error.ts'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useRejectedFiles } from '../../../lib/files/pdf-validation.ts'
import { formatDate, formatDateTime, plural } from '../../../lib/format.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { useBeforeUnloadWarning } from '../../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../../lib/toast.ts'
import { PhotoButton } from '../../intake/photos/PhotoButton.tsx'
import { PhotoPages } from '../../intake/photos/PhotoPages.tsx'
import { SubmissionFailure } from '../../intake/photos/SubmissionFailure.tsx'
import { type PhotoDraftState, usePhotoDraft } from '../../intake/photos/usePhotoDraft.ts'
import { usePhotoSubmission } from '../../intake/photos/usePhotoSubmission.ts'
import classes from './HandInForm.module.css'

interface Props {
  assignment: StudentAssignmentDetails
  handedIn: (now: StudentAssignmentDetails) => void
  /** The upload was broken off: only the server knows whether it arrived. */
  uncertain: () => Promise<unknown>
}

const REQUIRED = 'Please select files to upload'
const emptyForm = { paper: null as File | null, isHandwritten: false }

/** A file that was refused or broken off stays chosen. */
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
      <div className="stack">
        <HandInConsequences assignment={assignment} />
        <PhotoForm photos={photos} dates={assignment} handedIn={handedIn} uncertain={uncertain} />
      </div>
    )
  return (
    <form className="stack" onSubmit={submit} aria-label="Hand in">
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
          <SecondaryButton onClick={() => stop.current?.abort()}>Stop</SecondaryButton>
        ) : (
          <Button type="submit">Hand in</Button>
        )}
      </div>
    </form>
  )
}

function HandInConsequences({ assignment: { paper, state, late_rule, late_penalty } }: Pick<Props, 'assignment'>) {
  return (
    <>
      {paper && (
        <p className="dim">
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
      {state === 'open' && late_penalty && <p className="dim">{lateCost(late_penalty)}</p>}
    </>
  )
}

const lateCost = (penalty: LatePenalty) => `Late papers lose points: ${describeLatePenalty(penalty)}.`

type Dates = Pick<StudentAssignmentDetails, 'due_at' | 'closes_at'>

interface PhotoFormProps {
  photos: PhotoDraftState
  dates: Dates
  handedIn: (now: StudentAssignmentDetails) => void
  uncertain: () => Promise<unknown>
}

function PhotoForm({ photos, dates, handedIn, uncertain }: PhotoFormProps) {
  const { assignmentId, draft, pages, queue } = photos
  const { send } = useSend(handInPhotos)
  const refresh = useRevalidate()
  const [isHandwritten, setHandwritten] = useState(false)
  const { submit, sending, error, notice } = usePhotoSubmission(photos, {
    send: (seen) => send({ params: { assignmentId }, body: { ...seen, is_handwritten: isHandwritten } }),
    sent: (now) => {
      toast.success('Photos handed in')
      handedIn(now)
      void refresh('/student/courses', '/student/dashboard')
    },
    // It was stored though its reply was lost, or another paper has come in.
    failed: () => void uncertain(),
  })

  const refused = queue.some(({ state }) => state === 'refused')
  return (
    <form
      className="stack"
      aria-label="Hand in photos"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className="dim">
        Each photo becomes a page, as you see it here. Your photos are kept with your paper, without the place and time
        you took them.
      </p>
      <p className="dim">
        <strong>Not handed in yet.</strong> {deadlineOf(dates)}
        {draft?.expires_at && ` Photos that you do not hand in are deleted on ${formatDate(draft.expires_at)}.`}
      </p>
      <PhotoPages photos={photos} off={sending} />
      {error && (
        <SubmissionFailure
          ref={notice}
          error={error}
          refused="Not handed in"
          unclear="We could not check whether your paper was handed in"
        />
      )}
      <Checkbox
        label="My paper is handwritten"
        disabled={sending}
        checked={isHandwritten}
        onChange={(event) => setHandwritten(event.currentTarget.checked)}
      />
      {queue.length > 0 && (
        <p className="dim">
          {refused
            ? 'Send the photo that failed again, or remove it. Then you can hand in.'
            : 'You can hand in once all photos are sent.'}
        </p>
      )}
      <div className={classes.buttons}>
        <AskFirst
          button={(ask) => (
            <SubtleButton color="gray" disabled={sending} onClick={ask}>
              Delete all photos
            </SubtleButton>
          )}
          title="Delete all photos?"
          confirmLabel="Delete photos"
          dangerous
          onConfirm={photos.removeAll}
        >
          The photos you added here will be deleted. A paper you have handed in stays.
        </AskFirst>
        <Button
          type="submit"
          loading={sending}
          disabled={queue.length > 0 || pages.length === 0 || photos.busyKeys.length > 0}
        >
          {pages.length === 0 ? 'Hand in' : `Hand in ${plural(pages.length, 'page')}`}
        </Button>
      </div>
    </form>
  )
}

function deadlineOf({ due_at, closes_at }: Dates): string {
  if (due_at && !isPast(new Date(due_at), new Date())) return `Hand in by ${formatDateTime(due_at)}.`
  return closes_at ? `This assignment closes on ${formatDateTime(closes_at)}.` : ''
}
