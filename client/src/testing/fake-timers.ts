import { vi } from 'vitest'

const FRAME_MS = 17
const { useRealTimers } = vi

/**
 * jsdom draws its frames by an interval, and waits for the end of one before it begins the next. One begun on a fake
 * clock has to end there: the document would draw none after it, and `requestAnimationFrame` never call anybody again.
 */
vi.useRealTimers = () => {
  if (vi.isFakeTimers()) vi.advanceTimersByTime(FRAME_MS)
  return useRealTimers()
}
