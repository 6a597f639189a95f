import { type CourseDetail, getCourse } from '@assay/shared/courses.ts'
import { Fragment, type ReactNode } from 'react'
import { LinkButton } from '../../components/display/buttons.tsx'
import { EmptyState, NotFoundIllustration } from '../../components/feedback/EmptyState.tsx'
import { LoadError, Page, PageSkeleton } from '../../components/layout/Page.tsx'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'
import { type QueryResult, useGet } from '../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'

function BackToCourses({ variant }: { variant?: 'default' }) {
  return (
    <LinkButton to="/courses" variant={variant ?? 'filled'}>
      Back to Courses
    </LinkButton>
  )
}

interface Props {
  label?: string
  messages?: CourseErrorMessages
  children: (course: CourseDetail, loaded: QueryResult<CourseDetail>) => ReactNode
}

export function WithCourse({ label = 'Loading course', messages = courseErrors, children }: Props) {
  const course = useGet(getCourse, useRouteIds('courseId'))
  const { data, error, reload } = course
  if (data) return <Fragment key={data.id}>{children(data, course)}</Fragment>
  if (!error) return <PageSkeleton label={label} />
  if (error.status === 404) {
    return (
      <EmptyState
        titleOrder={1}
        illustration={<NotFoundIllustration />}
        title="Course Not Found"
        action={<BackToCourses />}
      >
        The course you’re looking for doesn’t exist or you don’t have access to it.
      </EmptyState>
    )
  }
  return (
    <Page>
      <LoadError
        isWhole
        error={error}
        retry={reload}
        title="Error Loading Course"
        message={courseErrorMessage(error, messages)}
      >
        <BackToCourses variant="default" />
      </LoadError>
    </Page>
  )
}

/** Where the server had no words of its own (specification, point 8). */
export interface CourseErrorMessages {
  unexpected: string
  unreadable?: string
  unreachable: string
}

export const courseListErrors: CourseErrorMessages = {
  unexpected: 'An unexpected error occurred while fetching courses.',
  unreadable: 'An unexpected error occurred. Please try again.',
  unreachable: 'An unexpected network or server error occurred while fetching courses.',
}

export const createCourseErrors: CourseErrorMessages = {
  unexpected: 'An unexpected error occurred during course creation.',
  unreadable: 'An unexpected error occurred. Please check the details and try again.',
  unreachable: 'An unexpected network or server error occurred.',
}

export const courseErrors: CourseErrorMessages = {
  unexpected: 'An unexpected error occurred while fetching course details.',
  unreachable: 'An unexpected network or server error occurred while fetching course details.',
}

export const rosterErrors: CourseErrorMessages = {
  unexpected: 'Failed to load course details',
  unreachable: 'Failed to load course details',
}

export function courseErrorMessage(
  error: ApiError,
  { unexpected, unreadable, unreachable }: CourseErrorMessages,
): string {
  const own = messageOf(error, unexpected)
  if (own === unexpected) return unexpected
  if (isUnreadable(error)) return unreadable ?? unexpected
  const saysNothing = ['network_error', 'timeout', 'service_unavailable'].includes(error.code)
  return saysNothing && own === error.reply.message ? `${unreachable.replace(/\.?$/, '.')} ${own}` : own
}

const isUnreadable = (error: ApiError) => error.code === 'unexpected_error' && error.cause !== undefined

/** `gone`: the course was deleted while it was on screen. */
export function courseChangeErrorMessage(error: ApiError, gone: string, fallback: string): string {
  return error.status === 404 ? gone : messageOf(error, fallback)
}
