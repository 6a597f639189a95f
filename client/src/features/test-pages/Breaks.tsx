import { useEffect, useState } from 'react'
import { lazyPart } from '../../lib/lazy-part.tsx'
import { type ErrorType, failureOf } from './failures.ts'

const MissingPart = lazyPart<object>(() => Promise.reject(failureOf('chunk')))

/** A part of a screen that breaks in the way asked for. */
export function Breaks({ type }: { type: ErrorType }) {
  if (type === 'async') return <BreaksLater />
  if (type === 'chunk') return <MissingPart />
  throw failureOf(type)
}

/** Breaks after it has been drawn, as what a promise brings would: React hears of it through the state. */
function BreaksLater() {
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => {
    let over = false
    void Promise.reject(failureOf('async')).catch((cause: Error) => !over && setError(cause))
    return () => {
      over = true
    }
  }, [])
  if (error) throw error
  return <p>Working…</p>
}
