import { createAssignment } from '@assay/shared/assignments.ts'
import type { BodyInput } from '@assay/shared/http/endpoint.ts'
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { UnsavedChangesModal } from '../../components/feedback/ConfirmModal.tsx'
import { PdfDropZone, RejectedFilesNotice, SelectedFiles } from '../../components/files/PdfDropZone.tsx'
import { UploadProgressBar } from '../../components/files/UploadProgressBar.tsx'
import { useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { appendNewFiles, sentFractions, useRejectedFiles } from '../../lib/files/pdf-validation.ts'
import { plural } from '../../lib/format.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useUnsavedChanges } from '../../lib/hooks/useUnsavedChanges.ts'
import { fromLocalInput } from '../../lib/local-time.ts'
import { toast } from '../../lib/toast.ts'
import { GroupRuleFields, groupRuleValuesOf } from '../groups/GroupRuleFields.tsx'
import classes from './CreateAssignmentForm.module.css'
import { DateFields, dateErrors, noDates } from './DateFields.tsx'

const NO_COURSE = 'Without a course you can grade papers, but students will not see the assignment.'

interface Props {
  courseId: number | null
  courses: { id: number; name: string }[]
  chooseCourse: ((courseId: number | null) => void) | null
  suggestedName: string
  pathAfter: (assignmentId: number) => Promise<string>
  toastAfter: string | null
}

export function CreateAssignmentForm({ courseId, courses, chooseCourse, suggestedName, pathAfter, toastAfter }: Props) {
  const navigate = useNavigate()
  const refresh = useRevalidate()
  const create = useSend(createAssignment)
  const form = useContractForm(createAssignment, newAssignmentForm(suggestedName, courseId))
  const { values, submitting } = form
  const dates = useRef<HTMLDetailsElement>(null)

  const files = chosenFiles(values)
  const datesEntered = values.available_at + values.due_at + values.closes_at !== ''
  const guard = useUnsavedChanges(values.name.trim() !== suggestedName.trim() || files.length > 0 || datesEntered)
  const { progress } = create
  const shares = progress
    ? sentFractions(
        files.map((file) => file.size),
        progress.sent,
        progress.total,
      )
    : []
  const refusals = useRejectedFiles(files)
  const rows = (shown: File[]) =>
    shown.map((file) => ({
      file,
      sentFraction: create.sending ? (shares[files.indexOf(file)] ?? 0) : null,
      rejectionReason: refusals.reasonFor(file),
    }))
  const ready = isComplete(values)

  const submit = form.submit(
    async (body, { blank, key, papers }) => {
      if (!blank || !key) return
      const assignment = await create
        .send({ body, files: { blank_pdf: blank, answer_key_pdf: key, student_submission_pdfs: papers } })
        .catch((cause: unknown) => {
          refusals.remember(cause, { blank_pdf: [blank], answer_key_pdf: [key], student_submission_pdfs: papers })
          throw cause
        })
      if (toastAfter) toast.success(toastAfter)
      void refresh('/assignments', '/courses', '/lti/launch')
      const next = await pathAfter(assignment.id)
      guard.allowNextNavigation()
      void navigate(next)
    },
    {
      refused: () => {
        if (!ready) toast.error(REQUIRED)
        else if (dates.current && Object.keys(dateErrors(values)).length > 0) dates.current.open = true
      },
    },
  )

  const onePdf = (field: 'blank' | 'key', label: string, hint: string) => {
    const file = values[field]
    const name = label.toLowerCase()
    return (
      <fieldset className={classes.part} disabled={submitting}>
        <legend>{label}</legend>
        {file ? (
          <SelectedFiles label={label} files={rows([file])} remove={() => form.setFieldValue(field, null)} />
        ) : (
          <PdfDropZone
            label={`Choose the ${name}`}
            hint={hint}
            onFiles={([chosen]) => form.setFieldValue(field, chosen ?? null)}
          />
        )}
      </fieldset>
    )
  }

  return (
    <form className={classes.root} onSubmit={submit}>
      <TextInput
        label="Assignment name"
        maxLength={200}
        required
        disabled={submitting}
        {...form.getInputProps('name')}
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
          disabled={submitting}
        />
      )}
      {onePdf('blank', 'Blank assignment', 'The paper students receive. PDF, under 50 MB')}
      {onePdf('key', 'Answer key', 'The same paper with the expected answers. PDF, under 50 MB')}
      <fieldset className={classes.part} disabled={submitting}>
        <legend>
          Student papers{' '}
          <span>optional{values.papers.length > 0 && ` · ${plural(values.papers.length, 'paper')}`}</span>
        </legend>
        {!submitting && (
          <PdfDropZone
            label={values.papers.length > 0 ? 'Add more student papers' : 'Choose student papers'}
            hint="One PDF per student. You can drop many files at once"
            multiple
            selectedCount={values.papers.length}
            onFiles={(added) => form.setFieldValue('papers', (have) => appendNewFiles(have, added))}
          />
        )}
        {values.papers.length > 0 && (
          <SelectedFiles
            label="Student papers"
            files={rows(values.papers)}
            remove={(file) => form.setFieldValue('papers', (have) => have.filter((one) => one !== file))}
          />
        )}
      </fieldset>
      <Checkbox
        label="Hide names while grading"
        description="Graders see “Paper 417” instead of names until someone shows them."
        disabled={submitting}
        {...form.getInputProps('hideNames', { type: 'checkbox' })}
      />
      <GroupRuleFields values={values} change={form.change} error={form.errors.group_max} disabled={submitting} />
      <details className={classes.optional} ref={dates}>
        <summary>Dates and late papers (optional)</summary>
        <DateFields values={values} change={form.change} errors={form.errors} disabled={submitting} />
      </details>
      <details className={classes.optional}>
        <summary>More</summary>
        <p>Assay tells typed and handwritten pages apart. Check a box if it gets one wrong.</p>
        {handwritten.map(([field, what]) => (
          <Checkbox
            key={field}
            label={`The ${what} handwritten`}
            disabled={submitting}
            {...form.getInputProps(field, { type: 'checkbox' })}
          />
        ))}
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
        <Button type="submit" size="sm" disabled={!ready} loading={submitting}>
          Create Assignment
        </Button>
        {!ready && <span className="hint">{REQUIRED}</span>}
      </div>
      <UnsavedChangesModal opened={guard.isBlocked} stay={guard.stay} discard={guard.proceed}>
        {create.sending
          ? 'The files are still uploading. If you leave now, you will not know whether the upload succeeded.'
          : 'The assignment has not been created. Your entries and files will be lost.'}
      </UnsavedChangesModal>
    </form>
  )
}

const handwritten = [
  ['blankIsHandwritten', 'blank assignment is'],
  ['keyIsHandwritten', 'answer key is'],
  ['papersAreHandwritten', 'student papers are'],
] as const

const REQUIRED = 'Assignment name, blank assignment PDF, and answer key PDF are required.'

type NewAssignmentValues = ReturnType<typeof emptyValues>

const emptyValues = (name: string) => ({
  name,
  blank: null as File | null,
  key: null as File | null,
  papers: [] as File[],
  blankIsHandwritten: false,
  keyIsHandwritten: false,
  papersAreHandwritten: false,
  hideNames: false,
  ...groupRuleValuesOf(undefined),
  ...noDates,
})

const newAssignmentForm = (suggestedName: string, courseId: number | null) => ({
  initialValues: emptyValues(suggestedName),
  toBody: (values: NewAssignmentValues): BodyInput<typeof createAssignment> => ({
    name: values.name.trim(),
    course_id: courseId ?? undefined,
    available_at: fromLocalInput(values.available_at) ?? undefined,
    due_at: fromLocalInput(values.due_at) ?? undefined,
    closes_at: fromLocalInput(values.closes_at) ?? undefined,
    late_rule: values.late_rule,
    hide_names: values.hideNames,
    ...(values.groups ? { group_max: Number(values.groupMax), groups_by: values.groupsBy } : {}),
    blank_pdf_is_handwritten: values.blankIsHandwritten,
    answer_key_is_handwritten: values.keyIsHandwritten,
    student_submissions_are_handwritten: values.papers.map(() => values.papersAreHandwritten),
  }),
  check: (values: NewAssignmentValues) => ({
    ...dateErrors(values),
    ...(values.blank ? {} : { blank: REQUIRED }),
    ...(values.key ? {} : { key: REQUIRED }),
  }),
})

const isComplete = ({ name, blank, key }: NewAssignmentValues) => name.trim() !== '' && blank !== null && key !== null

const chosenFiles = ({ blank, key, papers }: NewAssignmentValues): File[] =>
  [blank, key, ...papers].filter((file) => file !== null)
