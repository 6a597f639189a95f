import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { BLOCKED_HERE_HEADER } from '../../../lib/security/ssrf-safe-fetch.ts'
import type { ProviderAddress } from '../provider/providers.ts'
import type { LlmErrorCode } from './llm-error.ts'

export interface ProviderFailure {
  code: LlmErrorCode
  retryable: boolean
  retryAfterMs: number | null
  unsupported: 'pictures' | 'schema' | null
  status: number | null
  /** For `wrong_address`. */
  found: 'web_page' | 'something_else' | null
  /** Our own server blocked the call; `providerMessage` says why. */
  rejectedLocally: boolean
  /** At most 200 characters, or the network's error code; may contain a key until redacted. */
  providerMessage: string | null
}

/** By shape, as importing the SDK's class would load the SDK. */
const CallError = z.object({
  statusCode: z.number().optional(),
  responseHeaders: z.record(z.string(), z.string()).optional(),
  responseBody: z.string().optional(),
})

const ErrorBody = z.union([
  z.object({ error: z.object({ message: z.string() }) }).transform((body) => body.error.message),
  z.object({ error: z.string() }).transform((body) => body.error),
  z.object({ message: z.string() }).transform((body) => body.message),
  z.object({ detail: z.string() }).transform((body) => body.detail),
])

const outOfCredit =
  /insufficient_quota|insufficient_funds|billing_hard_limit|billing_not_active|credit balance|insufficient (balance|credit)/
const invalidKey = /api[ _]key[ _](not[ _]valid|invalid)|(invalid|incorrect)[ _]api[ _]key/
const tooLong =
  /context_length_exceeded|exceed_context_size|maximum context length|(exceeds?|than) (the )?(available |model'?s? )?context|prompt is too long|input token count|request_too_large|request too large|string_above_max_length/
const modelNotFound = /model_not_found|model\b.{0,120}\b(not found|does not exist|not exist)|(unknown|no such) model/
/** Any other 404 is a wrong address. */
const mentionsModel = /\bmodels?\b|deployment/
const mentionsPictures = /image|picture|vision|multimodal|mmproj/
const saysUnsupported =
  /not support|unsupported|support(s)? only|only support|does not|doesn't|cannot|mmproj|invalid|expected/
const mentionsSchema =
  /response_?format|json[ _]?schema|structured[ _]outputs?|text\.format|output_(config|format)|response_?mime_?type|grammar/

/** `now`: ms since 1970. `pictures`: the request had some. Null for a bug of our own. */
export function classifyProviderError(error: unknown, now: number, pictures: boolean): ProviderFailure | null {
  const read = CallError.safeParse(error)
  const { statusCode: status, responseHeaders = {}, responseBody = '' } = read.success ? read.data : {}
  const said = errorMessageIn(responseBody)
  const failure = (
    code: LlmErrorCode,
    again = false,
    lacks: ProviderFailure['unsupported'] = null,
  ): ProviderFailure => ({
    code,
    retryable: again,
    unsupported: lacks,
    status: status ?? null,
    found: null,
    rejectedLocally: false,
    providerMessage: said,
    retryAfterMs: again ? parseRetryAfter(responseHeaders, responseBody, now) : null,
  })
  const isPage = /html/.test(responseHeaders['content-type'] ?? '')
  const elsewhere = (again = false): ProviderFailure => ({
    ...failure('wrong_address', again),
    found: isPage ? 'web_page' : 'something_else',
  })
  const network = networkCode(error)
  if (network || isNetworkError(error)) return { ...failure('unreachable', true), providerMessage: network }
  if (status === undefined)
    return error instanceof Error && error.name.startsWith('AI_') ? failure('bad_request') : null
  if (BLOCKED_HERE_HEADER in responseHeaders) return { ...failure('bad_request'), rejectedLocally: true }
  // A web page at a wrong address, or a proxy's error.
  if (status < 400) return elsewhere(!isPage)

  const body = responseBody.slice(0, 8_000).toLowerCase()
  if (status === 402 || outOfCredit.test(body)) return failure('out_of_credit')
  if (status === 413 || tooLong.test(body)) return failure('too_long')
  if (status === 401 || invalidKey.test(body)) return failure('key_refused')
  // A page comes from a proxy or another site: its text is not about the request.
  if (isPage && status < 500 && status !== 408 && status !== 429) return elsewhere()
  if (modelNotFound.test(body)) return failure('unknown_model')
  if (status === 404 && !isPage && mentionsModel.test(said?.toLowerCase() ?? '')) return failure('unknown_model')
  if (status === 404 || status === 405) return elsewhere()
  if (status === 403) return failure('key_refused')
  if (status !== 429 && status !== 408) {
    if (pictures && mentionsPictures.test(body) && saysUnsupported.test(body))
      return failure('cannot', false, 'pictures')
    if (mentionsSchema.test(body)) return failure('cannot', false, 'schema')
  }
  if (status === 429) return failure('rate_limited', true)
  // 409: an identical request is still being processed.
  if (status >= 500 || status === 408 || status === 409 || status === 425) return failure('overloaded', true)
  return failure('bad_request')
}

function errorMessageIn(body: string): string | null {
  const said = ErrorBody.safeParse(parseJson(body))
  return said.success ? said.data.replace(/\s+/g, ' ').trim().slice(0, 200) : null
}

function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'AI_APICallError') return !('statusCode' in error) || error.statusCode === undefined
  return error instanceof TypeError && error.message === 'fetch failed'
}

/** `ECONNREFUSED`, say, however deep the SDK wraps it. */
function networkCode(error: unknown): string | null {
  let code: string | null = null
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]{3,59}$/.test(at.code)) code = at.code
    else if (at.message === 'terminated') code ??= 'terminated'
  }
  return code
}

/** In ms from `now`; null for none. */
function parseRetryAfter(headers: Record<string, string>, body: string, now: number): number | null {
  const ms = number(headers['retry-after-ms'])
  if (ms !== null) return ms
  const after = headers['retry-after']?.trim()
  if (after) {
    const seconds = number(after)
    if (seconds !== null) return seconds * 1_000
    const date = Date.parse(after)
    if (Number.isFinite(date)) return Math.max(0, date - now)
  }
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return delay ? Number(delay) * 1_000 : null
}

function number(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null
}

export interface ErrorContext extends Pick<ProviderAddress, 'base_url'> {
  providerName: string
  model: string
  hasKey: boolean
}

export interface LlmErrorMessages {
  /** `quote`: the provider's own words, without keys. */
  failure(failure: ProviderFailure, context: ErrorContext, quote: string | null): string
  timeout(context: ErrorContext, timeoutMs: number): string
  refused(model: string): string
  cut_off(model: string): string
  /** `raw`: the second invalid response. */
  invalidResponse(model: string, complaint: string, raw: string): string
}
