import { type CourseDetail, listCourseStudents } from '@assay/shared/courses.ts'
import { addStudent } from '@assay/shared/roster.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LinkButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Page, PageHeader, Panel } from '../../components/layout/Page.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet, useRevalidate, useSend } from '../../lib/api/api-hooks.ts'
import { plural } from '../../lib/format.ts'
import { useContractForm } from '../../lib/forms/useContractForm.ts'
import { coursePath } from '../../paths.ts'
import { rosterErrors, WithCourse } from '../courses/WithCourse.tsx'
import { AddNonLmsPeople } from '../lti/roster/AddNonLmsPeople.tsx'
import { LmsRosterPanel } from '../lti/roster/LmsRosterPanel.tsx'
import { CsvUpload } from './CsvUpload.tsx'
import { RosterList } from './RosterList.tsx'
import classes from './RosterPage.module.css'
import type { RosterMessage } from './roster-message.ts'

export function RosterPage() {
  return (
    <WithCourse label="Loading roster" messages={rosterErrors}>
      {(course) => <Roster course={course} />}
    </WithCourse>
  )
}

function Roster({ course }: { course: CourseDetail }) {
  const [message, setMessage] = useState<RosterMessage | null>(null)
  const refresh = useRevalidate()
  const waiting = useGet(listCourseStudents, { courseId: course.id }, { state: 'waiting', limit: 1 }).total ?? 0
  const changed = () => void refresh('/courses')
  const enrolled = `${plural(course.student_count, 'student')} enrolled`
  const fromLms = course.lms_names.length > 0
  const ways = (
    <div className={classes.ways}>
      <Panel title="Add Individual Student">
        <AddStudentForm courseId={course.id} showMessage={setMessage} added={changed} />
      </Panel>
      <Panel title="Bulk Upload Students">
        <CsvUpload courseId={course.id} showMessage={setMessage} changed={changed} />
      </Panel>
    </div>
  )

  return (
    <Page width="wide">
      <PageHeader
        title="Roster Management"
        tabTitle={`Roster · ${course.name}`}
        crumbs={[
          { label: 'My Courses', to: '/courses' },
          { label: course.name, to: coursePath(course.id) },
          { label: 'Roster Management' },
        ]}
        badge={course.course_code && <span className={classes.code}>{course.course_code}</span>}
        actions={
          course.assignment_count === 0 && (
            <LinkButton
              to="/create-assignment"
              state={{ courseId: course.id }}
              variant={course.student_count + waiting > 0 ? 'filled' : 'default'}
            >
              Create the first assignment
            </LinkButton>
          )
        }
        subtitle={waiting > 0 ? `${enrolled} · ${waiting} waiting for confirmation` : enrolled}
      />
      <div role="status" className={classes.message}>
        {message && (
          <Notice
            tone={message.tone}
            actions={
              <Button variant="default" onClick={() => setMessage(null)}>
                Dismiss
              </Button>
            }
          >
            {message.text}
          </Notice>
        )}
      </div>
      <LmsRosterPanel courseId={course.id} changed={changed} />
      {!fromLms && ways}
      <RosterList course={course} waiting={waiting} showMessage={setMessage} changed={changed} />
      {fromLms && (
        <div className={classes.outsiders}>
          <AddNonLmsPeople lms={course.lms_names}>{ways}</AddNonLmsPeople>
        </div>
      )}
    </Page>
  )
}

interface Props {
  courseId: number
  showMessage: (message: RosterMessage | null) => void
  added: () => void
}

function AddStudentForm({ courseId, showMessage, added }: Props) {
  const { send } = useSend(addStudent)
  const form = useContractForm(addStudent, {
    initialValues: { email: '', external_user_id: '', sis_user_id: '' },
    toBody: ({ email, external_user_id, sis_user_id }) => ({
      email,
      external_user_id: external_user_id.trim() || null,
      sis_user_id: sis_user_id.trim() || null,
    }),
  })
  const submit = form.submit(
    async (body) => {
      showMessage(null)
      const { success, message } = await send({ params: { courseId }, body })
      showMessage({ tone: success ? 'note' : 'bad', text: message })
      if (!success) return
      form.reset()
      added()
      form.getInputNode('email')?.focus()
    },
    {
      failed: (error) =>
        showMessage({ tone: 'bad', text: messageOf(error, 'Failed to add student. Please try again.') }),
    },
  )

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput label="Email" type="email" required autoComplete="off" {...form.getInputProps('email')} />
      <div className={classes.pair}>
        <TextInput
          label="LMS user ID (optional)"
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps('external_user_id')}
        />
        <TextInput
          label="Student number (optional)"
          autoComplete="off"
          maxLength={100}
          {...form.getInputProps('sis_user_id')}
        />
      </div>
      <div className={classes.buttons}>
        <Button type="submit" size="sm" disabled={form.values.email.trim() === ''} loading={form.submitting}>
          Add Student
        </Button>
        <p className={classes.hint}>People without an account get an email invitation.</p>
      </div>
    </form>
  )
}
