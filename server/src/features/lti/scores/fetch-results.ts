import { z } from 'zod'
import { parseJson } from '../platform-client/access-token.ts'
import type { PlatformResponse } from '../platform-client/platform-request.ts'
import { resolveSameOrigin } from '../platform-client/resolve-same-origin.ts'
import { nextPageUrl } from '../roster/nrps/next-page-url.ts'
import { scopes } from '../scopes.ts'
import { type AgsClient, callAgs, grantedScopes, lineItemServiceUrl } from './ags-request.ts'
import type { ScoreTarget } from './score-targets.ts'
import type { CurrentResult } from './score-values.ts'

const RESULTS_TYPE = 'application/vnd.ims.lis.v2.resultcontainer+json'
/** An LMS may send a whole class at once, comments included. */
const LIST_TIMEOUT_MS = 30_000
const MAX_LIST_BYTES = 16 * 1024 * 1024
const PAGE_SIZE = 100
/** As many as a roster may have. */
const MAX_PAGES = 2_000

const number = z.coerce.number().nullish().catch(null)
const Result = z.object({
  userId: z.union([z.string(), z.number()]).transform(String),
  resultScore: number,
  resultMaximum: number,
  comment: z.string().nullish().catch(null),
  timestamp: z.iso.datetime({ offset: true }).nullish().catch(null),
})

/** `gone`: there is no such line item. `unreadable`: the LMS does not let us read its results. */
export type ResultList = { kind: 'read'; bySub: Map<string, CurrentResult> } | { kind: 'gone' } | { kind: 'unreadable' }

/**
 * A student's current result in the LMS; null for none, undefined when we cannot read it.
 * @throws {AgsRetryableError | AgsAborted}
 */
export async function fetchResult(
  target: ScoreTarget,
  lineItem: string,
  sub: string,
  ags: AgsClient,
): Promise<CurrentResult | null | undefined> {
  const read = await fetchResults(target, lineItem, sub, ags)
  return read.kind === 'read' ? (read.bySub.get(sub) ?? null) : undefined
}

/**
 * The results of a line item by the students' ids in the LMS, all pages or none.
 * @param sub one student's only; null for all
 * @throws {AgsRetryableError | AgsAborted}
 */
export async function fetchResults(
  target: ScoreTarget,
  lineItem: string,
  sub: string | null,
  ags: AgsClient,
): Promise<ResultList> {
  if (!grantedScopes(target).includes(scopes.results)) return { kind: 'unreadable' }
  const first = lineItemServiceUrl(lineItem, 'results')
  if (sub !== null) first.searchParams.set('user_id', sub)
  // Moodle sends all unless asked for a limit.
  else if (target.platform.lms !== 'moodle') first.searchParams.set('limit', String(PAGE_SIZE))
  const call = { headers: { Accept: RESULTS_TYPE }, timeoutMs: LIST_TIMEOUT_MS, maxBytes: MAX_LIST_BYTES }
  const bySub = new Map<string, CurrentResult>()
  let url: string | null = first.href
  for (let page = 0; url !== null; page++) {
    const reply: PlatformResponse = await callAgs(target, url, sub === null ? call : { headers: call.headers }, ags)
    if (page === 0 && (reply.status === 404 || reply.status === 410)) return { kind: 'gone' }
    const rows = reply.status < 300 ? z.array(z.unknown()).safeParse(parseJson(reply.body)).data : undefined
    if (!rows || page === MAX_PAGES) return { kind: 'unreadable' }
    for (const row of rows) addResult(bySub, row)
    if (sub !== null) break
    const next: string | null = nextPageUrl(reply.headers.link, url)
    // A page elsewhere is not read, so the list would be incomplete.
    const address: string | null = next === null ? null : resolveSameOrigin(url, next)
    if (next !== null && (address === null || rows.length === 0)) return { kind: 'unreadable' }
    url = address
  }
  return { kind: 'read', bySub }
}

function addResult(bySub: Map<string, CurrentResult>, row: unknown): void {
  const result = Result.safeParse(row).data
  if (!result) return
  const { userId, resultScore, resultMaximum, comment, timestamp } = result
  const points = resultScore ?? null
  bySub.set(userId, {
    points,
    maximum: points === null ? null : (resultMaximum ?? 1),
    share: points === null ? null : points / (resultMaximum || 1),
    comment: comment ?? null,
    at: timestamp ? new Date(timestamp) : null,
  })
}
