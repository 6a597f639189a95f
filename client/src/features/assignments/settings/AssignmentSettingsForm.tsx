import { type Assignment, updateAssignment } from '@assay/shared/assignments.ts'
import { listCourses } from '@assay/shared/courses.ts'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { useGetAll, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { useContractForm } from '../../../lib/forms/useContractForm.ts'
import { toast } from '../../../lib/toast.ts'
import { PreviewFigures } from '../../score-rules/PreviewFigures.tsx'
import { useDatesPreview } from '../../score-rules/useDatesPreview.ts'
import { DateFields } from '../DateFields.tsx'
import { dateErrors } from '../dates-form.ts'
import classes from './AssignmentSettingsForm.module.css'
import { changedDates, changedSettings, hasChanges, settingsValuesOf } from './assignment-settings-form.ts'

interface Props {
  assignment: Assignment
  saved: (assignment: Assignment) => void
  setChanged: (changed: boolean) => void
}

export function AssignmentSettingsForm({ assignment, saved, setChanged }: Props) {
  const refresh = useRevalidate()
  const update = useSend(updateAssignment)
  const [base, setBase] = useState(() => settingsValuesOf(assignment))
  const form = useContractForm(updateAssignment, {
    initialValues: base,
    toBody: (values) => changedSettings(base, values),
    check: dateErrors,
  })
  const changed = hasChanges(base, form.values)
  useEffect(() => setChanged(changed), [changed, setChanged])

  const { preview, figures, mayBeSaved } = useDatesPreview(assignment, changedDates(changedSettings(base, form.values)))

  const submit = form.submit(async (body) => {
    if (!(await mayBeSaved())) return
    const next = await update.send({ params: { assignmentId: assignment.id }, body })
    setBase(settingsValuesOf(next))
    form.setInitialValues(settingsValuesOf(next))
    form.setValues(settingsValuesOf(next))
    saved(next)
    toast.success('Settings saved.')
    void refresh('/assignments', '/courses')
  })

  return (
    <form className={classes.root} onSubmit={submit}>
      <TextInput label="Assignment name" maxLength={200} required {...form.getInputProps('name')} />
      <CourseField
        assignment={assignment}
        base={base.course_id}
        value={form.values.course_id}
        change={(course_id) => form.change({ course_id })}
        error={form.errors.course_id}
      />
      <DateFields values={form.values} change={form.change} errors={form.errors} disabled={form.submitting} />
      {preview && <PreviewFigures ref={figures} preview={preview} assignment={assignment} />}
      {form.failure && <Notice tone="bad">{messageOf(form.failure, 'Failed to save changes.')}</Notice>}
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={!changed || form.values.name.trim() === ''} loading={form.submitting}>
          {preview ? 'Save and Change Scores' : 'Save Changes'}
        </Button>
        {changed && (
          <Button variant="default" size="sm" disabled={form.submitting} onClick={form.reset}>
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
  error: ReactNode
}

function CourseField({ assignment, base, value, change, error }: CourseFieldProps) {
  const courses = useGetAll(listCourses).data ?? []
  const offered = courses.map(({ id, name }) => ({ value: String(id), label: name }))
  const own = assignment.course_id
  // An administrator's list may lack courses; the assignment's own is always offered.
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
