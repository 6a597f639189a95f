import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { LostPageDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import type { ApiError } from '../../lib/api-error.ts'
import { type CourseWords, courseWords, wordsFor } from './course-words.ts'

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
  words?: CourseWords
}

/** Where a course would be that could not be loaded: it is not there, or something went wrong. */
export function CourseFailed({ error, retry, words = courseWords }: Props) {
  if (error.status === 404) {
    return (
      <EmptyState
        titleOrder={1}
        drawing={<LostPageDrawing />}
        title="Course Not Found"
        action={<BackToCourses />}
      >
        The course you’re looking for doesn’t exist or you don’t have access to it.
      </EmptyState>
    )
  }
  return (
    <Page>
      <LoadFailed error={error} retry={retry} title="Error Loading Course" words={wordsFor(error, words)}>
        <BackToCourses variant="default" />
      </LoadFailed>
    </Page>
  )
}
