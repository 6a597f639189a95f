import { useCallback, useEffect, useRef } from 'react'

/**
 * A call that is made `waitMs` after it is first asked for, once for all who ask until then; never after the screen is gone. With `renew`
 * it waits from the last time.
 */
export function useLater(call: () => unknown): (waitMs: number, renew?: boolean) => void {
  const latest = useRef(call)
  latest.current = call
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback((waitMs: number, renew = false) => {
    if (renew) clearTimeout(timer.current)
    else if (timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, waitMs)
  }, [])
}
