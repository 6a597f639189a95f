import { addInstructor, type CourseDetail, type CourseInstructor, removeInstructor } from '@assay/shared/courses.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { InitialsAvatar } from '../../components/display/InitialsAvatar.tsx'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { Panel, PanelList } from '../../components/layout/Page.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { type QueryResult, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { useUser } from '../../lib/session/session.tsx'
import { toast } from '../../lib/toast.ts'
import classes from './CourseStudents.module.css'

export function CourseInstructors({ course, loaded }: { course: CourseDetail; loaded: QueryResult<CourseDetail> }) {
  const user = useUser()
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<CourseInstructor | null>(null)
  const remove = useSend(removeInstructor)
  const refresh = useRevalidate()
  const navigate = useNavigate()
  const oneself = leaving !== null && leaving.id === user.id

  async function removeFromCourse(instructor: CourseInstructor) {
    await remove.send({ params: { courseId: course.id, userId: instructor.id } })
    toast.success(`${nameOf(instructor)} removed as instructor`)
    if (oneself && user.role !== 'admin') void navigate('/courses')
    else loaded.patch((now) => ({ ...now, instructors: now.instructors.filter(({ id }) => id !== instructor.id) }))
    void refresh('/courses')
  }

  return (
    <Panel
      title="Instructors"
      actions={
        <SecondaryButton aria-expanded={adding} onClick={() => setAdding(!adding)}>
          {adding ? 'Cancel' : 'Add Instructor'}
        </SecondaryButton>
      }
    >
      {adding && (
        <AddInstructorForm
          courseId={course.id}
          added={(instructor) =>
            loaded.patch((now) => ({
              ...now,
              instructors: [...now.instructors.filter(({ id }) => id !== instructor.id), instructor],
            }))
          }
        />
      )}
      <PanelList label="Instructors">
        {course.instructors.map((instructor) => (
          <li key={instructor.id}>
            <InitialsAvatar name={nameOf(instructor)} />
            <div className={classes.words}>
              <span className={classes.name}>{nameOf(instructor)}</span>
              <span className={classes.id}>
                {instructor.username}
                {instructor.id === user.id && ' · you'}
              </span>
            </div>
            {course.instructors.length > 1 && (
              <SubtleButton
                color="gray"
                className={classes.remove}
                aria-label={`Remove ${nameOf(instructor)} as instructor`}
                onClick={() => setLeaving(instructor)}
              >
                Remove
              </SubtleButton>
            )}
          </li>
        ))}
      </PanelList>
      <ConfirmModal
        opened={leaving !== null}
        close={() => setLeaving(null)}
        title={oneself ? 'Leave this course?' : `Remove ${leaving ? nameOf(leaving) : ''} as instructor?`}
        confirmLabel={oneself ? 'Leave course' : 'Remove'}
        dangerous
        onConfirm={() => (leaving ? removeFromCourse(leaving) : undefined)}
      >
        <p>
          {oneself ? 'You' : 'They'} will no longer see this course, its papers or its grades. Existing grades are kept.
        </p>
      </ConfirmModal>
    </Panel>
  )
}

function AddInstructorForm({ courseId, added }: { courseId: number; added: (one: CourseInstructor) => void }) {
  const { send } = useSend(addInstructor)
  const form = useContractForm(addInstructor, { initialValues: { login: '' }, toBody: (values) => values })
  const submit = form.submit(async (body) => {
    const instructor = await send({ params: { courseId }, body })
    toast.success(`${nameOf(instructor)} added as instructor`)
    added(instructor)
    form.reset()
  })
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Username or email of an instructor"
        autoComplete="off"
        autoFocus
        {...form.getInputProps('login')}
        error={form.errors.login ?? (form.failure && messageOf(form.failure, 'The instructor could not be added.'))}
      />
      <Button type="submit" size="sm" disabled={form.values.login.trim() === ''} loading={form.submitting}>
        Add
      </Button>
    </form>
  )
}
