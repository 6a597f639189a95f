import { useEffect, useRef, useState } from 'react'

/** Mantine's `useIntersection` reads only the first of several entries. */
export function useSeen<T extends HTMLElement>(rootMargin = '0px') {
  const ref = useRef<T>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || seen) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [rootMargin, seen])
  return { ref, seen }
}
