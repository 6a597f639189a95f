import { setImmediate } from 'node:timers/promises'

/** The longest that one piece of work may block all others, in ms. */
const TIME_SLICE_MS = 10

/** For long work in one go: awaited between its pieces, it lets others have their turn when this one has lasted long enough. */
export function createYielder(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < TIME_SLICE_MS) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}
