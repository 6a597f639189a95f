import { type ComponentType, use } from 'react'
import { loadChunk } from './load-chunk.ts'

/** React's `lazy` would cache a failed load for good; this one can be retried. */
export function lazyComponent<P extends object>(
  load: () => Promise<ComponentType<P>>,
): ComponentType<P> & { loadAgain: () => void } {
  let coming: Promise<ComponentType<P>> | null = null
  const draw = (props: P) => {
    coming ??= loadChunk(load)
    const Part = use(coming)
    return <Part {...props} />
  }
  const loadAgain = () => {
    coming = null
  }
  return Object.assign(draw, { loadAgain })
}
