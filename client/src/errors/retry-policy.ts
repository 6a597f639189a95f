export type BoundaryContext = 'auth' | 'data' | 'api' | 'file' | 'component'
export type Criticality = 'low' | 'default' | 'critical'

/** `immediate` retries once at once, then by button; `exponential` after a doubling pause. */
export type RetryStrategy = 'immediate' | 'exponential' | 'manual'

export const MAX_RETRIES = { app: 3, page: 3, component: 2 } as const

const FIRST_DELAY_MS = 1000
const MAX_DELAY_MS = 10_000

export function smartBoundaryMaxRetries(context: BoundaryContext, criticality: Criticality, explicit?: number): number {
  if (explicit !== undefined) return explicit
  if (context === 'api' || context === 'data') return 5
  return criticality === 'critical' ? 1 : 3
}

/** In ms from the failure; null where it waits for the button. */
export function automaticRetryDelay(strategy: RetryStrategy, tries: number): number | null {
  if (strategy === 'exponential') return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** tries)
  return strategy === 'immediate' && tries === 0 ? 0 : null
}
