import { type Assignment, type Extension, setExtension } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { extensionProblems } from '@assay/shared/rules/dates.ts'
import type { DatesToPreview } from '@assay/shared/score-rules.ts'
import { Button, Select, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { CancelButton } from '../../../components/display/buttons.tsx'
import { ErrorNotice } from '../../../components/feedback/Notice.tsx'
import { useGetAll, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { fromLocalInput, timeZone, toLocalInput } from '../../../lib/local-time.ts'
import { toast } from '../../../lib/toast.ts'
import { PreviewFigures, useDatesPreview } from '../../grades/score-rules/PreviewFigures.tsx'
import { selectableStudents, studentLabel } from '../../users/selectable-students.ts'
import { dateOf, datesOf } from '../DateFields.tsx'
import classes from './Extensions.module.css'

interface Props {
  assignment: Assignment
  courseId: number
  extension: Extension | null
  studentIdsWithExtension: number[]
  setTyped: (typed: boolean) => void
  close: () => void
  onSaved: (extension: Extension) => void
}

interface ExtensionValues {
  studentId: number | null
  due_at: string
  closes_at: string
}

export function ExtensionForm({
  assignment,
  courseId,
  extension,
  studentIdsWithExtension,
  setTyped,
  close,
  onSaved,
}: Props) {
  const give = useSend(setExtension)
  const form = useContractForm(setExtension, {
    name: 'extension',
    initialValues: {
      studentId: extension?.student.id ?? null,
      due_at: toLocalInput(extension?.due_at ?? null),
      closes_at: toLocalInput(extension?.closes_at ?? null),
    } as ExtensionValues,
    toBody: ({ due_at, closes_at }) => ({ due_at: fromLocalInput(due_at) ?? '', closes_at: fromLocalInput(closes_at) }),
    check: (values) => currentProblems(assignment, values),
  })
  const { values } = form
  const typed = form.isDirty()
  useEffect(() => setTyped(typed), [typed, setTyped])
  const errors = { ...form.errors, ...currentProblems(assignment, values) }

  const { preview, mayBeSaved } = useDatesPreview(assignment, datesToPreview(values))

  const submit = form.submit(async (body, { studentId }) => {
    if (studentId === null || !(await mayBeSaved())) return
    onSaved(await give.send({ params: { assignmentId: assignment.id, studentId }, body }))
    toast.success('Extension saved.')
  })

  return (
    <form className={classes.form} onSubmit={submit} aria-label="Extension">
      <StudentField
        courseId={courseId}
        extension={extension}
        taken={studentIdsWithExtension}
        value={values.studentId}
        change={(studentId) => form.change({ studentId })}
      />
      <div className={classes.fields}>
        <TextInput
          type="datetime-local"
          label="Due for this student"
          required
          {...form.getInputProps('due_at')}
          error={errors.due_at}
        />
        <TextInput
          type="datetime-local"
          label="Closes for this student (optional)"
          {...form.getInputProps('closes_at')}
          error={errors.closes_at}
        />
      </div>
      <p className="dim">
        Your time zone: {timeZone().replaceAll('_', ' ')}. Without a closing date, the assignment’s closing date
        applies, but never before the extended due date.
      </p>
      {preview && <PreviewFigures focused="nearest" preview={preview} assignment={assignment} />}
      <ErrorNotice error={form.failure} fallback="Failed to save changes." />
      <div className="button-row">
        <Button
          type="submit"
          size="sm"
          loading={form.submitting}
          disabled={values.studentId === null || values.due_at === '' || !typed}
        >
          {preview ? 'Save and Change Scores' : 'Save Extension'}
        </Button>
        <CancelButton size="sm" onClick={close} disabled={form.submitting} />
      </div>
    </form>
  )
}

function datesToPreview({ studentId, due_at, closes_at }: ExtensionValues): DatesToPreview {
  const due = fromLocalInput(due_at)
  if (studentId === null || due === null) return {}
  return { extension: { student_id: studentId, dates: { due_at: due, closes_at: fromLocalInput(closes_at) } } }
}

function currentProblems(assignment: Assignment, values: ExtensionValues) {
  const due_at = dateOf(fromLocalInput(values.due_at))
  if (!due_at) return {}
  const closes_at = dateOf(fromLocalInput(values.closes_at))
  const problems = extensionProblems({ due_at, closes_at }, datesOf(assignment))
  return Object.fromEntries(problems.map(({ field, message }) => [field, message]))
}

interface StudentFieldProps {
  courseId: number
  extension: Extension | null
  taken: number[]
  value: number | null
  change: (studentId: number | null) => void
}

function StudentField({ courseId, extension, taken, value, change }: StudentFieldProps) {
  const students = useGetAll(listCourseStudents, { courseId })
  const offered = extension
    ? [extension.student]
    : selectableStudents(students.data ?? []).filter(({ id }) => !taken.includes(id))
  return (
    <Select
      label="Student"
      size="md"
      searchable
      required
      limit={50}
      placeholder="Type a name"
      nothingFoundMessage={students.loading ? 'Loading students…' : 'No matching student in this course.'}
      data={offered.map((student) => ({ value: String(student.id), label: studentLabel(student) }))}
      value={value === null ? null : String(value)}
      onChange={(id) => change(id === null ? null : Number(id))}
      disabled={extension !== null}
      error={students.error?.message}
    />
  )
}
