import { type Assignment, type Extension, giveExtension } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { extensionProblems } from '@assay/shared/rules/dates.ts'
import { Button, Select, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useGetAll, useSend } from '../../../lib/api/api-hooks.ts'
import { fromLocalInput, timeZone, toLocalInput } from '../../../lib/local-time.ts'
import { toast } from '../../../lib/toast.ts'
import { selectableStudents } from '../../courses/selectable-students.ts'
import classes from './Extensions.module.css'

interface Props {
  assignment: Assignment
  courseId: number
  /** The one to change; null for a new one. */
  extension: Extension | null
  /** Who has one. */
  studentIdsWithExtension: number[]
  setTyped: (typed: boolean) => void
  close: () => void
  onSaved: (extension: Extension) => void
}

const dateOf = (iso: string | null) => (iso === null ? null : new Date(iso))

export function ExtensionForm({
  assignment,
  courseId,
  extension,
  studentIdsWithExtension,
  setTyped,
  close,
  onSaved,
}: Props) {
  const give = useSend(giveExtension)
  const before = {
    studentId: extension?.student.id ?? null,
    due: toLocalInput(extension?.due_at ?? null),
    closes: toLocalInput(extension?.closes_at ?? null),
  }
  const [values, setValues] = useState(before)
  const typed = values.studentId !== before.studentId || values.due !== before.due || values.closes !== before.closes
  useEffect(() => setTyped(typed), [typed, setTyped])
  const problems = currentProblems(assignment, values)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const due_at = fromLocalInput(values.due)
    const { studentId } = values
    if (studentId === null || due_at === null || Object.keys(problems).length > 0) {
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    try {
      const params = { assignmentId: assignment.id, studentId }
      onSaved(await give.send({ params, body: { due_at, closes_at: fromLocalInput(values.closes) } }))
      toast.success('Extension saved.')
    } catch {
      // Shown at its field or beside the button.
    }
  }

  const errors = { ...give.error?.fields, ...problems }
  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} aria-label="Extension">
      <StudentField
        courseId={courseId}
        extension={extension}
        taken={studentIdsWithExtension}
        value={values.studentId}
        change={(studentId) => setValues({ ...values, studentId })}
      />
      <div className={classes.fields}>
        <TextInput
          type="datetime-local"
          label="Due for this student"
          required
          value={values.due}
          onChange={(event) => setValues({ ...values, due: event.currentTarget.value })}
          error={errors.due_at}
        />
        <TextInput
          type="datetime-local"
          label="Closes for this student (optional)"
          value={values.closes}
          onChange={(event) => setValues({ ...values, closes: event.currentTarget.value })}
          error={errors.closes_at}
        />
      </div>
      <p className={classes.none}>
        Your time zone: {timeZone()}. Without a closing date, the assignment’s closing date applies, but never before
        the extended due date.
      </p>
      {give.error && !give.error.fields.due_at && !give.error.fields.closes_at && (
        <Notice tone="bad">{messageOf(give.error, 'Failed to save changes.')}</Notice>
      )}
      <div className={classes.buttons}>
        <Button
          type="submit"
          size="sm"
          loading={give.sending}
          disabled={values.studentId === null || values.due === '' || !typed}
        >
          Save Extension
        </Button>
        <Button variant="default" size="sm" onClick={close} disabled={give.sending}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function currentProblems(assignment: Assignment, { due, closes }: { due: string; closes: string }) {
  const due_at = dateOf(fromLocalInput(due))
  if (!due_at) return {}
  const dates = {
    available_at: dateOf(assignment.available_at),
    due_at: dateOf(assignment.due_at),
    closes_at: dateOf(assignment.closes_at),
    late_rule: assignment.late_rule,
  }
  const problems = extensionProblems({ due_at, closes_at: dateOf(fromLocalInput(closes)) }, dates)
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
  const label = ({ username, full_name }: { username: string; full_name: string | null }) =>
    full_name ? `${full_name} (${username})` : username
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
      data={offered.map((student) => ({ value: String(student.id), label: label(student) }))}
      value={value === null ? null : String(value)}
      onChange={(id) => change(id === null ? null : Number(id))}
      disabled={extension !== null}
      error={students.error?.message}
    />
  )
}
