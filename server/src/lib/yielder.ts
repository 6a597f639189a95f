import { setImmediate } from 'node:timers/promises'

const TIME_SLICE_MS = 10

/** Awaited between pieces of long work, it lets others run once the time slice is over. */
export function createYielder(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < TIME_SLICE_MS) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}
