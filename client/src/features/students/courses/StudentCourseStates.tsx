import {
  getStudentCourse,
  listStudentAssignments,
  type StudentAssignment,
  type StudentCourse,
} from '@assay/shared/students.ts'
import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { CompletionBadge, CompletionBar } from '../../../components/display/CompletionBar.tsx'
import { EmptyState, NotFoundIllustration } from '../../../components/feedback/EmptyState.tsx'
import { LoadError, Page, PageSkeleton } from '../../../components/layout/Page.tsx'
import { usePageTitle } from '../../../components/layout/usePageTitle.ts'
import type { ApiError } from '../../../lib/api/api-error.ts'
import { type QueryResult, useGet } from '../../../lib/api/api-hooks.ts'
import { percentComplete } from './StudentCourseCard.tsx'
import classes from './StudentCourseStates.module.css'

interface Props {
  label: string
  children: (course: StudentCourse, assignments: QueryResult<StudentAssignment[]>) => ReactNode
}

/** The specification has its own words here for a wrong course in the address. */
export function WithStudentCourse(props: Props) {
  const { courseId } = useParams()
  const id = Number(courseId)
  if (!Number.isInteger(id) || id <= 0) return <NotFoundScreen title="Invalid course ID" />
  return <StudentCoursePart key={id} {...props} courseId={id} />
}

function StudentCoursePart({ courseId, label, children }: Props & { courseId: number }) {
  const { data, error, reload } = useGet(getStudentCourse, { courseId })
  const assignments = useGet(listStudentAssignments, { courseId })
  if (data) return children(data, assignments)
  if (!error) return <PageSkeleton label={label} />
  if (error.status !== 404) return <StudentCourseError error={error} retry={reload} />
  return (
    <NotFoundScreen title="Course Not Found">
      The course you're looking for doesn't exist or you don't have access to it.
    </NotFoundScreen>
  )
}

function StudentCourseError({ error, retry }: { error: ApiError; retry: () => unknown }) {
  const title = 'Failed to Load Course'
  usePageTitle(title)
  return (
    <Page>
      <LoadError isWhole error={error} retry={retry} title={title} fallback="Failed to load course data.">
        <BackToDashboard />
      </LoadError>
    </Page>
  )
}

export function NotFoundScreen({ title, children }: { title: string; children?: string }) {
  usePageTitle(title)
  return (
    <Page>
      <EmptyState illustration={<NotFoundIllustration />} title={title} titleOrder={1} action={<BackToDashboard />}>
        {children}
      </EmptyState>
    </Page>
  )
}

export function BackToDashboard() {
  return <LinkButton to="/student/dashboard">Back to dashboard</LinkButton>
}

export function CourseTotals({ course }: { course: StudentCourse }) {
  const { assignment_count: total, graded_assignment_count: graded } = course
  const percent = percentComplete(course)
  return (
    <section className={classes.root} aria-label="Progress">
      <dl className={classes.facts}>
        <Fact label="Total Assignments" value={total} />
        <Fact label="Graded" value={graded} />
        <Fact label="Pending" value={total - graded} />
      </dl>
      {percent !== null && (
        <div className={classes.progress}>
          <CompletionBadge percent={percent} />
          <CompletionBar percent={percent} label="Graded so far" />
        </div>
      )}
    </section>
  )
}

function Fact({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
