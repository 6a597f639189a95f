import { vi } from 'vitest'

const FRAME_MS = 17
const { useRealTimers } = vi

/**
 * jsdom ends one frame's interval before it begins the next: one begun on a fake clock has to end there, or no frame
 * would ever be drawn again.
 */
vi.useRealTimers = () => {
  if (vi.isFakeTimers()) vi.advanceTimersByTime(FRAME_MS)
  return useRealTimers()
}
