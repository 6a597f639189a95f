import { TokenRequestError } from '../../platform-client/access-token.ts'
import { PlatformRequestError } from '../../platform-client/platform-request.ts'

/** The message is for the teacher. */
export class RosterError extends Error {
  override name = 'RosterError'
  /** Worth retrying soon: the LMS is busy or unreachable. */
  readonly transient: boolean
  readonly status: number
  constructor(message: string, { transient = false, status = 0 }: { transient?: boolean; status?: number } = {}) {
    super(message)
    this.transient = transient
    this.status = status
  }
}

const transientProblems = new Set(['timed_out', 'unreachable', 'stopped'])

/** Other errors are bugs of ours and stay as they are. */
export function toRosterError(error: unknown, page: number): unknown {
  const where = (message: string) => `Page ${page} of the roster could not be read: ${message}`
  if (error instanceof PlatformRequestError)
    return new RosterError(where(error.message), { transient: transientProblems.has(error.problem) })
  if (error instanceof TokenRequestError) {
    const { status } = error
    // Not the roster's status.
    return new RosterError(where(error.message), { transient: status === 429 || status >= 500 })
  }
  return error instanceof RosterError ? new RosterError(where(error.message), error) : error
}
