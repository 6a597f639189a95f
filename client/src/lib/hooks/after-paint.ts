import { startTransition, useEffect, useState } from 'react'

/** Returns the way to stop. */
export function afterPaint(tell: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  // A hidden tab is never painted.
  if (document.hidden) {
    timer = setTimeout(tell)
    return () => clearTimeout(timer)
  }
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(tell)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** True once what a screen shows when `ready` has been painted. */
export function useDrawn(ready: boolean): boolean {
  const [drawn, setDrawn] = useState(false)
  useEffect(() => (ready ? afterPaint(() => startTransition(() => setDrawn(true))) : undefined), [ready])
  return drawn
}
