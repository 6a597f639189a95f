/** Documents, or half kilobytes of them, between two looks at the clock. */
const WORK_BETWEEN_LOOKS = 32

/** What the command that a thread is running may take. Times are `performance.now()`'s. */
export interface CommandLimits {
  /** When the command stops being a quick one and has to go to a thread of its own; never, if it is in one. */
  quickUntil: number
  /** When its maxTimeMS is over. */
  endsAt: number
  /** When it should answer with what it has so far. */
  batchUntil?: number
  /** Asked at each look at the clock; throws to end the command. */
  poll?: () => void
  /** Called before a regular expression is tried, and after. */
  inRegex?: () => void
}

export const UNLIMITED: CommandLimits = { quickUntil: Number.POSITIVE_INFINITY, endsAt: Number.POSITIVE_INFINITY }

/** The command takes too long for the thread that serves everybody. It has to be undone, and run again in another thread. */
export class NotQuick extends Error {}

type Reason = 'MaxTimeMSExpired' | 'Interrupted'

const REASONS: Record<Reason, string> = {
  MaxTimeMSExpired: 'operation exceeded time limit',
  Interrupted: 'operation was interrupted',
}

/** Ends the whole command, not only one statement of it. */
export class Interruption extends Error {
  readonly reason: Reason

  constructor(reason: Reason) {
    super(REASONS[reason])
    this.reason = reason
  }
}

// A thread runs one command at a time, from start to end.
let running = UNLIMITED
let work = 0
let stop: Error | undefined

/** Runs a command, or a part of one, within limits. */
export function withLimits<T>(limits: CommandLimits, run: () => T): T {
  running = limits
  work = 0
  stop = undefined
  try {
    const result = run()
    // In case an expression's `onError` took it for an error of its own.
    if (stop) throw stop
    return result
  } finally {
    running = UNLIMITED
  }
}

/** Called for each document by everything that may go through many. Throws when the command has to end. */
export function checkpoint(bytes = 0): void {
  work += 1 + (bytes >>> 9)
  if (work < WORK_BETWEEN_LOOKS) return
  work = 0
  const now = performance.now()
  if (now >= running.endsAt) throw stopped(new Interruption('MaxTimeMSExpired'))
  running.poll?.()
  if (now >= running.quickUntil) throw stopped(new NotQuick())
}

function stopped(error: Error): Error {
  stop = error
  return error
}

/** For work known to be long before it starts. */
export function notQuick(): void {
  if (mustBeQuick()) throw stopped(new NotQuick())
}

export function mustBeQuick(): boolean {
  return running.quickUntil !== Number.POSITIVE_INFINITY
}

/** Whether the command should answer with what it has so far. */
export function batchTimeIsOver(): boolean {
  return running.batchUntil !== undefined && performance.now() >= running.batchUntil
}

/** What is left of the command's maxTimeMS. */
export function remainingMs(): number {
  return running.endsAt - performance.now()
}

/** A `getMore` takes of the time that its cursor has left. */
export function limitRemainingMs(ms: number): void {
  running = { ...running, endsAt: performance.now() + ms }
}

/**
 * Tries a regular expression on a text. JavaScript tries all ways to match one after the other, of which there may be more than anybody
 * can wait for: only patterns that have a single way to match are tried in the thread that serves everybody.
 */
export function tryRegex<T>(pattern: string, attempt: () => T): T {
  if (!hasOneWay(pattern)) notQuick()
  running.inRegex?.()
  try {
    return attempt()
  } finally {
    running.inRegex?.()
  }
}

/** Neither repetition nor alternatives, groups or references. */
const ONE_WAY = /^(?:[^\\()|*+?{}[\]]|\\[^\dk]|\[[^\\[\]]*\])*$/

let lastPattern: string | undefined
let lastHasOneWay = false

export function hasOneWay(pattern: string): boolean {
  if (pattern !== lastPattern) {
    lastPattern = pattern
    lastHasOneWay = ONE_WAY.test(pattern)
  }
  return lastHasOneWay
}
