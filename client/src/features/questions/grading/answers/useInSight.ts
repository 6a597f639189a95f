import { type RefObject, useEffect, useState } from 'react'

/** How far below and above what is seen something is loaded. */
const MARGIN = '400px 0px'

/** Whether an element has come into sight, or nearly; it stays so. */
export function useInSight(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const { current } = element
    if (!current || seen) return
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin: MARGIN },
    )
    watcher.observe(current)
    return () => watcher.disconnect()
  }, [element, seen])
  return seen
}
