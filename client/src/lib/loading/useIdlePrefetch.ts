import { useEffect } from 'react'

/** Where the browser does not say when it is idle. */
const WAIT_MS = 2000

/** Once this screen is drawn and the browser idle; not with `Save-Data`. `load` must stay the same. */
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

function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, 'connection')
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true
}
