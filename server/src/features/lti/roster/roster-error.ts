import { TokenRequestError } from '../platform-client/access-token.ts'
import { PlatformRequestError } from '../platform-client/platform-request.ts'

/** A roster that could not be read. The message is for the teacher. */
export class RosterError extends Error {
  override name = 'RosterProblem'
  /** Whether it may go better in a moment: the LMS is busy or away. */
  readonly transient: boolean
  /** What the LMS answered when asked for the page; 0 where it is not about that. */
  readonly status: number
  constructor(message: string, { transient = false, status = 0 }: { transient?: boolean; status?: number } = {}) {
    super(message)
    this.transient = transient
    this.status = status
  }
}

/** Ways a call may end that waiting mends. A redirect or a wrong address stays one. */
const transientProblems = new Set(['timed_out', 'unreachable', 'stopped'])

/** What went wrong on page `page`, as a problem; a mistake of ours stays what it is. */
export function toRosterError(error: unknown, page: number): unknown {
  const where = (words: string) => `Page ${page} of the roster could not be read: ${words}`
  if (error instanceof PlatformRequestError)
    return new RosterError(where(error.message), { transient: transientProblems.has(error.problem) })
  if (error instanceof TokenRequestError) {
    const { status } = error
    // It tells nothing of the page: no status of the roster's own.
    return new RosterError(where(error.message), { transient: status === 429 || status >= 500 })
  }
  return error instanceof RosterError ? new RosterError(where(error.message), error) : error
}
