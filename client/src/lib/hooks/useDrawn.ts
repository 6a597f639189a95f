import { startTransition, useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

/** True once what a screen shows when `ready` has been drawn. */
export function useDrawn(ready: boolean): boolean {
  const [drawn, setDrawn] = useState(false)
  useEffect(() => (ready ? afterPaint(() => startTransition(() => setDrawn(true))) : undefined), [ready])
  return drawn
}
