import { Button } from '@mantine/core'
import { useRole } from '../lib/session/session.tsx'
import type { RetryState } from './ErrorBoundary.tsx'

export function RetryButton({ retry, tries, maxRetries, isAutomatic }: RetryState) {
  const forStudent = useRole() === 'student'
  if (isAutomatic) return <p role="status">An automatic retry will happen in a moment.</p>
  if (!retry) return <p>Maximum retry attempts reached. Please reload the page or contact support.</p>
  return (
    <Button
      onClick={retry}
      data-role={forStudent ? 'student' : undefined}
      {...(forStudent ? { variant: 'light', radius: 'xl', size: 'md' } : {})}
    >
      Retry {tries}/{maxRetries}
    </Button>
  )
}
