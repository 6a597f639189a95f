/** Work under way by name, with how many wait for it. */
export type InFlightWork<T> = Map<string, { done: Promise<T>; waiting: number; controller: AbortController }>

/**
 * Does work of one name once, however many ask for it at the same time. Who is stopped gets the reason at once; the work itself is
 * stopped when the last one who waits for it is.
 */
export async function singleFlight<T>(
  under: InFlightWork<T>,
  name: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  let shared = under.get(name)
  if (!shared) {
    const controller = new AbortController()
    const done = work(controller.signal).finally(() => {
      if (under.get(name)?.done === done) under.delete(name)
    })
    // Nobody may be left to hear of it.
    done.catch(() => {})
    shared = { done, waiting: 0, controller }
    under.set(name, shared)
  }
  const mine = shared
  mine.waiting++
  try {
    return await orAborted(mine.done, signal)
  } finally {
    mine.waiting--
    if (mine.waiting === 0) {
      // Whoever comes now begins anew.
      if (under.get(name) === mine) under.delete(name)
      mine.controller.abort(signal?.reason)
    }
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
