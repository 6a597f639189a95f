import { vi } from 'vitest'

const FRAME_MS = 17
const { useRealTimers } = vi

/** jsdom ends one frame's interval before it begins the next: one begun on a fake clock must end there. */
vi.useRealTimers = () => {
  if (vi.isFakeTimers()) vi.advanceTimersByTime(FRAME_MS)
  return useRealTimers()
}
