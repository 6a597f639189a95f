const WORK_BETWEEN_LOOKS = 32

/** The command is undone and run again in another thread. */
export class NotQuick extends Error {}

let quickUntil = Number.POSITIVE_INFINITY
let work = 0

/** @throws {NotQuick} once the command takes longer than `ms` */
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

export function checkpoint(bytes = 0): void {
  work += 1 + (bytes >>> 9)
  if (work < WORK_BETWEEN_LOOKS) return
  work = 0
  if (performance.now() >= quickUntil) throw new NotQuick()
}

export function notQuick(): void {
  if (mustBeQuick()) throw new NotQuick()
}

export const mustBeQuick = (): boolean => quickUntil !== Number.POSITIVE_INFINITY
