import { useIntersection } from '@mantine/hooks'
import { useState } from 'react'

/** Whether an element has been in sight, or as near to it as `rootMargin` says: for what is asked for only then. */
export function useSeen<T extends HTMLElement>(rootMargin = '0px') {
  const { ref, entry } = useIntersection<T>({ rootMargin })
  const [seen, setSeen] = useState(false)
  if (entry?.isIntersecting && !seen) setSeen(true)
  return { ref, seen }
}
