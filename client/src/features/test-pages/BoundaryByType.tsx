import { type ReactNode, Suspense } from 'react'
import { ComponentErrorBoundary } from '../../errors/ComponentErrorBoundary.tsx'
import type { RetryStrategy } from '../../errors/retry-policy.ts'
import { SmartErrorBoundary } from '../../errors/SmartErrorBoundary.tsx'
import type { BoundaryType } from './failures.ts'

interface Props {
  type: BoundaryType
  strategy?: RetryStrategy
  children: ReactNode
}

/** The boundary asked for; `smart` is the one without a context of its own. */
export function BoundaryByType({ type, strategy = 'manual', children }: Props) {
  const inside = <Suspense fallback={<p>Loading…</p>}>{children}</Suspense>
  if (type === 'component') return <ComponentErrorBoundary>{inside}</ComponentErrorBoundary>
  return (
    <SmartErrorBoundary context={type === 'smart' ? 'component' : type} strategy={strategy}>
      {inside}
    </SmartErrorBoundary>
  )
}
