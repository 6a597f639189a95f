import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { NotFoundIllustration } from '../../components/feedback/illustrations.tsx'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { Page } from '../../components/layout/Page.tsx'
import type { ApiError } from '../../lib/api/api-error.ts'
import { type CourseErrorMessages, courseErrorMessage, courseErrors } from './course-error-messages.ts'

function BackToCourses({ variant }: { variant?: 'default' }) {
  return (
    <Button component={Link} to="/courses" variant={variant ?? 'filled'}>
      Back to Courses
    </Button>
  )
}

interface Props {
  error: ApiError
  retry: () => unknown
  messages?: CourseErrorMessages
}

export function CourseError({ error, retry, messages = courseErrors }: Props) {
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
      <LoadError error={error} retry={retry} title="Error Loading Course" message={courseErrorMessage(error, messages)}>
        <BackToCourses variant="default" />
      </LoadError>
    </Page>
  )
}
