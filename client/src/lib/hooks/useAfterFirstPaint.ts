import { useEffect, useState } from 'react'

/** Of this document, whichever screen it was. */
let isPainted = false

/** False until a first screen was drawn: what a screen shows beside its first data neither delays that nor takes the line from it. */
export function useAfterFirstPaint(): boolean {
  const [isAfter, setIsAfter] = useState(isPainted)
  useEffect(() => {
    if (isPainted) return setIsAfter(true)
    function tell() {
      isPainted = true
      setIsAfter(true)
    }
    // A hidden tab is never painted.
    if (document.hidden) return tell()
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(tell)
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isAfter
}
