import { useEffect } from 'react'

/** For browsers without `requestIdleCallback`. */
const WAIT_MS = 2000

/** Not with `Save-Data`. `load` must stay the same between renders. */
export function useIdlePrefetch(load: () => Promise<unknown>, { ready }: { ready: boolean }): void {
  useEffect(() => {
    if (!ready || savesData()) return
    // A failure shows where it is needed.
    const begin = () => void load().catch(() => undefined)
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(begin, WAIT_MS)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(begin)
    return () => cancelIdleCallback(waiting)
  }, [load, ready])
}

function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}
