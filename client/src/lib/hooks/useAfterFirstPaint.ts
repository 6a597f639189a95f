import { useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

/** Of this document, whichever screen it was. */
let isPainted = false

/** False until a first screen was drawn: what a screen shows beside its first data neither delays that nor takes the line from it. */
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
