import type { ReleaseDoc } from '../../../records/grading/grade.model.ts'
import type { LtiMemberDoc } from '../../../records/lti/member.model.ts'
import type { LtiScoreDoc, LtiScoreModel, ScoreReason, WantedScore } from '../../../records/lti/score.model.ts'
import { unchangedFilter } from './score-rows.ts'
import { sameScore, scoreComment } from './score-values.ts'

export type LedgerWrite = Parameters<typeof LtiScoreModel.bulkWrite>[0][number]

/** With a score for every answer: an LMS would show what is graded so far as the grade, or wipe the one it has. */
export type ReleaseToSend = Omit<ReleaseDoc, 'criteria' | 'final_score'> & { final_score: number }

/** Everything that determines the score of one student in one line item. */
export interface LedgerEntry {
  /** The row's id. */
  id: string
  row: LtiScoreDoc | null
  link: number
  platformId: number
  assignmentId: number
  /** Null when the link opens another assignment now, or the student is unknown to its course. */
  member: LtiMemberDoc | null
  release: ReleaseToSend | null
  /** Nothing is sent through this link at the moment. */
  blocked: boolean
  /** Its activity is gone from the LMS. */
  gone: boolean
  /** Why a score without a release is removed from the LMS: on request, or because the submission moved to another student. */
  clear: 'asked' | 'moved' | null
}

/** Why nothing is sent for somebody; null for a student of the course. */
function ineligibilityReason(member: LtiMemberDoc | null): ScoreReason | null {
  if (member?.test_user) return { code: 'test_student', message: 'Test student: no score is sent.' }
  if (member?.role !== 'student' || member.status !== 'active')
    return { code: 'no_student', message: 'Not a student in the LMS course (any more).' }
  return null
}

const NOT_RELEASED: ScoreReason = {
  code: 'not_released',
  message: 'Hidden while it was being sent; it may have arrived.',
}

/** The write that makes the row match what is wanted now; null when it already does. */
export function ledgerWriteFor(entry: LedgerEntry, now: Date): LedgerWrite | null {
  const { row, member, release } = entry
  const ineligible = ineligibilityReason(member)
  if (!row) return member && release ? insertRow(entry, member, release, ineligible, now) : null
  if (release && member && !ineligible)
    return updateWantedScore(entry, row, member, wantedOf(release), release._id, now)
  if (entry.clear && !ineligible && mayBeInLms(row)) {
    const nothing: WantedScore = { percent: null, comment: '', revision: row.wanted.revision }
    // The submission belongs to another student's row now.
    const moved = entry.clear === 'moved' ? { submission_id: null } : {}
    return row.wanted.percent === null ? null : changeWantedScore(row, { wanted: nothing, ...moved }, now)
  }
  return withdrawScore(row, ineligible, now)
}

const wantedOf = ({ final_score, feedback, revision }: ReleaseToSend): WantedScore => ({
  percent: final_score,
  comment: scoreComment(feedback),
  revision,
})

/** Test students get a row although nothing is sent, so that the page says why; other non-students do not. */
function insertRow(
  { id, link, platformId, assignmentId }: LedgerEntry,
  member: LtiMemberDoc,
  release: ReleaseToSend,
  ineligible: ScoreReason | null,
  now: Date,
): LedgerWrite | null {
  if (ineligible && ineligible.code !== 'test_student') return null
  const row: Omit<LtiScoreDoc, '_id'> = {
    link,
    platform_id: platformId,
    assignment_id: assignmentId,
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
  return { updateOne: { filter: { _id: id }, update: { $setOnInsert: row }, upsert: true } }
}

function updateWantedScore(
  { assignmentId, blocked, gone }: LedgerEntry,
  row: LtiScoreDoc,
  { user_id }: LtiMemberDoc,
  wanted: WantedScore,
  submission_id: number,
  now: Date,
): LedgerWrite | null {
  const owner = { user_id, submission_id, assignment_id: assignmentId }
  if (row.state === 'off' || !sameScore(wanted, row.wanted)) return changeWantedScore(row, { wanted, ...owner }, now)
  if (row.state === 'waiting' && row.reason?.code === 'held' && !blocked)
    return write(row, { ...owner, wanted, reason: null, next_at: now, updated_at: now })
  // Somebody has opened the activity again.
  if (row.state === 'refused' && row.reason?.code === 'gone' && !gone)
    return write(row, { ...owner, wanted, state: 'waiting', reason: null, attempts: 0, next_at: now, updated_at: now })
  const unchanged =
    row.user_id === user_id &&
    row.submission_id === submission_id &&
    row.assignment_id === assignmentId &&
    row.wanted.revision === wanted.revision
  return unchanged ? null : write(row, { ...owner, wanted })
}

/** The wanted score has changed: it is sent, unless the LMS already has it. */
function changeWantedScore(
  row: LtiScoreDoc,
  changes: Partial<LtiScoreDoc> & Pick<LtiScoreDoc, 'wanted'>,
  now: Date,
): LedgerWrite {
  const set = { ...changes, change: row.change + 1, attempts: 0, reason: null, updated_at: now }
  // The sender notices by `change` when it is done.
  if (row.state === 'sending') return write(row, set)
  const inLms = row.accepted && !row.unsure && sameScore(changes.wanted, row.accepted)
  return write(row, { ...set, state: inLms ? 'sent' : 'waiting', next_at: now })
}

/** Nothing is wanted: an unsent score is not sent, and a sent one stays. */
function withdrawScore(row: LtiScoreDoc, ineligible: ScoreReason | null, now: Date): LedgerWrite | null {
  if (row.state !== 'waiting' && row.state !== 'refused') return null
  const clearing = row.wanted.percent === null
  if (clearing && !ineligible) return null
  const off = { state: 'off' as const, change: row.change + 1, updated_at: now }
  if (row.unsure) return write(row, { ...off, reason: ineligible ?? NOT_RELEASED })
  if (!row.accepted)
    return ineligible?.code === 'test_student' ? write(row, { ...off, reason: ineligible }) : remove(row)
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

const write = (row: LtiScoreDoc, set: Partial<LtiScoreDoc>): LedgerWrite => ({
  updateOne: { filter: unchangedFilter(row), update: { $set: set } },
})

const remove = (row: LtiScoreDoc): LedgerWrite => ({ deleteOne: { filter: unchangedFilter(row) } })
