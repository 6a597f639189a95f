import { markLedgersDue } from '../../../records/lti/mark-scores-changed.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { LtiResourceLinkDoc } from '../../../records/lti/resource-link.model.ts'
import type { LtiScoreDoc } from '../../../records/lti/score.model.ts'
import type { Services } from '../../../services.ts'
import { isPublished } from '../../assignments/assignment-queries.ts'
import { type AgsClient, AgsRetryableError } from './ags-request.ts'
import { fetchResult, fetchResults, type ResultList } from './fetch-results.ts'
import { refuseGoneScores } from './gone-links.ts'
import { type LineItemRef, readKnownLineItem } from './line-item.ts'
import { afterPause, isPaused, pausePlatform, platformPause, resumePlatform } from './platform-pause.ts'
import {
  type AcceptedScore,
  acceptedRows,
  deferCheck,
  endChecks,
  type FoundResult,
  nextCheck,
  storeResults,
} from './result-rows.ts'
import { requeueSentScores } from './score-rows.ts'
import { type ScoreTarget, scoreTargetOfLink } from './score-targets.ts'
import { compareResult, isOfOldMaximum, scorePoints } from './score-values.ts'

/** In ms: then other platforms may get their turn. */
const SLICE_MS = 30_000
/** Of a line item's students; for more of them the whole list is read. */
const MAX_SINGLE_CALLS = 3

interface ReadContext {
  services: Pick<Services, 'config' | 'clock' | 'log'>
  signal: AbortSignal
  notify: (assignmentId: number) => void
}

/** A line item at a time, read again if not to its end. Idempotent. @returns when the next one is due; null for none */
export async function readResults(platformId: number, reading: ReadContext): Promise<Date | null> {
  const { clock } = reading.services
  const platform = await LtiPlatformModel.findById(platformId, { status: 1 }).lean()
  if (platform?.status !== 'active') return null
  const until = performance.now() + SLICE_MS
  while (performance.now() < until) {
    reading.signal.throwIfAborted()
    const pause = await platformPause(platformId)
    if (isPaused(pause, clock.now())) break
    const next = await nextCheck(platformId)
    if (!next || next.at > clock.now()) break
    await readLinkResults(platformId, next.link, reading)
  }
  return afterPause(platformId, (await nextCheck(platformId))?.at ?? null)
}

async function readLinkResults(platformId: number, link: number, { services, signal, notify }: ReadContext) {
  const ags: AgsClient = { ...services, signal }
  const target = await scoreTargetOfLink(link)
  const url = target?.link.lineitem_url
  const assignmentId = target?.link.assignment_id
  // Nothing is known of it; the next sync, launch or score asks again.
  if (!target || target.blockedReason !== null || target.link.gone || !url || assignmentId == null) {
    if (target?.link.gone && assignmentId != null) await refuseAcceptedBefore(target.link, target.link.gone, services)
    return endChecks(link)
  }
  const rows = await acceptedRows(link, assignmentId)
  const due = rows.filter(({ check_at }) => check_at && check_at <= services.clock.now())
  if (due.length === 0) return endChecks(link)
  try {
    const single = due.length <= MAX_SINGLE_CALLS && due.length < rows.length
    const known = await readKnownLineItem(target, url, ags)
    const lineItem = known === 'gone' ? { url, maximum: null } : known
    const results = single
      ? await fetchEach(target, lineItem, due, ags)
      : await fetchResults(target, lineItem, subsOf(rows), ags)
    await resumePlatform(platformId, services.clock.now())
    if (results.kind === 'unreadable' && results.problem !== null)
      services.log.warn({ platform: platformId, link }, `results cannot be read: the LMS ${results.problem}`)
    if (results.kind === 'gone' && known === 'gone') await replaceLineItem(link, assignmentId, services.clock.now())
    else await storeLinkResults(target, single ? due : rows, { ...lineItem, results }, services.clock.now())
  } catch (error) {
    if (!(error instanceof AgsRetryableError)) throw error
    if (error.platformWide) await pausePlatform(platformId, error, services.clock.now())
    await deferCheck(target.link, error, services.clock.now())
  }
  notify(assignmentId)
}

/** For scores accepted while another request learned that the line item is gone. */
async function refuseAcceptedBefore(
  { _id: link, assignment_id }: LtiResourceLinkDoc,
  { message }: { message: string },
  { clock }: Pick<Services, 'clock'>,
): Promise<void> {
  await refuseGoneScores(link, message, clock.now())
  // Where the link exists again by now, they are sent once more.
  if (assignment_id !== null) await markLedgersDue([assignment_id])
}

const subsOf = (rows: AcceptedScore[]) => rows.map(({ sub }) => sub)

async function fetchEach(target: ScoreTarget, lineItem: LineItemRef, rows: AcceptedScore[], ags: AgsClient) {
  const bySub: (ResultList & { kind: 'read' })['bySub'] = new Map()
  for (const { sub } of rows) {
    const result = await fetchResult(target, lineItem, sub, ags)
    // The list says whether the line item is gone.
    if (result === undefined) return fetchResults(target, lineItem, subsOf(rows), ags)
    if (result) bySub.set(sub, result)
  }
  const showsAny = [...bySub.values()].some(({ share }) => share !== null)
  return { kind: 'read' as const, bySub, showsAny }
}

/** Its scores go to another line item, if the LMS has one or allows it. */
async function replaceLineItem(link: number, assignmentId: number, now: Date): Promise<void> {
  await endChecks(link)
  await requeueSentScores(link, now)
  await markLedgersDue([assignmentId])
}

async function storeLinkResults(
  { link, platform }: ScoreTarget,
  rows: AcceptedScore[],
  { maximum, results }: Pick<LineItemRef, 'maximum'> & { results: ResultList },
  now: Date,
): Promise<void> {
  const shown = results.kind === 'read' ? results.bySub : null
  const showsAny = results.kind === 'read' && results.showsAny
  if (showsAny && !platform.results_seen_at)
    await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { results_seen_at: now } })
  const known = showsAny || platform.results_seen_at != null
  const students = await studentsToSendTo(link)
  const found = rows.map((row): FoundResult => {
    const { accepted } = row
    const result = shown?.get(row.sub) ?? null
    const points = result?.points ?? null
    const outdated = maximum !== null && isOfOldMaximum(accepted, row.result?.state ?? null, result, maximum)
    const state = outdated ? 'same' : shown ? compareResult(accepted, result, known) : 'unknown'
    return {
      row,
      result: { state, points, maximum: result?.maximum ?? null, at: now },
      accepted: state === 'same' && !outdated ? rescaledTo(maximum, accepted) : accepted,
      sendAgain: students.has(row.sub) && (outdated || mustSendAgain(row, state, points)),
    }
  })
  if (await storeResults(link._id, found, shown !== null, now)) await markLedgersDue([link.assignment_id ?? 0])
}

/** As the LMS has it, which shows the same share of its maximum now. */
const rescaledTo = (maximum: number | null, accepted: AcceptedScore['accepted']) =>
  maximum !== null && accepted.score ? { ...accepted, points: scorePoints(accepted.score, maximum), maximum } : accepted

/** By their ids in the LMS; none while the assignment is hidden. */
async function studentsToSendTo({ context, assignment_id }: LtiResourceLinkDoc): Promise<Set<string>> {
  if (assignment_id === null || context === null || !(await isPublished(assignment_id))) return new Set()
  const subs: string[] = await LtiMemberModel.distinct('sub', {
    ...{ context, role: 'student', status: 'active', test_user: false },
  })
  return new Set(subs)
}

/**
 * Once, as the LMS may have dropped the scores of a student who left and came back; for a student known to have
 * returned also where the LMS does not say. What was set or emptied there stays.
 */
const mustSendAgain = (
  { returned, resent, wanted }: LtiScoreDoc,
  state: FoundResult['result']['state'],
  points: number | null,
) =>
  wanted.score !== null &&
  ((state === 'missing' && !resent) || (returned === true && state !== 'same' && points === null))
