import { useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

/** Of this document, whichever screen it was. */
let isPainted = false

/** False until a first screen was drawn: what is beside its first data must not delay that. */
export function useAfterFirstPaint(): boolean {
  const [isAfter, setIsAfter] = useState(isPainted)
  useEffect(() => {
    if (isPainted) return setIsAfter(true)
    return afterPaint(() => {
      isPainted = true
      setIsAfter(true)
    })
  }, [])
  return isAfter
}
