import { type CourseDetail, getCourse } from '@assay/shared/courses.ts'
import { Fragment, type ReactNode } from 'react'
import { LinkButton } from '../../components/display/buttons.tsx'
import { EmptyState, NotFoundIllustration } from '../../components/feedback/EmptyState.tsx'
import { LoadError, Page, PageSkeleton } from '../../components/layout/Page.tsx'
import { type QueryResult, useGet } from '../../lib/api/api-hooks.ts'
import { useRouteIds } from '../../lib/hooks/useRouteIds.ts'
import { type CourseErrorMessages, courseErrorMessage, courseErrors } from './course-error-messages.ts'

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
