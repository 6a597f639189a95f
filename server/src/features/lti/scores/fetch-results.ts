import type { PlatformResponse } from '../platform-client/platform-request.ts'
import { resolveSameOrigin } from '../platform-client/resolve-same-origin.ts'
import { nextPageUrl } from '../roster/nrps/next-page-url.ts'
import { scopes } from '../scopes.ts'
import { type AgsClient, callAgs, grantedScopes, lineItemServiceUrl } from './ags-request.ts'
import type { ScoreTarget } from './score-targets.ts'
import type { CurrentResult } from './score-values.ts'
import { ResultsError, WantedResults } from './wanted-results.ts'

const headers = { Accept: 'application/vnd.ims.lis.v2.resultcontainer+json' }
/** An LMS may send a whole class at once, comments included. */
const LIST_TIMEOUT_MS = 30_000
const MAX_LIST_BYTES = 16 * 1024 * 1024
const PAGE_SIZE = 100
/** As many as a roster may have. */
const MAX_PAGES = 2_000
/** For all pages: the scores of other LMSs wait meanwhile. */
const MAX_MINUTES = 10

/** `gone`: there is no such line item. `unreadable`: the LMS does not let us read its results, or has a `problem` with them. */
export type ResultList =
  | { kind: 'read'; bySub: Map<string, CurrentResult>; showsAny: boolean }
  | { kind: 'gone' }
  | { kind: 'unreadable'; problem: string | null }

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
  if (!grantedScopes(target).includes(scopes.results)) return undefined
  const url = lineItemServiceUrl(lineItem, 'results')
  url.searchParams.set('user_id', sub)
  const reply = await callAgs(target, url.href, { headers }, ags)
  if (reply.status >= 300) return undefined
  const results = new WantedResults([sub])
  try {
    await results.addPage(reply.body)
  } catch (error) {
    if (error instanceof ResultsError) return undefined
    throw error
  }
  return results.bySub.get(sub) ?? null
}

/**
 * The results of a line item by the students' ids in the LMS, all pages or none.
 * @param subs the students whose results are kept
 * @throws {AgsRetryableError | AgsAborted}
 */
export async function fetchResults(
  target: ScoreTarget,
  lineItem: string,
  subs: string[],
  ags: AgsClient,
): Promise<ResultList> {
  if (!grantedScopes(target).includes(scopes.results)) return { kind: 'unreadable', problem: null }
  const first = lineItemServiceUrl(lineItem, 'results')
  // Moodle sends all unless asked for a limit.
  if (target.platform.lms !== 'moodle') first.searchParams.set('limit', String(PAGE_SIZE))
  try {
    return await readPages(target, first.href, new WantedResults(subs), ags)
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
    // A page elsewhere is not read, so the list would be incomplete.
    const address: string | null = next === null ? null : resolveSameOrigin(url, next)
    if (next !== null && address === null) throw new ResultsError('named a page of results at another address.')
    if (next !== null && rows === 0) throw new ResultsError('listed a page without results, and another after it.')
    url = address
  }
  return { kind: 'read', bySub: results.bySub, showsAny: results.showsAny }
}
