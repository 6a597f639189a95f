import { useEffect } from 'react'

/** Where the browser does not say when it is idle. */
const WAIT_MS = 2000

/**
 * Fetches what the next screen will need, once this one is drawn (`ready`) and the browser has nothing to do; not for readers who
 * save data. `load` must stay the same between renders.
 */
export function useIdlePrefetch(load: () => Promise<unknown>, { ready }: { ready: boolean }): void {
  useEffect(() => {
    if (!ready || savesData()) return
    // If it does not come, it is fetched again where it is needed, and that screen says what is wrong.
    const begin = () => void load().catch(() => undefined)
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(begin, WAIT_MS)
      return () => clearTimeout(timer)
    }
    const waiting = requestIdleCallback(begin)
    return () => cancelIdleCallback(waiting)
  }, [load, ready])
}

/** `Save-Data`, in browsers that tell. */
function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}
