import { STATUS_CODES } from 'node:http'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { callPlatform, type LmsServices, scopes, TokenRequestError } from '../platform-client/access-token.ts'
import {
  isRateLimit,
  PlatformRequestError,
  type PlatformRequestOptions,
  type PlatformResponse,
} from '../platform-client/platform-request.ts'
import type { ScoreTarget } from './score-targets.ts'

export class AgsRetryableError extends Error {
  override name = 'AgsRetryableError'
  readonly platformWide: boolean
  /** In ms, as the LMS asks. */
  readonly retryAfterMs: number | null
  /** The LMS may have processed the call nevertheless. */
  readonly outcomeUnknown: boolean
  readonly reply: PlatformResponse | null
  constructor(
    message: string,
    details: Partial<Pick<AgsRetryableError, 'platformWide' | 'retryAfterMs' | 'outcomeUnknown' | 'reply' | 'cause'>>,
  ) {
    super(message, { cause: details.cause })
    this.platformWide = details.platformWide ?? false
    this.retryAfterMs = details.retryAfterMs ?? null
    this.outcomeUnknown = details.outcomeUnknown ?? false
    this.reply = details.reply ?? null
  }
}

/** The process is stopping; the LMS may have processed the call. */
class AgsAborted extends Error {
  override name = 'AgsAborted'
}

/** A line item's URL may have a query: `…/lineitem?type_id=1` to `…/lineitem/scores?type_id=1`. */
export function lineItemServiceUrl(lineItem: string, part: 'scores' | 'results'): URL {
  const url = new URL(lineItem)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${part}`
  return url
}

export function grantedScopes({ context, platform }: ScoreTarget): string[] {
  const granted = context.ags_scopes.length > 0 ? context.ags_scopes : (platform.scopes ?? [])
  const ours: string[] = [scopes.lineItems, scopes.lineItemsReadonly, scopes.results, scopes.scores]
  return ours.filter((scope) => granted.includes(scope))
}

export type AgsClient = LmsServices & { signal: AbortSignal }

/** Resolves for other statuses. @throws {AgsRetryableError | AgsAborted} */
export async function callAgs(target: ScoreTarget, url: string, call: PlatformRequestOptions, ags: AgsClient) {
  const { name } = target.platform
  let reply: PlatformResponse
  try {
    reply = await callPlatform(target.platform, grantedScopes(target), url, { ...call, signal: ags.signal }, ags)
  } catch (cause) {
    if (ags.signal.aborted) throw new AgsAborted('stopped', { cause })
    if (cause instanceof TokenRequestError) throw new AgsRetryableError(cause.message, { platformWide: true, cause })
    if (!(cause instanceof PlatformRequestError)) throw cause
    const permanent = cause.problem === 'not_https' || cause.problem === 'private_address'
    throw new AgsRetryableError(cause.message, { platformWide: permanent, outcomeUnknown: !permanent, cause })
  }
  const { status } = reply
  if (isRateLimit(reply))
    throw new AgsRetryableError(`${name} is limiting requests. Assay will try again later.`, {
      platformWide: true,
      retryAfterMs: retryAfter(reply, ags.clock.now()),
    })
  if (status === 408 || status >= 500) {
    throw new AgsRetryableError(`${name} had a server error (${errorMessageOf(reply) ?? status}).`, {
      reply,
      outcomeUnknown: true,
      retryAfterMs: retryAfter(reply, ags.clock.now()),
    })
  }
  return reply
}

/** In ms (RFC 9110, 10.2.3). */
function retryAfter({ headers }: PlatformResponse, now: Date): number | null {
  const header = headers['retry-after']
  if (!header) return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return Number.isFinite(ms) && ms > 0 ? ms : null
}

const ErrorMessage = z.object({ message: z.string() })
const ErrorBody = z.object({
  errors: z.union([ErrorMessage, z.array(ErrorMessage).nonempty()]).optional(),
  message: z.string().optional(),
  error_description: z.string().optional(),
  error: z.string().optional(),
})

/** Canvas sends it in JSON, Moodle as the reason phrase. */
export function errorMessageOf({ status, statusText, body }: PlatformResponse): string | null {
  const read = ErrorBody.safeParse(parseJson(body)).data
  const [first] = [read?.errors ?? []].flat()
  const message =
    first?.message ??
    read?.message ??
    read?.error_description ??
    read?.error ??
    (statusText === STATUS_CODES[status] ? '' : statusText)
  // Moodle appends the request body.
  const text =
    message
      .split('{')[0]
      ?.replace(/[\p{C}\s]+/gu, ' ')
      .trim() ?? ''
  return text === '' ? null : text.slice(0, 200)
}
