import { useEffect, useState } from 'react'
import { lazyComponent } from '../../lib/loading/lazy-component.tsx'
import { createFailure, type ErrorType } from './failures.ts'

const MissingChunk = lazyComponent<object>(() => Promise.reject(createFailure('chunk')))

/** A component that fails in the requested way. */
export function FailingComponent({ type }: { type: ErrorType }) {
  if (type === 'async') return <FailsLater />
  if (type === 'chunk') return <MissingChunk />
  throw createFailure(type)
}

/** Fails after rendering, as a rejected promise would: React learns of it through the state. */
function FailsLater() {
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => {
    let over = false
    void Promise.reject(createFailure('async')).catch((cause: Error) => !over && setError(cause))
    return () => {
      over = true
    }
  }, [])
  if (error) throw error
  return <p>Working…</p>
}
