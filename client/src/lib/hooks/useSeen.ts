import { useEffect, useRef, useState } from 'react'

/**
 * Whether an element has been in sight, or as near to it as `rootMargin` says: for what is asked for only then. Mantine's
 * `useIntersection` looks at the first of several entries alone, and on a busy page the last is the one in sight.
 */
export function useSeen<T extends HTMLElement>(rootMargin = '0px') {
  const ref = useRef<T>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [rootMargin])
  return { ref, seen }
}
