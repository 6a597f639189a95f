import type { ReleaseDoc } from '../../../records/grading/grade.model.ts'
import type { LtiMemberDoc } from '../../../records/lti/member.model.ts'
import type { LtiScoreDoc, LtiScoreModel, ScoreReason, WantedScore } from '../../../records/lti/score.model.ts'
import { sameScore, scoreComment } from './score-values.ts'

export type LedgerWrite = Parameters<typeof LtiScoreModel.bulkWrite>[0][number]

export type ReleaseToSend = Omit<ReleaseDoc, 'criteria'>

/** All that says what is to stand in one column for one student. */
export interface LedgerEntry {
  /** The row's. */
  id: string
  row: LtiScoreDoc | null
  link: number
  platformId: number
  assignmentId: number
  /** Null when the link opens another assignment now, or its course never listed them. */
  member: LtiMemberDoc | null
  release: ReleaseToSend | null
  /** Nothing is sent through this link for the time being. */
  blocked: boolean
  /** Why what stands there without a release is to be taken away: on request, or as the paper turned out to be another student's. */
  clear: 'asked' | 'moved' | null
}

/** Why nothing is sent for somebody; null for a student of the course. */
function ineligibilityReason(member: LtiMemberDoc | null): ScoreReason | null {
  if (member?.test_user) return { code: 'test_student', message: 'A test student: no score is sent.' }
  if (member?.role !== 'student' || member.status !== 'active')
    return { code: 'no_student', message: 'Not a student of the LMS’s course, or no longer.' }
  return null
}

const NOT_RELEASED: ScoreReason = {
  code: 'not_released',
  message: 'Hidden again while it was being sent; it may have arrived.',
}

/** What has to be written so that the row says what is wanted now; null when it does. */
export function ledgerWriteFor(entry: LedgerEntry, now: Date): LedgerWrite | null {
  const { row, member, release } = entry
  const barred = ineligibilityReason(member)
  if (!row) return member && release ? insertRow(entry, member, release, barred, now) : null
  if (release && member && !barred) return updateWantedScore(entry, row, member, wantedOf(release), release._id, now)
  if (entry.clear && !barred && mayBeInLms(row)) {
    const nothing: WantedScore = { percent: null, comment: '', revision: row.wanted.revision }
    // The paper is in another student's row now.
    const moved = entry.clear === 'moved' ? { submission_id: null } : {}
    return row.wanted.percent === null ? null : changeWantedScore(row, { wanted: nothing, ...moved }, now)
  }
  return withdrawScore(row, barred, now)
}

const wantedOf = ({ final_score, feedback, revision }: ReleaseToSend): WantedScore => ({
  percent: final_score,
  comment: scoreComment(feedback),
  revision,
})

/** Of people who are no students only those get a row who look like one: so that it says why nothing is sent. */
function insertRow(
  { id, link, platformId, assignmentId }: LedgerEntry,
  member: LtiMemberDoc,
  release: ReleaseToSend,
  barred: ScoreReason | null,
  now: Date,
): LedgerWrite | null {
  if (barred && barred.code !== 'test_student') return null
  const row: Omit<LtiScoreDoc, '_id'> = {
    link,
    platform_id: platformId,
    assignment_id: assignmentId,
    user_id: member.user_id,
    sub: member.sub,
    submission_id: release._id,
    wanted: wantedOf(release),
    change: 1,
    state: barred ? 'off' : 'waiting',
    reason: barred,
    attempts: 0,
    next_at: now,
    claim: null,
    stamped_at: null,
    unsure: null,
    accepted: null,
    updated_at: now,
  }
  return { updateOne: { filter: { _id: id }, update: { $setOnInsert: row }, upsert: true } }
}

function updateWantedScore(
  { assignmentId, blocked }: LedgerEntry,
  row: LtiScoreDoc,
  { user_id }: LtiMemberDoc,
  wanted: WantedScore,
  submission_id: number,
  now: Date,
): LedgerWrite | null {
  const whose = { user_id, submission_id, assignment_id: assignmentId }
  if (row.state === 'off' || !sameScore(wanted, row.wanted)) return changeWantedScore(row, { wanted, ...whose }, now)
  if (row.state === 'waiting' && row.reason?.code === 'held' && !blocked)
    return write(row, { ...whose, wanted, reason: null, next_at: now, updated_at: now })
  const told =
    row.user_id === user_id &&
    row.submission_id === submission_id &&
    row.assignment_id === assignmentId &&
    row.wanted.revision === wanted.revision
  return told ? null : write(row, { ...whose, wanted })
}

/** Another score is wanted than before: to be sent, unless it is the very one that stands there. */
function changeWantedScore(
  row: LtiScoreDoc,
  what: Partial<LtiScoreDoc> & Pick<LtiScoreDoc, 'wanted'>,
  now: Date,
): LedgerWrite {
  const set = { ...what, change: row.change + 1, attempts: 0, reason: null, updated_at: now }
  // Whoever is sending it finds out at the end that something else is wanted now.
  if (row.state === 'sending') return write(row, set)
  const there = row.accepted && !row.unsure && sameScore(what.wanted, row.accepted)
  return write(row, { ...set, state: there ? 'sent' : 'waiting', next_at: now })
}

/** Nothing is wanted: what has not been sent is not sent, and what stands there stands. */
function withdrawScore(row: LtiScoreDoc, barred: ScoreReason | null, now: Date): LedgerWrite | null {
  if (row.state !== 'waiting' && row.state !== 'refused') return null
  const clearing = row.wanted.percent === null
  if (clearing && !barred) return null
  const off = { state: 'off' as const, change: row.change + 1, updated_at: now }
  if (row.unsure) return write(row, { ...off, reason: barred ?? NOT_RELEASED })
  if (!row.accepted) return barred?.code === 'test_student' ? write(row, { ...off, reason: barred }) : remove(row)
  const { percent, comment, revision } = row.accepted
  return write(row, {
    wanted: { percent, comment, revision },
    change: row.change + 1,
    state: 'sent',
    reason: null,
    updated_at: now,
  })
}

const mayBeInLms = ({ accepted, unsure, state }: LtiScoreDoc) =>
  (accepted?.percent ?? null) !== null || unsure !== null || state === 'sending'

/** As it was seen, or not at all. */
const unchangedFilter = ({ _id, change, state, claim }: LtiScoreDoc) => ({ _id, change, state, claim })

const write = (row: LtiScoreDoc, set: Partial<LtiScoreDoc>): LedgerWrite => ({
  updateOne: { filter: unchangedFilter(row), update: { $set: set } },
})

const remove = (row: LtiScoreDoc): LedgerWrite => ({ deleteOne: { filter: unchangedFilter(row) } })
