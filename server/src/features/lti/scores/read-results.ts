import { batchesOf } from '../../../lib/batches.ts'
import { markLedgersDue } from '../../../records/lti/mark-scores-changed.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { type LtiResourceLinkDoc, LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { type LtiScoreDoc, LtiScoreModel, type ReadResult } from '../../../records/lti/score.model.ts'
import type { Services } from '../../../services.ts'
import { isPublished } from '../../assignments/assignment-queries.ts'
import { type AgsClient, AgsRetryableError } from './ags-request.ts'
import { fetchResult, fetchResults, type ResultList } from './fetch-results.ts'
import { type LineItemRef, readKnownLineItem } from './line-item.ts'
import { afterPause, isPaused, pausePlatform, platformPause, resumePlatform, retryDelay } from './platform-pause.ts'
import { requeueSentScores } from './score-rows.ts'
import { refuseGoneScores, type ScoreTarget, scoreTargetOfLink } from './score-targets.ts'
import { compareResult, isOfOldMaximum, scorePoints } from './score-values.ts'

const BATCH = 500

type AcceptedScore = LtiScoreDoc & { accepted: NonNullable<LtiScoreDoc['accepted']> }

/** `accepted`: of the current maximum. `sendAgain`: the LMS lost it, or has it of another maximum. */
interface FoundResult {
  row: AcceptedScore
  result: ReadResult
  accepted: AcceptedScore['accepted']
  sendAgain: boolean
}

async function nextCheck(platform_id: number): Promise<{ link: number; at: Date } | null> {
  const row = await LtiScoreModel.findOne({ platform_id, check_at: { $ne: null }, state: 'sent' })
    .sort({ check_at: 1 })
    .lean()
  return row?.check_at ? { link: row.link, at: row.check_at } : null
}

export function platformsWithDueChecks(where: { assignment_id?: number } = {}): Promise<number[]> {
  return LtiScoreModel.distinct('platform_id', { ...where, check_at: { $ne: null }, state: 'sent' })
}

async function acceptedRows(link: number, assignment_id: number): Promise<AcceptedScore[]> {
  const rows: LtiScoreDoc[] = await LtiScoreModel.find({ link, assignment_id, state: 'sent' }).lean()
  return rows.filter((row): row is AcceptedScore => row.accepted !== null)
}

async function endChecks(link: number): Promise<void> {
  await LtiScoreModel.updateMany({ link, check_at: { $ne: null } }, { $set: { check_at: null } })
}

async function deferCheck(
  { _id: link, results_failures = 0 }: LtiResourceLinkDoc,
  failed: AgsRetryableError,
  now: Date,
): Promise<void> {
  const check_at = new Date(now.getTime() + retryDelay(failed, results_failures + 1))
  await LtiResourceLinkModel.updateOne({ _id: link }, { $inc: { results_failures: 1 } })
  await LtiScoreModel.updateMany({ link, check_at: { $ne: null, $lte: now } }, { $set: { check_at } })
}

/** Skips changed scores. @param readable false if the LMS shows none. @returns whether to send again */
async function storeResults(link: number, found: FoundResult[], readable: boolean, now: Date): Promise<boolean> {
  const again = { state: 'waiting' as const, next_at: now, attempts: 0, reason: null }
  const writes = found.map(({ row, result, accepted, sendAgain }) => {
    const { _id, change, returned } = row
    const shown = result.state === 'same' || result.state === 'different'
    const kept = result.state === 'same' || result.state === 'unknown'
    const read = { result, check_at: null, returned: false, ...(shown ? { resent: false } : {}) }
    return {
      updateOne: {
        filter: {
          ...{ _id, change, state: 'sent' as const, 'accepted.stamp': accepted.stamp },
          // Whoever has returned since is looked at once more.
          ...(returned ? {} : { returned: { $ne: true } }),
        },
        update: sendAgain
          ? {
              $set: { ...read, ...again, resent: result.state !== 'same', accepted: kept ? accepted : null },
              $inc: { change: 1 },
            }
          : { $set: { ...read, accepted } },
      },
    }
  })
  for (const batch of batchesOf(writes, BATCH)) await LtiScoreModel.bulkWrite(batch, { ordered: false })
  await LtiResourceLinkModel.updateOne(
    { _id: link },
    { $set: { results_failures: 0, ...(readable ? { results_read_at: now } : {}) } },
  )
  return found.some(({ sendAgain }) => sendAgain)
}

/** In ms: then other platforms may get their turn. */
const SLICE_MS = 30_000
/** Of a line item's students; for more the whole list is read. */
const MAX_SINGLE_CALLS = 3

interface ReadContext {
  services: Pick<Services, 'config' | 'clock' | 'log'>
  signal: AbortSignal
  notify: (assignmentId: number) => void
}

/** Idempotent: reads a line item again if not to its end. @returns when the next is due; null for none */
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
    if (target?.link.gone && assignmentId != null) {
      // They were accepted while another request learned that the line item is gone.
      await refuseGoneScores(link, target.link.gone.message, services.clock.now())
      // Where the link exists again by now, they are sent once more.
      await markLedgersDue([assignmentId])
    }
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

/** Its scores go to another line item, if the LMS has or allows one. */
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

/** The LMS now shows the same share of its maximum. */
const rescaledTo = (maximum: number | null, accepted: AcceptedScore['accepted']) =>
  maximum !== null && accepted.score ? { ...accepted, points: scorePoints(accepted.score, maximum), maximum } : accepted

async function studentsToSendTo({ context, assignment_id }: LtiResourceLinkDoc): Promise<Set<string>> {
  if (assignment_id === null || context === null || !(await isPublished(assignment_id))) return new Set()
  const subs: string[] = await LtiMemberModel.distinct('sub', {
    ...{ context, role: 'student', status: 'active', test_user: false },
  })
  return new Set(subs)
}

/** Once, as the LMS may have dropped a returning student's scores. What was set or emptied there stays. */
const mustSendAgain = (
  { returned, resent, wanted }: LtiScoreDoc,
  state: FoundResult['result']['state'],
  points: number | null,
) =>
  wanted.score !== null &&
  ((state === 'missing' && !resent) || (returned === true && state !== 'same' && points === null))
