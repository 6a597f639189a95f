import {
  acceptEnrollment,
  declineEnrollment,
  type EnrollmentRequest,
  type StudentCourse,
} from '@assay/shared/students.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { LinkButton, PrimaryLinkButton, SecondaryButton } from '../../../components/display/buttons.tsx'
import { CompletionBadge, CompletionBar } from '../../../components/display/CompletionBar.tsx'
import { CourseIllustration, EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { ErrorNotice, Notice } from '../../../components/feedback/Notice.tsx'
import { Card } from '../../../components/layout/Card.tsx'
import { useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../../lib/format.ts'
import { launchId } from '../../../lib/session/launch-path.ts'
import { useUser } from '../../../lib/session/session.tsx'
import { studentCoursePath } from '../../../paths.ts'
import classes from './StudentCourseCard.module.css'

export function StudentCourseCards({ children }: { children: ReactNode }) {
  return <div className={classes.cards}>{children}</div>
}

export function StudentCourseCard({ course }: { course: StudentCourse }) {
  const percent = percentComplete(course)
  const to = studentCoursePath(course.id)
  return (
    <Card label={course.name}>
      <div className={classes.head}>
        <span className="hint">{course.course_code}</span>
        {percent !== null && <CompletionBadge percent={percent} />}
      </div>
      <h3 className={classes.name}>{course.name}</h3>
      {course.description && <p className={classes.description}>{course.description}</p>}
      <div className={classes.progress}>
        <p className={classes.counts}>
          {percent === null
            ? 'Nothing published yet'
            : `${plural(course.assignment_count, 'assignment')} · ${course.graded_assignment_count} graded`}
        </p>
        {percent !== null && <CompletionBar percent={percent} label="Graded so far" />}
      </div>
      <div className={classes.foot}>
        <span className={classes.enrolled}>Enrolled {formatDate(course.enrolled_at)}</span>
        {course.graded_assignment_count > 0 && (
          <LinkButton to={`${to}/grades`} variant="subtle" aria-label={`Grades in ${course.name}`}>
            Grades
          </LinkButton>
        )}
        <LinkButton to={to} aria-label={`View Course ${course.name}`}>
          View Course
        </LinkButton>
      </div>
    </Card>
  )
}

export function NoCourses() {
  const { email } = useUser()
  if (launchId !== null) {
    return (
      <EmptyState illustration={<CourseIllustration />} title="No Courses Yet">
        Courses appear here after you open Assay from your LMS.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      illustration={<CourseIllustration />}
      title="No Courses Yet"
      action={<PrimaryLinkButton to="/student/join-course">Join a Course</PrimaryLinkButton>}
    >
      Join with the code your instructor gave you, or ask your instructor to add your email address,{' '}
      <strong>{email}</strong>. The course then appears here with your assignments and grades.
    </EmptyState>
  )
}

export const EnrollmentRequests = ({ requests = [] }: { requests: EnrollmentRequest[] | undefined }) =>
  requests.map((request) => <Request key={request.course_id} request={request} />)

function Request({ request: { course_id, course_name } }: { request: EnrollmentRequest }) {
  const accept = useSend(acceptEnrollment)
  const decline = useSend(declineEnrollment)
  const refresh = useRevalidate()
  const answer = async ({ attempt }: typeof accept | typeof decline) => {
    if (await attempt({ params: { courseId: course_id } })) await refresh('/student')
  }
  return (
    <Notice
      actions={
        <>
          <Button loading={accept.sending} onClick={() => void answer(accept)}>
            Accept
          </Button>
          <SecondaryButton loading={decline.sending} onClick={() => void answer(decline)}>
            Decline
          </SecondaryButton>
        </>
      }
    >
      <em>{course_name}</em> would like to enrol you.
      <ErrorNotice error={accept.error ?? decline.error} fallback="This could not be saved. Please try again." />
    </Notice>
  )
}

/** In whole percent; null where there is nothing to grade yet. */
export function percentComplete(course: StudentCourse): number | null {
  if (course.assignment_count === 0) return null
  return Math.round((100 * course.graded_assignment_count) / course.assignment_count)
}
