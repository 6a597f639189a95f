import { useEffect, useRef } from 'react'

/**
 * Runs `act` at once, or after the click where a mouse button is down. A field is left by pressing something else: a
 * message that came between pressing and letting go would move that away from under the pointer, and the click be lost.
 */
export function useAfterMouseUp<T>(act: (what: T) => void): (what: T) => void {
  const down = useRef(false)
  const waiting = useRef<T[]>([])
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const press = () => {
      down.current = true
    }
    const release = () => {
      down.current = false
      // The click itself comes just after this.
      timer = setTimeout(() => {
        for (const what of waiting.current.splice(0)) latest.current(what)
      })
    }
    document.addEventListener('mousedown', press, true)
    document.addEventListener('mouseup', release, true)
    document.addEventListener('dragend', release, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('mousedown', press, true)
      document.removeEventListener('mouseup', release, true)
      document.removeEventListener('dragend', release, true)
    }
  }, [])
  return (what) => {
    if (down.current) waiting.current.push(what)
    else latest.current(what)
  }
}
