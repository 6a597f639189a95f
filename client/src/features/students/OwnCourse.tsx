import { Id } from '@assay/shared/ids.ts'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import { LostPageDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { usePageTitle } from '../../components/usePageTitle.ts'
import type { ApiError } from '../../lib/api-error.ts'

/** The course's id from the address. The specification has its own words for a wrong one, unlike for other pages. */
export function WithCourseId({ children }: { children: (courseId: number) => ReactNode }) {
  const { courseId } = useParams()
  const id = Id.safeParse(Number(courseId))
  return id.success ? children(id.data) : <Lost title="Invalid course ID" />
}

export function CourseNotFound() {
  return (
    <Lost title="Course Not Found">
      The course you're looking for doesn't exist or you don't have access to it.
    </Lost>
  )
}

export function CourseFailed({ error, retry }: { error: ApiError; retry: () => unknown }) {
  usePageTitle('Failed to Load Course')
  return (
    <Page>
      <LoadFailed
        error={error}
        retry={retry}
        title="Failed to Load Course"
        fallback="Failed to load course data."
      >
        <BackToDashboard />
      </LoadFailed>
    </Page>
  )
}

export function Lost({ title, children }: { title: string; children?: string }) {
  usePageTitle(title)
  return (
    <Page>
      <EmptyState drawing={<LostPageDrawing />} title={title} titleOrder={1} action={<BackToDashboard />}>
        {children}
      </EmptyState>
    </Page>
  )
}

function BackToDashboard() {
  return (
    <Button component={Link} to="/student/dashboard" variant="default">
      Back to dashboard
    </Button>
  )
}
