import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import type { Services } from '../../../services.ts'
import { parseJson, TokenRequestError } from '../platform-client/access-token.ts'
import { callPlatform } from '../platform-client/call-platform.ts'
import {
  PlatformRequestError,
  type PlatformRequestOptions,
  type PlatformResponse,
} from '../platform-client/platform-request.ts'
import { scopes } from '../scopes.ts'
import type { ScoreTarget } from './score-targets.ts'

/** The LMS could not just now; the message says why, for people. */
export class AgsRetryableError extends Error {
  override name = 'TryLater'
  /** It is no better for anybody else: all of the platform rests. */
  readonly platformWide: boolean
  /** When it asked to be left alone until, in ms from now. */
  readonly retryAfterMs: number | null
  /** It may have done what it was asked, all the same. */
  readonly outcomeUnknown: boolean
  constructor(
    message: string,
    details: { platformWide?: boolean; retryAfterMs?: number | null; outcomeUnknown?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause })
    this.platformWide = details.platformWide ?? false
    this.retryAfterMs = details.retryAfterMs ?? null
    this.outcomeUnknown = details.outcomeUnknown ?? false
  }
}

/** The process is to stop; what was asked may have been done. */
export class AgsAborted extends Error {
  override name = 'Stopped'
}

/** `…/lineitem?type_id=1` to `…/lineitem/scores?type_id=1`: a line item's address may carry a query. */
export function lineItemServiceUrl(lineItem: string, part: 'scores' | 'results'): URL {
  const url = new URL(lineItem)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${part}`
  return url
}

/** Of what the course's launches said we may do, what a call of ours here needs. */
export function grantedScopes({ context, platform }: ScoreTarget): string[] {
  const given = context.ags_scopes.length > 0 ? context.ags_scopes : (platform.scopes ?? [])
  const ours: string[] = [scopes.lineItems, scopes.lineItemsReadonly, scopes.results, scopes.scores]
  return ours.filter((scope) => given.includes(scope))
}

export type AgsClient = Pick<Services, 'config' | 'clock'> & { signal: AbortSignal }

/**
 * A call with one token for all that was granted here. What is neither the LMS's word on this very thing nor a success is thrown.
 * @throws {AgsRetryableError | AgsAborted}
 */
export async function callAgs(
  target: ScoreTarget,
  url: string,
  call: PlatformRequestOptions,
  ags: AgsClient,
): Promise<PlatformResponse> {
  const { name } = target.platform
  let reply: PlatformResponse
  try {
    reply = await callPlatform(target.platform, grantedScopes(target), url, { ...call, signal: ags.signal }, ags)
  } catch (cause) {
    if (ags.signal.aborted) throw new AgsAborted('stopped', { cause })
    if (cause instanceof TokenRequestError) throw new AgsRetryableError(cause.message, { platformWide: true, cause })
    if (!(cause instanceof PlatformRequestError)) throw cause
    const fixed = cause.problem === 'not_https' || cause.problem === 'private_address'
    throw new AgsRetryableError(cause.message, { platformWide: fixed, outcomeUnknown: !fixed, cause })
  }
  const { status } = reply
  if (status === 429 || (status === 403 && isRateLimit(reply)))
    throw new AgsRetryableError(`${name} takes no more just now: we sent too much at once.`, {
      platformWide: true,
      retryAfterMs: retryAfter(reply, ags.clock.now()),
    })
  if (status === 408 || status >= 500) {
    throw new AgsRetryableError(`${name} had a problem of its own (${errorMessageOf(reply) ?? status}).`, {
      outcomeUnknown: true,
      retryAfterMs: retryAfter(reply, ags.clock.now()),
    })
  }
  return reply
}

/** Canvas answers 403 to who asks too much. */
const isRateLimit = ({ body, headers }: PlatformResponse) =>
  /rate limit exceeded/i.test(body.slice(0, 1000)) || Number(headers['x-rate-limit-remaining'] ?? 1) <= 0

/** Seconds or a date (RFC 9110, 10.2.3), in ms from now; null where there is none. */
function retryAfter({ headers }: PlatformResponse, now: Date): number | null {
  const said = headers['retry-after']
  if (!said) return null
  const ms = /^\d+$/.test(said.trim()) ? Number(said) * 1000 : Date.parse(said) - now.getTime()
  return Number.isFinite(ms) && ms > 0 ? ms : null
}

const ErrorMessage = z.object({ message: z.string() })
const ErrorBody = z.object({
  errors: z.union([ErrorMessage, z.array(ErrorMessage).nonempty()]).optional(),
  message: z.string().optional(),
  error_description: z.string().optional(),
  error: z.string().optional(),
})

/** Why, in the LMS's own words: Canvas has them in JSON, Moodle beside the status. Null where it gave no reason. */
export function errorMessageOf({ status, statusText, body }: PlatformResponse): string | null {
  const read = ErrorBody.safeParse(parseJson(body)).data
  const [first] = [read?.errors ?? []].flat()
  const words =
    first?.message ??
    read?.message ??
    read?.error_description ??
    read?.error ??
    (statusText === STATUS_CODES[status] ? '' : statusText)
  // Moodle repeats there what it was sent.
  const own =
    words
      .split('{')[0]
      ?.replace(/[\p{C}\s]+/gu, ' ')
      .trim() ?? ''
  return own === '' ? null : own.slice(0, 200)
}
