import { isDeepStrictEqual } from 'node:util'
import type { ScoreRules } from '@assay/shared/rules/adjust-score.ts'
import type { AssignmentScoreRules, PaperPenalty, WantedRules } from '@assay/shared/score-rules.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { adjustedScoreOf, gradedScore, scoreRulesOf } from '../assignments/adjusted-score.ts'
import { storeScoreRules } from '../assignments/score-rules.service.ts'
import { countReleasedScores, refreshReleasedScores } from '../grades/released-scores.ts'
import { storeLateWaiver } from '../submissions/late-waiver.ts'
import { usersById } from '../users/user.service.ts'

export async function presentScoreRules(assignment: AssignmentDoc): Promise<AssignmentScoreRules> {
  const { score_rules, late_rule = 'accept', released_scores_due } = assignment
  const version = score_rules?.version ?? 0
  const [progress, people] = await Promise.all([
    released_scores_due !== undefined ? countReleasedScores(assignment._id, version) : null,
    usersById(score_rules ? [score_rules.changed_by] : []),
  ])
  const person = people.get(score_rules?.changed_by ?? 0)
  return {
    ...scoreRulesOf(assignment),
    version,
    late_rule,
    changed: score_rules
      ? { by_name: person?.full_name ?? person?.username ?? '', at: score_rules.changed_at.toISOString() }
      : null,
    previous: score_rules?.previous ?? null,
    releasing: progress,
  }
}

/** @throws {AppError} `validation_failed` for a new late penalty where late work is not marked late */
export function requireFittingPenalty(assignment: AssignmentDoc, { late_penalty }: WantedRules): void {
  if (!late_penalty || assignment.late_rule === 'mark_late') return
  const { late_penalty: stored } = scoreRulesOf(assignment)
  // It stays as it is while something else changes, and while an earlier rule is brought back.
  if (isDeepStrictEqual(stored, late_penalty)) return
  const message = 'A late penalty needs late work to be marked late. Choose “Mark late” for late work first, and save.'
  throw new AppError('validation_failed', message, {
    details: [{ loc: ['body', 'late_penalty'], msg: message, type: 'score_rules' }],
  })
}

const CONFLICT = 'Somebody else has changed these settings meanwhile. Nothing was saved. Reload the page to see them.'

/**
 * Released scores have yet to follow.
 * @throws {AppError} `conflict` where somebody has changed the rules since `version`
 */
export async function changeScoreRules(
  assignment: AssignmentDoc,
  rules: ScoreRules,
  version: number,
  actor: Actor,
  now: Date,
): Promise<AssignmentDoc> {
  if ((assignment.score_rules?.version ?? 0) !== version) throw new AppError('conflict', CONFLICT)
  const before = scoreRulesOf(assignment)
  if (isDeepStrictEqual(before, rules)) return assignment
  const changed = await storeScoreRules(assignment, rules, actor.id, now)
  if (!changed) throw new AppError('conflict', CONFLICT)
  await recordAudit(actor, 'score_rules.changed', { assignment_id: assignment._id }, now, { before, after: rules })
  return changed
}

/** The released score follows at once. Null where it was so already. */
export async function changeLateWaiver(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  waived: boolean,
  actor: Actor,
  now: Date,
): Promise<SubmissionDoc | null> {
  const changed = await storeLateWaiver(submission, waived, now)
  if (changed) {
    const subject = { assignment_id: assignment._id, submission_id: submission._id }
    await recordAudit(actor, waived ? 'late_penalty.waived' : 'late_penalty.restored', subject, now)
  }
  // Also after a crash in between, when it is asked for once more.
  await refreshReleasedScores(assignment._id, [submission._id])
  if (assignment.status === 'published') await markScoresChanged(assignment._id)
  return changed
}

export const presentPenalty = (assignment: AssignmentDoc, submission: SubmissionDoc): PaperPenalty => ({
  late_waived: submission.late_waived ?? false,
  adjusted: adjustedScoreOf(assignment, submission, gradedScore(submission.grade)),
})
