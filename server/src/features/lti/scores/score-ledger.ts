import type { Points } from '@assay/shared/rules/points.ts'
import { batchesOf } from '../../../lib/batches.ts'
import type { ReleaseDoc } from '../../../records/grading/grade.model.ts'
import { type LtiMemberDoc, LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import {
  type LtiScoreDoc,
  LtiScoreModel,
  type ScoreReason,
  scoreId,
  type WantedScore,
} from '../../../records/lti/score.model.ts'
import { findAssignmentCourse, findAssignmentOverview } from '../../assignments/assignment-queries.ts'
import { releasesWithoutCriteria } from '../../grades/release.service.ts'
import { unchangedFilter, unsentStates } from './score-rows.ts'
import { type ScoreTarget, scoreTargetsOf } from './score-targets.ts'
import { sameScore, scoreComment } from './score-values.ts'

type Dated = Pick<ReleaseDoc, '_id' | 'released_at'>

export const isLaterRelease = (one: Dated, other: Dated | undefined): boolean =>
  !other || (one.released_at.getTime() - other.released_at.getTime() || one._id - other._id) > 0

/** By account: the latest release counts, as on the student's own page. */
export function latestReleases<Release extends Pick<ReleaseDoc, '_id' | 'student_id' | 'released_at'>>(
  releases: Release[],
): Map<number, Release> {
  const counting = new Map<number, Release>()
  for (const release of releases) {
    if (release.student_id === null) continue
    if (isLaterRelease(release, counting.get(release.student_id))) counting.set(release.student_id, release)
  }
  return counting
}

const BATCH = 500
/** A round fails only if another process has changed a row. */
const MAX_ROUNDS = 50

/** Rows are read before releases and written only if unchanged. @returns platforms that may have something to send */
export async function updateLedger(assignmentId: number, now: Date): Promise<number[]> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const platforms = await tryUpdateLedger(assignmentId, now)
    if (platforms) return platforms
  }
  throw new Error('the ledger changed faster than it could be brought up to date')
}

/** Null when a row has changed since it was read. */
async function tryUpdateLedger(assignmentId: number, now: Date): Promise<number[] | null> {
  const found = await findAssignmentCourse(assignmentId)
  if (!found) return deleteAssignmentScores(assignmentId)
  const targets = await scoreTargetsOf(found)
  const links = targets.map(({ link }) => link._id)
  const rows = await LtiScoreModel.find({ $or: [{ assignment_id: assignmentId }, { link: { $in: links } }] }).lean()
  if (targets.length === 0 && rows.length === 0) return []
  const members = await LtiMemberModel.find({ context: { $in: targets.map(({ context }) => context._id) } }).lean()

  // Everything from here on is newer than the rows.
  const assignment = await findAssignmentOverview(assignmentId)
  const releases = assignment?.status === 'published' ? await releasesWithoutCriteria(assignmentId) : []
  if (!assignment) return deleteAssignmentScores(assignmentId)
  const counting = latestReleases(releases)
  const owners = Map.groupBy(releases, ({ _id }) => _id)

  const rowsById = new Map(rows.map((row) => [row._id, row]))
  const writes: LedgerWrite[] = []
  // Even without a change: a process may have died before it queued the sending.
  const platforms = new Set(rows.filter(({ state }) => unsentStates.includes(state)).map((row) => row.platform_id))
  const put = (entry: LedgerEntry, platformId: number) => {
    const next = ledgerWriteFor(entry, assignmentId, now)
    if (!next) return
    writes.push(next)
    platforms.add(platformId)
  }
  for (const target of targets) {
    for (const member of members) {
      if (member.context !== target.context._id) continue
      const id = scoreId(target.link._id, member.sub)
      const row = rowsById.get(id) ?? null
      rowsById.delete(id)
      const owner = row?.submission_id == null ? undefined : owners.get(row.submission_id)
      const moved = owner !== undefined && !owner.some(({ student_id }) => student_id === row?.user_id)
      const clear = assignment.clear_lms_scores ? 'asked' : moved ? 'moved' : null
      put({ row, place: { target, member }, release: toSend(counting.get(member.user_id)), clear }, target.platform._id)
    }
  }
  // Their links open something else now, or they left the course.
  for (const row of rowsById.values()) {
    if (row.assignment_id === assignmentId) put({ row, place: null, release: null, clear: null }, row.platform_id)
  }
  return (await writeAll(writes)) ? [...platforms] : null
}

/** Its links have to be set up again; the LMS's scores stay. */
async function deleteAssignmentScores(assignment_id: number): Promise<number[]> {
  await LtiResourceLinkModel.updateMany({ assignment_id }, { $set: { assignment_id: null } })
  await LtiScoreModel.deleteMany({ assignment_id })
  return []
}

type Release = Awaited<ReturnType<typeof releasesWithoutCriteria>>[number]

/** Nothing while answers are ungraded: the LMS's score stays until there is another. */
const toSend = (release: Release | undefined): ReleaseToSend | null =>
  release?.points ? { ...release, points: release.points } : null

async function writeAll(writes: LedgerWrite[]): Promise<boolean> {
  let written = 0
  for (const batch of batchesOf(writes, BATCH)) {
    const result = await LtiScoreModel.bulkWrite(batch, { ordered: false })
    written += result.matchedCount + result.upsertedCount + result.deletedCount
  }
  return written === writes.length
}

type LedgerWrite = Parameters<typeof LtiScoreModel.bulkWrite>[0][number]
/** Complete: an LMS would show a partial score as the grade, or erase the one it has. */
type ReleaseToSend = Omit<ReleaseDoc, 'criteria' | 'points'> & { points: Points }
type Place = { target: ScoreTarget; member: LtiMemberDoc }

interface LedgerEntry {
  row: LtiScoreDoc | null
  /** Null when the link opens another assignment now, or the student is unknown to its course. */
  place: Place | null
  release: ReleaseToSend | null
  /** Why a score without a release is removed. */
  clear: 'asked' | 'moved' | null
}

function ineligibilityReason(member: LtiMemberDoc | undefined): ScoreReason | null {
  if (member?.test_user) return { code: 'test_student', message: 'Test student: no score is sent.' }
  if (member?.role !== 'student' || member.status !== 'active')
    return { code: 'no_student', message: 'Not a student in the LMS course (any more).' }
  return null
}

const NOT_RELEASED: ScoreReason = {
  code: 'not_released',
  message: 'Hidden while it was being sent; it may have arrived.',
}

function ledgerWriteFor({ row, place, release, clear }: LedgerEntry, assignmentId: number, now: Date) {
  const ineligible = ineligibilityReason(place?.member)
  if (!row) return place && release ? insertRow(place, assignmentId, release, ineligible, now) : null
  if (release && place && !ineligible) {
    const owner = { user_id: place.member.user_id, submission_id: release._id, assignment_id: assignmentId }
    return updateWantedScore(place.target, row, wantedOf(release), owner, now)
  }
  if (clear && !ineligible && mayBeInLms(row)) {
    const nothing: WantedScore = { score: null, comment: '', revision: row.wanted.revision }
    const moved = clear === 'moved' ? { submission_id: null } : {}
    return row.wanted.score === null ? null : changeWantedScore(row, { wanted: nothing, ...moved }, now)
  }
  return withdrawScore(row, ineligible, now)
}

const wantedOf = ({ points, feedback, revision }: ReleaseToSend): WantedScore => ({
  score: points,
  comment: scoreComment(feedback),
  revision,
})

/** Test students get a row, though nothing is sent, so that the page says why. */
function insertRow(
  { target: { link, platform }, member }: Place,
  assignment_id: number,
  release: ReleaseToSend,
  ineligible: ScoreReason | null,
  now: Date,
): LedgerWrite | null {
  if (ineligible && ineligible.code !== 'test_student') return null
  const row: Omit<LtiScoreDoc, '_id'> = {
    link: link._id,
    platform_id: platform._id,
    assignment_id,
    user_id: member.user_id,
    sub: member.sub,
    submission_id: release._id,
    wanted: wantedOf(release),
    change: 1,
    state: ineligible ? 'off' : 'waiting',
    reason: ineligible,
    attempts: 0,
    next_at: now,
    claim: null,
    stamped_at: null,
    unsure: null,
    accepted: null,
    updated_at: now,
  }
  return { updateOne: { filter: { _id: scoreId(link._id, member.sub) }, update: { $setOnInsert: row }, upsert: true } }
}

function updateWantedScore(
  { link, blockedReason }: ScoreTarget,
  row: LtiScoreDoc,
  wanted: WantedScore,
  owner: Pick<LtiScoreDoc, 'user_id' | 'submission_id' | 'assignment_id'>,
  now: Date,
): LedgerWrite | null {
  if (row.state === 'off' || !sameScore(wanted, row.wanted)) return changeWantedScore(row, { wanted, ...owner }, now)
  if (row.state === 'waiting' && row.reason?.code === 'held' && blockedReason === null)
    return write(row, { ...owner, wanted, reason: null, next_at: now, updated_at: now })
  if (row.state === 'refused' && row.reason?.code === 'gone' && link.gone == null)
    return write(row, { ...owner, wanted, state: 'waiting', reason: null, attempts: 0, next_at: now, updated_at: now })
  const unchanged =
    row.user_id === owner.user_id &&
    row.submission_id === owner.submission_id &&
    row.assignment_id === owner.assignment_id &&
    row.wanted.revision === wanted.revision
  return unchanged ? null : write(row, { ...owner, wanted })
}

function changeWantedScore(row: LtiScoreDoc, changes: Partial<LtiScoreDoc> & Pick<LtiScoreDoc, 'wanted'>, now: Date) {
  const set = { ...changes, change: row.change + 1, attempts: 0, reason: null, updated_at: now }
  // The sender notices by `change` when it is done.
  if (row.state === 'sending') return write(row, set)
  const inLms = row.accepted && !row.unsure && sameScore(changes.wanted, row.accepted)
  return write(row, { ...set, state: inLms ? 'sent' : 'waiting', next_at: now })
}

/** An unsent score is not sent; a sent one stays. */
function withdrawScore(row: LtiScoreDoc, ineligible: ScoreReason | null, now: Date): LedgerWrite | null {
  if (row.state !== 'waiting' && row.state !== 'refused') return null
  const clearing = row.wanted.score === null
  if (clearing && !ineligible) return null
  const off = { state: 'off' as const, change: row.change + 1, updated_at: now }
  if (row.unsure) return write(row, { ...off, reason: ineligible ?? NOT_RELEASED })
  if (!row.accepted)
    return ineligible?.code === 'test_student' ? write(row, { ...off, reason: ineligible }) : remove(row)
  const { score, comment, revision } = row.accepted
  return write(row, {
    wanted: { score, comment, revision },
    change: row.change + 1,
    state: 'sent',
    reason: null,
    updated_at: now,
  })
}

const mayBeInLms = ({ accepted, unsure, state }: LtiScoreDoc) =>
  (accepted?.score ?? null) !== null || unsure !== null || state === 'sending'

const write = (row: LtiScoreDoc, set: Partial<LtiScoreDoc>): LedgerWrite => ({
  updateOne: { filter: unchangedFilter(row), update: { $set: set } },
})

const remove = (row: LtiScoreDoc): LedgerWrite => ({ deleteOne: { filter: unchangedFilter(row) } })
