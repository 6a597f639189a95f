import { type Assignment, updateAssignment } from '@assay/shared/assignments.ts'
import { listCourses } from '@assay/shared/courses.ts'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useGetAll, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { toast } from '../../../lib/toast.ts'
import { DateFields } from '../DateFields.tsx'
import { dateErrors } from '../dates-form.ts'
import classes from './AssignmentSettingsForm.module.css'
import {
  type AssignmentSettingsValues,
  changedSettings,
  hasChanges,
  settingsValuesOf,
} from './assignment-settings-form.ts'

interface Props {
  assignment: Assignment
  saved: (assignment: Assignment) => void
  setChanged: (changed: boolean) => void
}

const FIELDS = ['name', 'course_id', 'available_at', 'due_at', 'closes_at', 'late_rule']

export function AssignmentSettingsForm({ assignment, saved, setChanged }: Props) {
  const refresh = useRevalidate()
  const update = useSend(updateAssignment)
  const [base, setBase] = useState(() => settingsValuesOf(assignment))
  const [values, setValues] = useState(base)
  const changed = hasChanges(base, values)
  useEffect(() => setChanged(changed), [changed, setChanged])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (Object.keys(dateErrors(values.dates)).length > 0) {
      form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
      return
    }
    try {
      const next = await update.send({
        params: { assignmentId: assignment.id },
        body: changedSettings(base, values),
      })
      setBase(settingsValuesOf(next))
      setValues(settingsValuesOf(next))
      saved(next)
      toast.good('Settings saved.')
      void refresh('/assignments', '/courses')
    } catch {
      // Shown at its field or beside the button; nothing that was entered is lost.
    }
  }

  const set = (part: Partial<AssignmentSettingsValues>) => setValues({ ...values, ...part })
  const errors = update.error?.fields ?? {}
  const atField = FIELDS.some((field) => errors[field])
  return (
    <form className={classes.root} onSubmit={(event) => void submit(event)}>
      <TextInput
        label="Assignment name"
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        maxLength={200}
        required
        error={errors.name}
      />
      <CourseField
        assignment={assignment}
        base={base.courseId}
        value={values.courseId}
        change={(courseId) => set({ courseId })}
        error={errors.course_id}
      />
      <DateFields values={values.dates} change={(dates) => set({ dates })} errors={errors} disabled={update.sending} />
      {update.error && !atField && <Notice tone="bad">{messageOf(update.error, 'Failed to save changes.')}</Notice>}
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={!changed || values.name.trim() === ''} loading={update.sending}>
          Save Changes
        </Button>
        {changed && (
          <Button
            variant="default"
            size="sm"
            disabled={update.sending}
            onClick={() => {
              setValues(base)
              update.clear()
            }}
          >
            Cancel
          </Button>
        )}
        <span className={classes.unsaved} role="status">
          {changed && 'You have unsaved changes'}
        </span>
      </div>
    </form>
  )
}

interface CourseFieldProps {
  assignment: Assignment
  base: number | null
  value: number | null
  change: (courseId: number | null) => void
  error: string | undefined
}

function CourseField({ assignment, base, value, change, error }: CourseFieldProps) {
  const courses = useGetAll(listCourses).data ?? []
  const offered = courses.map(({ id, name }) => ({ value: String(id), label: name }))
  const own = assignment.course_id
  // An administrator's list has not every course; the assignment's own is offered whatever happens.
  if (own !== null && !courses.some(({ id }) => id === own))
    offered.unshift({ value: String(own), label: assignment.course_name ?? `Course ${own}` })
  return (
    <NativeSelect
      label="Course"
      size="md"
      description={courseFieldHint(assignment, base, value)}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data={[...offered, { value: '', label: 'No course' }]}
      value={value === null ? '' : String(value)}
      onChange={(event) => change(Number(event.currentTarget.value) || null)}
      disabled={assignment.status === 'published'}
      error={error}
    />
  )
}

function courseFieldHint({ status, counts }: Assignment, base: number | null, value: number | null) {
  if (status === 'published') return 'Unpublish the assignment to change its course.'
  if (value === null) return 'Students cannot see an assignment without a course.'
  if (value !== base && base !== null && counts.submissions > 0)
    return 'Papers of students who are not in this course become unmatched until you match them to students. Extensions are not kept.'
  return undefined
}
