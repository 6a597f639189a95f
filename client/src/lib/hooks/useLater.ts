import { useCallback, useEffect, useRef } from 'react'

/** Calls once, `waitMs` after the first ask (with `renew` after the last), never after unmounting. */
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
