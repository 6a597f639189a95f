/** In documents, or half kilobytes of them. */
const WORK_BETWEEN_LOOKS = 32

/** The command takes too long for the serving thread; it is undone and run again in another. */
export class NotQuick extends Error {}

// A thread runs one command at a time.
let quickUntil = Number.POSITIVE_INFINITY
let work = 0

/** Throws `NotQuick` once the command takes longer than `ms`. */
export function runQuickly<T>(ms: number, run: () => T): T {
  if (ms === 0) throw new NotQuick()
  quickUntil = performance.now() + ms
  work = 0
  try {
    return run()
  } finally {
    quickUntil = Number.POSITIVE_INFINITY
  }
}

/** To be called for each document by everything that may visit many. */
export function checkpoint(bytes = 0): void {
  work += 1 + (bytes >>> 9)
  if (work < WORK_BETWEEN_LOOKS) return
  work = 0
  if (performance.now() >= quickUntil) throw new NotQuick()
}

/** For work known to be long before it starts. */
export function notQuick(): void {
  if (mustBeQuick()) throw new NotQuick()
}

export function mustBeQuick(): boolean {
  return quickUntil !== Number.POSITIVE_INFINITY
}
