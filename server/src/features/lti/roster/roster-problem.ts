import { TokenRefused } from '../outgoing/access-token.ts'
import { OutgoingError } from '../outgoing/request.ts'

/** A roster that could not be read. The message is for the teacher. */
export class RosterProblem extends Error {
  override name = 'RosterProblem'
  /** Whether it may go better in a moment: the LMS is busy or away. */
  readonly passing: boolean
  /** What the LMS answered when asked for the page; 0 where it is not about that. */
  readonly status: number
  constructor(message: string, { passing = false, status = 0 }: { passing?: boolean; status?: number } = {}) {
    super(message)
    this.passing = passing
    this.status = status
  }
}

/** Ways a call may end that waiting mends. A redirect or a wrong address stays one. */
const passing = new Set(['timed_out', 'unreachable', 'stopped'])

/** What went wrong on page `page`, as a problem; a mistake of ours stays what it is. */
export function asRosterProblem(error: unknown, page: number): unknown {
  const where = (words: string) => `Page ${page} of the roster could not be read: ${words}`
  if (error instanceof OutgoingError)
    return new RosterProblem(where(error.message), { passing: passing.has(error.problem) })
  if (error instanceof TokenRefused) {
    const { status } = error
    // It tells nothing of the page: no status of the roster's own.
    return new RosterProblem(where(error.message), { passing: status === 429 || status >= 500 })
  }
  return error instanceof RosterProblem ? new RosterProblem(where(error.message), error) : error
}
