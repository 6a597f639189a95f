import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { NotFoundIllustration } from '../../../components/feedback/illustrations.tsx'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { usePageTitle } from '../../../components/layout/usePageTitle.ts'
import type { ApiError } from '../../../lib/api/api-error.ts'

/** The course's id from the address. The specification has its own words for a wrong one, unlike for other pages. */
export function WithCourseId({ children }: { children: (courseId: number) => ReactNode }) {
  const { courseId } = useParams()
  const id = Number(courseId)
  return Number.isInteger(id) && id > 0 ? children(id) : <NotFoundScreen title="Invalid course ID" />
}

export function CourseNotFound() {
  return (
    <NotFoundScreen title="Course Not Found">
      The course you're looking for doesn't exist or you don't have access to it.
    </NotFoundScreen>
  )
}

export function StudentCourseError({ error, retry }: { error: ApiError; retry: () => unknown }) {
  usePageTitle('Failed to Load Course')
  return (
    <Page>
      <LoadError error={error} retry={retry} title="Failed to Load Course" fallback="Failed to load course data.">
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
