import { Button } from '@mantine/core'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { ErrorIllustration } from '../../components/feedback/illustrations.tsx'
import { usePageTitle } from '../../components/layout/usePageTitle.ts'
import { type ApiError, messageOf } from '../../lib/api/api-error.ts'

const FALLBACK = 'Failed to load analytics data. Please try again.'

interface Props {
  error?: ApiError
  message?: string
  retry?: () => Promise<unknown>
  courseId?: number
}

/** Always offers both ways out. */
export function AnalyticsError({ error, message, retry, courseId }: Props) {
  usePageTitle('Analytics')
  return (
    <div role="alert">
      <EmptyState
        titleOrder={1}
        illustration={<ErrorIllustration />}
        title="Failed to Load Analytics"
        action={
          <Button.Group>
            {/* A further failure is shown by what stays on the screen. */}
            <Button onClick={() => (retry ? void retry().catch(() => undefined) : window.location.reload())}>
              Try Again
            </Button>
            <Button
              component={Link}
              to={courseId === undefined ? '/courses' : `/courses/${courseId}`}
              variant="default"
            >
              Back to Course
            </Button>
          </Button.Group>
        }
      >
        {message ?? messageOf(error, FALLBACK)}
      </EmptyState>
    </div>
  )
}
