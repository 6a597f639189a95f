import { useEffect, useState } from 'react'
import { lazyComponent } from '../../lib/loading/lazy-component.tsx'
import { createFailure, type ErrorType } from './failures.ts'

const MissingChunk = lazyComponent<object>(() => Promise.reject(createFailure('chunk')))

/** A part of a screen that breaks in the way asked for. */
export function FailingComponent({ type }: { type: ErrorType }) {
  if (type === 'async') return <FailsLater />
  if (type === 'chunk') return <MissingChunk />
  throw createFailure(type)
}

/** Breaks after it has been drawn, as what a promise brings would: React hears of it through the state. */
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
