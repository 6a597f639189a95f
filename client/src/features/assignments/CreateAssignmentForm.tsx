import { createAssignment } from '@assay/shared/assignments.ts'
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { UnsavedChangesModal } from '../../components/feedback/UnsavedChangesModal.tsx'
import { PdfDropZone } from '../../components/files/PdfDropZone.tsx'
import { RejectedFilesNotice } from '../../components/files/RejectedFilesNotice.tsx'
import { SelectedFiles } from '../../components/files/SelectedFiles.tsx'
import { UploadProgressBar } from '../../components/files/UploadProgressBar.tsx'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { sentFractions } from '../../lib/files/pdf-validation.ts'
import { useRejectedFiles } from '../../lib/files/rejected-files.ts'
import { plural } from '../../lib/format.ts'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import { fromLocalInput } from '../../lib/local-time.ts'
import { toast } from '../../lib/toast.ts'
import classes from './CreateAssignmentForm.module.css'
import { DateFields } from './DateFields.tsx'
import { dateErrors, noDates } from './dates-form.ts'

const NO_COURSE = 'Without a course you can grade papers, but students will not see the assignment.'
const REQUIRED = 'Assignment name, blank assignment PDF, and answer key PDF are required.'

interface Props {
  /** Null for none. */
  courseId: number | null
  courses: { id: number; name: string }[]
  /** Null where it is settled. */
  chooseCourse: ((courseId: number | null) => void) | null
  suggestedName: string
  /** The page to go on to with the new assignment. */
  pathAfter: (assignmentId: number) => string | Promise<string>
  /** What is said then; null where that page says it. */
  toastAfter: string | null
}

/** Everything stays filled in until the server has taken it all. */
export function CreateAssignmentForm({ courseId, courses, chooseCourse, suggestedName, pathAfter, toastAfter }: Props) {
  const navigate = useNavigate()
  const refresh = useRevalidate()
  const create = useSend(createAssignment)
  const [name, setName] = useState(suggestedName)
  const [settling, setSettling] = useState(false)
  const [blank, setBlank] = useState<File[]>([])
  const [key, setKey] = useState<File[]>([])
  const [papers, setPapers] = useState<File[]>([])
  const [dates, setDates] = useState(noDates)
  const [byHand, setByHand] = useState({ blank: false, key: false, papers: false })

  const all = [...blank, ...key, ...papers]
  const datesEntered = dates.available_at + dates.due_at + dates.closes_at !== ''
  const guard = useUnsavedChanges(name.trim() !== suggestedName.trim() || all.length > 0 || datesEntered)
  const { progress } = create
  const shares = progress
    ? sentFractions(
        all.map((file) => file.size),
        progress.sent,
        progress.total,
      )
    : []
  const refusals = useRejectedFiles(all)
  const rows = (files: File[]) =>
    files.map((file) => ({
      file,
      sentFraction: create.sending ? (shares[all.indexOf(file)] ?? 0) : null,
      rejectionReason: refusals.reasonFor(file),
    }))
  const ready = name.trim() !== '' && blank.length > 0 && key.length > 0

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const [blankFile] = blank
    const [keyFile] = key
    if (!ready || !blankFile || !keyFile) {
      toast.error(REQUIRED)
      return
    }
    if (Object.keys(dateErrors(dates)).length > 0) {
      const folded = form.querySelector('details')
      if (folded) folded.open = true
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    try {
      const assignment = await create.send({
        body: {
          name: name.trim(),
          course_id: courseId ?? undefined,
          available_at: fromLocalInput(dates.available_at) ?? undefined,
          due_at: fromLocalInput(dates.due_at) ?? undefined,
          closes_at: fromLocalInput(dates.closes_at) ?? undefined,
          late_rule: dates.late_rule,
          blank_pdf_is_handwritten: byHand.blank,
          answer_key_is_handwritten: byHand.key,
          student_submissions_are_handwritten: papers.map(() => byHand.papers),
        },
        files: { blank_pdf: blankFile, answer_key_pdf: keyFile, student_submission_pdfs: papers },
      })
      if (toastAfter) toast.success(toastAfter)
      void refresh('/assignments', '/courses', '/lti/launch')
      setSettling(true)
      const next = await pathAfter(assignment.id)
      guard.allowNextNavigation()
      navigate(next)
    } catch (cause) {
      // Shown above the button; nothing that was entered is lost.
      refusals.remember(cause, { blank_pdf: blank, answer_key_pdf: key, student_submission_pdfs: papers })
    }
  }

  const add = (files: File[]) =>
    setPapers((have) => [...have, ...files.filter((file) => !have.some((one) => isSameFile(one, file)))])

  return (
    <form className={classes.root} onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Assignment name"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={200}
        required
        error={create.error?.fields.name}
        disabled={create.sending}
      />
      {chooseCourse && (
        <NativeSelect
          label="Course"
          size="md"
          description={courseId === null ? NO_COURSE : undefined}
          data={[
            ...courses.map(({ id, name }) => ({ value: String(id), label: name })),
            { value: '', label: 'No course' },
          ]}
          value={courseId === null ? '' : String(courseId)}
          onChange={(event) => chooseCourse(Number(event.currentTarget.value) || null)}
          error={create.error?.fields.course_id}
          disabled={create.sending}
        />
      )}
      <fieldset className={classes.part} disabled={create.sending}>
        <legend>Blank assignment</legend>
        {blank.length > 0 ? (
          <SelectedFiles label="Blank assignment" files={rows(blank)} remove={() => setBlank([])} />
        ) : (
          <PdfDropZone
            label="Choose the blank assignment"
            hint="The paper students receive. PDF, under 50 MB"
            onFiles={setBlank}
          />
        )}
        <HandwrittenCheckbox
          checked={byHand.blank}
          set={(blank) => setByHand({ ...byHand, blank })}
          what="The blank assignment is handwritten"
        />
      </fieldset>
      <fieldset className={classes.part} disabled={create.sending}>
        <legend>Answer key</legend>
        {key.length > 0 ? (
          <SelectedFiles label="Answer key" files={rows(key)} remove={() => setKey([])} />
        ) : (
          <PdfDropZone
            label="Choose the answer key"
            hint="The same paper with the expected answers. PDF, under 50 MB"
            onFiles={setKey}
          />
        )}
        <HandwrittenCheckbox
          checked={byHand.key}
          set={(key) => setByHand({ ...byHand, key })}
          what="The answer key is handwritten"
        />
      </fieldset>
      <fieldset className={classes.part} disabled={create.sending}>
        <legend>
          Student papers <span>optional{papers.length > 0 && ` · ${plural(papers.length, 'paper')}`}</span>
        </legend>
        {!create.sending && (
          <PdfDropZone
            label={papers.length > 0 ? 'Add more student papers' : 'Choose student papers'}
            hint="One PDF per student. You can drop many files at once"
            multiple
            selectedCount={papers.length}
            onFiles={add}
          />
        )}
        {papers.length > 0 && (
          <SelectedFiles
            label="Student papers"
            files={rows(papers)}
            remove={(file) => setPapers((have) => have.filter((one) => one !== file))}
          />
        )}
        <HandwrittenCheckbox
          checked={byHand.papers}
          set={(papers) => setByHand({ ...byHand, papers })}
          what="The student papers are handwritten"
        />
      </fieldset>
      <details className={classes.dates}>
        <summary>Dates and late papers (optional)</summary>
        <DateFields
          values={dates}
          change={(part) => setDates({ ...dates, ...part })}
          errors={create.error?.fields ?? {}}
          disabled={create.sending}
        />
      </details>
      {create.error && !refusals.settled && (
        <RejectedFilesNotice
          error={create.error}
          rejected={refusals.refused}
          fallback="Failed to create assignment or upload files."
        />
      )}
      {create.sending && <UploadProgressBar progress={progress} />}
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={!ready} loading={create.sending || settling}>
          Create Assignment
        </Button>
        {!ready && <span className={classes.hint}>{REQUIRED}</span>}
      </div>
      <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
        {create.sending
          ? 'The files are still being sent. If you leave now, you will not see whether they arrived.'
          : 'The assignment has not been created. What you entered and the files you chose would be lost.'}
      </UnsavedChangesModal>
    </form>
  )
}

const isSameFile = (a: File, b: File) => a.name === b.name && a.size === b.size && a.lastModified === b.lastModified

function HandwrittenCheckbox(props: { checked: boolean; set: (checked: boolean) => void; what: string }) {
  return (
    <Checkbox label={props.what} checked={props.checked} onChange={(event) => props.set(event.currentTarget.checked)} />
  )
}
