export class QueueFull extends Error {
  override name = 'QueueFull'
}

interface Waiting {
  start: () => void
}

/** In order; `maxWaiting` may wait in each line. */
export function createBoundedQueue({ max, maxWaiting }: { max: number; maxWaiting: number }) {
  const first: Waiting[] = []
  const later: Waiting[] = []
  let running = 0
  return {
    /** @throws {QueueFull} */
    async run<T>(call: () => Promise<T>, options: { first?: boolean } = {}): Promise<T> {
      if (running >= max) {
        const line = options.first ? first : later
        // Each line has its own limit: those without `first` cannot fill the places of the others.
        if (line.length >= maxWaiting) throw new QueueFull(`${maxWaiting} are waiting already`)
        await new Promise<void>((resolve) => line.push({ start: resolve }))
      } else running++
      try {
        return await call()
      } finally {
        // Handed over, so that nobody takes the place in between.
        const next = first.shift() ?? later.shift()
        if (next) next.start()
        else running--
      }
    },
  }
}
