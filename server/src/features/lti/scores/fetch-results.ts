import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { createYielder } from '../../../lib/yielder.ts'
import { scopes } from '../platform-client/access-token.ts'
import {
  hasTooManyValues,
  MAX_ENTRIES,
  type PlatformResponse,
  resolveSameOrigin,
} from '../platform-client/platform-request.ts'
import { nextPageUrl } from '../roster/nrps/roster-page-reader.ts'
import { type AgsClient, callAgs, grantedScopes, lineItemServiceUrl } from './ags-request.ts'
import type { LineItemRef } from './line-item.ts'
import type { ScoreTarget } from './score-targets.ts'
import { type CurrentResult, MAX_COMMENT } from './score-values.ts'

const headers = { Accept: 'application/vnd.ims.lis.v2.resultcontainer+json' }
/** An LMS may send a whole class with comments at once. */
const LIST_TIMEOUT_MS = 30_000
const MAX_LIST_BYTES = 16 * 1024 * 1024
const PAGE_SIZE = 100
const MAX_PAGES = 2_000
/** For all pages, as scores of other LMSs wait meanwhile. */
const MAX_MINUTES = 10

/** `gone`: no such line item. `unreadable`: not allowed, or with a `problem`. */
export type ResultList =
  | { kind: 'read'; bySub: Map<string, CurrentResult>; showsAny: boolean }
  | { kind: 'gone' }
  | { kind: 'unreadable'; problem: string | null }

/** Null for none, undefined when unreadable. @throws {AgsRetryableError | AgsAborted} */
export async function fetchResult(target: ScoreTarget, lineItem: LineItemRef, sub: string, ags: AgsClient) {
  if (!grantedScopes(target).includes(scopes.results)) return undefined
  const url = lineItemServiceUrl(lineItem.url, 'results')
  url.searchParams.set('user_id', sub)
  const reply = await callAgs(target, url.href, { headers }, ags)
  if (reply.status >= 300) return undefined
  const results = new WantedResults([sub], lineItem)
  try {
    await results.addPage(reply.body)
  } catch (error) {
    if (error instanceof ResultsError) return undefined
    throw error
  }
  return results.bySub.get(sub) ?? null
}

/** All pages or none, of `subs` only. @throws {AgsRetryableError | AgsAborted} */
export async function fetchResults(
  target: ScoreTarget,
  lineItem: LineItemRef,
  subs: string[],
  ags: AgsClient,
): Promise<ResultList> {
  if (!grantedScopes(target).includes(scopes.results)) return { kind: 'unreadable', problem: null }
  const first = lineItemServiceUrl(lineItem.url, 'results')
  // Moodle sends all unless asked for a limit.
  if (target.platform.lms !== 'moodle') first.searchParams.set('limit', String(PAGE_SIZE))
  try {
    return await readPages(target, first.href, new WantedResults(subs, lineItem), ags)
  } catch (error) {
    if (error instanceof ResultsError) return { kind: 'unreadable', problem: error.message }
    throw error
  }
}

async function readPages(
  target: ScoreTarget,
  first: string,
  results: WantedResults,
  ags: AgsClient,
): Promise<ResultList> {
  const until = performance.now() + MAX_MINUTES * 60_000
  let url: string | null = first
  for (let page = 0; url !== null; page++) {
    if (page === MAX_PAGES)
      throw new ResultsError(`listed its results on more than ${MAX_PAGES.toLocaleString('en')} pages.`)
    if (performance.now() > until) throw new ResultsError(`took more than ${MAX_MINUTES} minutes to list its results.`)
    const call = { headers, timeoutMs: LIST_TIMEOUT_MS, maxBytes: MAX_LIST_BYTES }
    const reply: PlatformResponse = await callAgs(target, url, call, ags)
    if (page === 0 && (reply.status === 404 || reply.status === 410)) return { kind: 'gone' }
    if (reply.status >= 300) return { kind: 'unreadable', problem: null }
    const rows = await results.addPage(reply.body)
    const next: string | null = nextPageUrl(reply.headers.link, url)
    // Without a page elsewhere the list would be incomplete.
    const address: string | null = next === null ? null : resolveSameOrigin(url, next)
    if (next !== null && address === null) throw new ResultsError('named a page of results at another address.')
    if (next !== null && rows === 0) throw new ResultsError('listed a page without results, and another after it.')
    url = address
  }
  return { kind: 'read', bySub: results.bySub, showsAny: results.showsAny }
}

/** Of all pages, as long as a roster may be. */
const MAX_ROWS = 100_000
const MAX_MEGABYTES = 64
/** For LMSs that show a line break as two characters. */
const MAX_KEPT_COMMENT = 2 * MAX_COMMENT

/** The message continues after the LMS's name. */
export class ResultsError extends Error {
  override name = 'ResultsError'
}

const UserId = z.union([z.string(), z.number()]).transform(String)
const Row = z.object({ userId: UserId })
const number = z.coerce.number().nullish().catch(null)
const Result = z.object({
  userId: UserId,
  resultScore: number,
  resultMaximum: number,
  comment: z.string().nullish().catch(null),
  timestamp: z.iso.datetime({ offset: true }).nullish().catch(null),
})
const Rows = z.custom<unknown[]>(Array.isArray)

export class WantedResults {
  readonly bySub = new Map<string, CurrentResult>()
  showsAny = false
  readonly #wanted: ReadonlySet<string>
  readonly #maximum: number | null
  #rows = 0
  #bytes = 0

  /** Moodle's results name the maximum they had at first, so the line item's counts if known. */
  constructor(subs: string[], { maximum }: Pick<LineItemRef, 'maximum'>) {
    this.#wanted = new Set(subs)
    this.#maximum = maximum
  }

  /** Yields between rows. @throws {ResultsError} */
  async addPage(json: string): Promise<number> {
    this.#bytes += Buffer.byteLength(json)
    if (this.#bytes > MAX_MEGABYTES * 1024 * 1024)
      throw new ResultsError(`listed more than ${MAX_MEGABYTES} MB of results.`)
    const tooLong = new ResultsError(`listed more than ${MAX_ENTRIES.toLocaleString('en')} results on one page.`)
    if (hasTooManyValues(json)) throw tooLong
    const { data: rows } = Rows.safeParse(parseJson(json))
    if (!rows) throw new ResultsError('did not return a list of results.')
    if (rows.length > MAX_ENTRIES) throw tooLong
    this.#rows += rows.length
    if (this.#rows > MAX_ROWS) throw new ResultsError(`listed more than ${MAX_ROWS.toLocaleString('en')} results.`)
    const yieldTurn = createYielder()
    for (const row of rows) {
      await yieldTurn()
      this.#add(row)
    }
    return rows.length
  }

  #add(row: unknown): void {
    const sub = Row.safeParse(row).data?.userId
    const wanted = sub !== undefined && this.#wanted.has(sub)
    // Of others only whether there is any score.
    if (sub === undefined || (!wanted && this.showsAny)) return
    const result = Result.safeParse(row).data
    if (!result) return
    const { resultScore, resultMaximum, comment, timestamp } = result
    const points = resultScore ?? null
    if (points !== null) this.showsAny = true
    if (!wanted) return
    const maximum = this.#maximum ?? (resultMaximum || 1)
    this.bySub.set(sub, {
      points,
      maximum: points === null ? null : maximum,
      share: points === null ? null : points / maximum,
      comment: comment?.slice(0, MAX_KEPT_COMMENT) ?? null,
      at: timestamp ? new Date(timestamp) : null,
    })
  }
}
