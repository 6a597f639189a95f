import { type CourseDetail, type CourseStudent, enrolStudent, removeStudent } from '@assay/shared/courses.ts'
import { listLmsCourses } from '@assay/shared/lti/lti-roster.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { InitialsAvatar } from '../../components/display/InitialsAvatar.tsx'
import { ConfirmModal } from '../../components/feedback/ConfirmModal.tsx'
import { EmptyState, PeopleIllustration } from '../../components/feedback/EmptyState.tsx'
import { Panel, PanelList } from '../../components/layout/Page.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { type QueryResult, useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { toast } from '../../lib/toast.ts'
import { coursePath } from '../../paths.ts'
import { LmsRemovalNote } from '../lti/roster/AddNonLmsPeople.tsx'
import lmsClasses from '../lti/roster/LmsRosterPanel.module.css'
import { lmsCourseName, rosterReportMessage } from '../lti/roster/roster-report-messages.ts'
import { SyncRosterButton } from '../lti/roster/SyncRosterButton.tsx'
import classes from './CourseStudents.module.css'

const MAX_SHOWN = 5

export function CourseStudents({ course, loaded }: { course: CourseDetail; loaded: QueryResult<CourseDetail> }) {
  const [enrolling, setEnrolling] = useState(false)
  const [leaving, setLeaving] = useState<CourseStudent | null>(null)
  const remove = useSend(removeStudent)
  const refresh = useRevalidate()
  const fromLms = course.lms_names.length > 0

  async function removeFromCourse(student: CourseStudent) {
    await remove.send({ params: { courseId: course.id, userId: student.id } })
    toast.success(`${nameOf(student)} removed from the course`)
    loaded.patch((now) => ({
      ...now,
      student_count: now.student_count - 1,
      students: now.students.filter((one) => one.id !== student.id),
    }))
    void refresh('/courses')
  }

  return (
    <Panel
      title="Enrolled Students"
      actions={
        fromLms ? (
          <SyncRosterButton courseId={course.id} changed={() => void refresh('/courses')} />
        ) : (
          <SecondaryButton aria-expanded={enrolling} onClick={() => setEnrolling(!enrolling)}>
            {enrolling ? 'Cancel' : 'Enroll Student'}
          </SecondaryButton>
        )
      }
    >
      {fromLms && <LmsRosterSummary courseId={course.id} />}
      {enrolling && !fromLms && (
        <EnrolForm
          courseId={course.id}
          enrolled={(student) => {
            loaded.patch((now) => ({
              ...now,
              student_count: now.student_count + 1,
              students: [...now.students.filter((one) => one.id !== student.id), student],
            }))
            void refresh('/courses')
          }}
        />
      )}
      {course.students.length === 0 ? (
        <EmptyState illustration={<PeopleIllustration />} title="No students yet" titleOrder={3}>
          {fromLms
            ? `Students are added from ${listOf(course.lms_names)} when the roster syncs or when they open Assay there.`
            : 'Add students by email in the roster, or share the course code.'}
        </EmptyState>
      ) : (
        <PanelList label="Enrolled students">
          {course.students.slice(0, MAX_SHOWN).map((student) => (
            <li key={student.id}>
              <InitialsAvatar name={nameOf(student)} />
              <div className={classes.words}>
                <span className={classes.name}>{nameOf(student)}</span>
                <span className={classes.id}>
                  {student.full_name && `${student.username} · `}ID {student.id}
                  {student.state === 'invited' && (student.never_invited ? ' · not invited yet' : ' · invited')}
                </span>
              </div>
              <SubtleButton
                color="gray"
                className={classes.remove}
                aria-label={`Remove ${nameOf(student)}`}
                onClick={() => setLeaving(student)}
              >
                Remove
              </SubtleButton>
            </li>
          ))}
        </PanelList>
      )}
      {course.student_count > MAX_SHOWN && (
        <p className={classes.more}>
          <Link to={coursePath(course.id, 'roster')}>Show all {plural(course.student_count, 'student')}</Link>
        </p>
      )}
      <ConfirmModal
        opened={leaving !== null}
        close={() => setLeaving(null)}
        title={`Remove ${leaving ? nameOf(leaving) : ''}?`}
        confirmLabel="Remove"
        dangerous
        failed="Failed to remove student"
        onConfirm={() => (leaving ? removeFromCourse(leaving) : undefined)}
      >
        <p>Are you sure you want to remove {leaving && nameOf(leaving)} from this course?</p>
        <p>They will no longer see the course or its grades. Their papers and grades are kept.</p>
        {leaving?.added_by === 'lms' && <LmsRemovalNote />}
      </ConfirmModal>
    </Panel>
  )
}

function EnrolForm({ courseId, enrolled }: { courseId: number; enrolled: (student: CourseStudent) => void }) {
  const { send } = useSend(enrolStudent)
  const form = useContractForm(enrolStudent, {
    initialValues: { user_id: '' },
    toBody: ({ user_id }) => ({ user_id: /^\d{1,15}$/.test(user_id.trim()) ? Number(user_id) : 0 }),
    fieldErrors: (error) => ({ user_id: messageOf(error, 'Failed to enroll student') }),
  })
  const submit = form.submit(async (body) => {
    const student = await send({ params: { courseId }, body })
    const isWaiting = student.state === 'waiting'
    toast.success(isWaiting ? `Enrolled once user ${student.id} accepts` : `${nameOf(student)} enrolled`)
    if (!isWaiting) enrolled(student)
    form.reset()
    form.getInputNode('user_id')?.focus()
  })
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="User ID"
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        description={
          <>
            Students of your courses are enrolled at once, others when they accept.{' '}
            <Link to={coursePath(courseId, 'roster')}>Add others by email</Link>.
          </>
        }
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        {...form.getInputProps('user_id')}
      />
      <Button type="submit" size="sm" disabled={form.values.user_id.trim() === ''} loading={form.submitting}>
        Enroll
      </Button>
    </form>
  )
}

function LmsRosterSummary({ courseId }: { courseId: number }) {
  const lms = useGet(listLmsCourses, { courseId })
  if (!lms.data || lms.data.length === 0) return null
  return (
    <ul className={lmsClasses.line} aria-label="LMS courses">
      {lms.data.map((one) => (
        <li key={one.id}>
          From <Link to={coursePath(courseId, 'roster')}>{lmsCourseName(one)}</Link> · {rosterReportMessage(one)}
        </li>
      ))}
    </ul>
  )
}
