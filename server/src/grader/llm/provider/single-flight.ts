export type InFlightWork<T> = Map<string, { done: Promise<T>; waiting: number; controller: AbortController }>

/** A stopped caller gets its signal's reason at once; the work stops with its last caller. */
export async function singleFlight<T>(
  inFlight: InFlightWork<T>,
  name: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  let flight = inFlight.get(name)
  if (!flight) {
    const controller = new AbortController()
    const done = work(controller.signal).finally(() => {
      if (inFlight.get(name)?.done === done) inFlight.delete(name)
    })
    // All callers may have been stopped by the time it fails.
    done.catch(() => {})
    flight = { done, waiting: 0, controller }
    inFlight.set(name, flight)
  }
  const joined = flight
  joined.waiting++
  try {
    return await orAborted(joined.done, signal)
  } finally {
    joined.waiting--
    if (joined.waiting === 0) {
      // A caller that comes now starts the work again.
      if (inFlight.get(name) === joined) inFlight.delete(name)
      joined.controller.abort(signal?.reason)
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
