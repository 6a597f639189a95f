import { isDeepStrictEqual } from 'node:util'
import { adjustScore, factorToFull, type ScoreRules, shiftOrScale } from '@assay/shared/rules/adjust-score.ts'
import { dateProblems, extensionProblems } from '@assay/shared/rules/dates.ts'
import { bonusPoints } from '@assay/shared/rules/edited-rubric.ts'
import { exactPercent, type Points, percentOf } from '@assay/shared/rules/points.ts'
import {
  type AssignmentScoreRules,
  type DatesToPreview,
  getScoreRules,
  type PaperPenalty,
  previewDates,
  previewScoreRules,
  type ScoreRulesPreview,
  setHandInTimes,
  setScoreRules,
  type WantedRules,
  waiveLatePenalty,
} from '@assay/shared/score-rules.ts'
import type { Router } from 'express'
import { recordAudit, recordAuditEntries } from '../../../audit/audit.service.ts'
import { AppError, invalidInput } from '../../../lib/http/app-error.ts'
import { type Actor, handle } from '../../../lib/http/handle.ts'
import { tenthOf } from '../../../lib/numbers.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { markScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { requireNamesShown } from '../../anonymity/hidden-names.ts'
import {
  adjustedScoreOf,
  gradedPoints,
  latenessOf,
  type ScoringAssignment,
  scoreRulesOf,
} from '../../assignments/adjusted-score.ts'
import { requireAssignmentFor, storeScoreRules } from '../../assignments/assignment.service.ts'
import { datesOf } from '../../assignments/assignment-dates.ts'
import { assertValidDates, mergeDates, toDate } from '../../assignments/update-assignment.ts'
import { notifyListChanged, notifySubmissionChanged } from '../../submissions/submission.events.ts'
import {
  type HandInTime,
  handInTimeOf,
  requireSubmission,
  storeHandInTimes,
  storeLateWaiver,
} from '../../submissions/submission.service.ts'
import { submissionBatches } from '../../submissions/submission-batches.ts'
import { namesById } from '../../users/user.service.ts'
import { notifyReleased } from '../release-notification.ts'
import { countReleasedScores, rawPointsOf, refreshReleasedScores, releasedScoresById } from '../released-scores.ts'
import { datesChanged, queueReleasedScores } from './released-scores-job.ts'

export function scoreRulesRoutes(router: Router, services: Services): void {
  const { clock } = services

  handle(router, getScoreRules, async ({ params, actor }) =>
    presentScoreRules(await requireAssignmentFor(actor, params.assignmentId)),
  )

  handle(router, previewScoreRules, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    requireFittingPenalty(assignment, body)
    return previewRules(assignment, await resolveRules(assignment, body))
  })

  handle(router, previewDates, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    // A preview for one student would reveal whose paper came late.
    if (body.extension) requireNamesShown(assignment)
    return previewRules(assignment, scoreRulesOf(assignment), withChangedDates(assignment, body))
  })

  handle(router, setScoreRules, async ({ params, body: { version, ...wanted }, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    requireFittingPenalty(assignment, wanted)
    const rules = await resolveRules(assignment, wanted)
    const changed = await changeScoreRules(assignment, rules, version, actor, clock.now())
    if (changed.released_scores_due !== undefined) await queueReleasedScores([changed._id], services)
    return presentScoreRules(changed)
  })

  handle(router, setHandInTimes, async ({ params, body, actor }) => {
    // With somebody's extension, a time that makes a paper late or not would reveal whose it is.
    const assignment = requireNamesShown(await requireAssignmentFor(actor, params.assignmentId))
    const ids = [...new Set(body.submission_ids)]
    const at = body.at === null || body.at === 'on_time' ? body.at : new Date(body.at)
    const changed = await changeHandInTimes(assignment, ids, at, actor, clock.now())
    await datesChanged(assignment, services)
    notifyListChanged(assignment._id, services)
    return { changed, left_out: ids.length - changed }
  })

  handle(router, waiveLatePenalty, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const changed = await changeLateWaiver(assignment, submission, body.waived, actor, clock.now())
    if (changed) {
      await notifySubmissionChanged(changed, services)
      if (changed.grade?.released) await notifyReleased(assignment, null, services, { debounced: true })
    }
    return presentPenalty(assignment, changed ?? (await requireSubmission(params)))
  })
}

async function presentScoreRules(assignment: AssignmentDoc): Promise<AssignmentScoreRules> {
  const { score_rules, late_rule = 'accept', released_scores_due, rubric } = assignment
  const version = score_rules?.version ?? 0
  const [progress, people] = await Promise.all([
    released_scores_due !== undefined ? countReleasedScores(assignment._id, version) : null,
    namesById(score_rules ? [score_rules.changed_by] : []),
  ])
  return {
    ...scoreRulesOf(assignment),
    version,
    late_rule,
    bonus_points: rubric ? bonusPoints(rubric) : 0,
    changed: score_rules
      ? { by_name: people.get(score_rules.changed_by) ?? '', at: score_rules.changed_at.toISOString() }
      : null,
    previous: score_rules?.previous ?? null,
    releasing: progress,
  }
}

/** @throws {AppError} `validation_failed` where late work is not marked late */
function requireFittingPenalty(assignment: AssignmentDoc, { late_penalty }: WantedRules): void {
  if (!late_penalty || assignment.late_rule === 'mark_late') return
  const { late_penalty: stored } = scoreRulesOf(assignment)
  // An existing penalty may stay while other rules change.
  if (isDeepStrictEqual(stored, late_penalty)) return
  const message = 'A late penalty needs late work to be marked late. Choose “Mark late” for late work first, and save.'
  throw invalidInput(['late_penalty'], message, 'score_rules')
}

const CONFLICT = 'Somebody else has changed these settings meanwhile. Nothing was saved. Reload the page to see them.'

/** Released scores have yet to follow. @throws {AppError} `conflict` where the rules have changed since `version` */
async function changeScoreRules(
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

async function changeLateWaiver(
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
  // Also when repeated after a crash in between.
  await refreshReleasedScores(assignment._id, [submission._id])
  if (assignment.status === 'published') await markScoresChanged(assignment._id)
  return changed
}

/** @throws {AppError} `validation_failed` for a time to come */
async function changeHandInTimes(
  assignment: AssignmentDoc,
  ids: number[],
  at: HandInTime,
  actor: Actor,
  now: Date,
): Promise<number> {
  if (at instanceof Date && at > now) throw invalidInput(['at'], 'Please enter a time that has passed.', 'hand_in_time')
  const papers = await storeHandInTimes(assignment, ids, at, now)
  await recordAuditEntries(
    actor,
    'submission.hand_in_said',
    papers.map((paper) => ({
      subject: { assignment_id: assignment._id, submission_id: paper._id },
      before: { at: handInTimeOf(paper) },
      after: { at },
    })),
    now,
  )
  return papers.length
}

const presentPenalty = (assignment: AssignmentDoc, submission: SubmissionDoc): PaperPenalty => ({
  late_waived: submission.late_waived ?? false,
  adjusted: adjustedScoreOf(assignment, submission, gradedPoints(submission.grade)),
})

/** Stores nothing. @throws {AppError} `validation_failed` for dates that could not be saved */
function withChangedDates(assignment: AssignmentDoc, { extension, ...change }: DatesToPreview): AssignmentDoc {
  const dates = mergeDates(datesOf(assignment), change)
  assertValidDates(dateProblems(dates))
  if (!extension) return { ...assignment, ...dates }
  const others = (assignment.extensions ?? []).filter(({ student_id }) => student_id !== extension.student_id)
  if (!extension.dates) return { ...assignment, ...dates, extensions: others }
  const { due_at, closes_at } = extension.dates
  const given = { student_id: extension.student_id, due_at: new Date(due_at), closes_at: toDate(closes_at) }
  assertValidDates(extensionProblems(given, dates))
  return { ...assignment, ...dates, extensions: [...others, given] }
}

const BATCH = 500

/** `scale_to_best` gets its factor now. @throws {AppError} `validation_failed` without one */
async function resolveRules(assignment: AssignmentDoc, wanted: WantedRules): Promise<ScoreRules> {
  const { adjustment, late_penalty, bonus_limit } = wanted
  const others = { late_penalty, ...(bonus_limit == null ? {} : { bonus_limit }) }
  if (adjustment?.kind !== 'scale_to_best') return { adjustment, ...others }
  const factor = factorToFull(await bestScore(assignment))
  if (factor === null) {
    const message = 'No factor takes the best paper to 100 %: it has 100 % already, or no paper is completely graded.'
    throw invalidInput(['adjustment'], message, 'score_rules')
  }
  return { adjustment: { kind: 'scale', factor }, ...others }
}

/** In percent; null without a completely graded paper. */
async function bestScore({ _id }: AssignmentDoc): Promise<number | null> {
  let best: number | null = null
  for await (const batch of submissionBatches(_id, BATCH, 'graded')) {
    for (const { grade } of batch) {
      const points = gradedPoints(grade)
      if (points) best = Math.max(best ?? 0, exactPercent(points))
    }
  }
  return best
}

async function previewRules(assignment: AssignmentDoc, rules: ScoreRules, then: ScoringAssignment = assignment) {
  const released = assignment.status === 'published' ? await releasedScoresById(assignment._id) : null
  const preview: ScoreRulesPreview = {
    adjustment: rules.adjustment,
    papers: 0,
    changed: 0,
    penalized: 0,
    limited: 0,
    released: [...(released?.values() ?? [])].filter(({ points }) => points !== null).length,
    released_changed: 0,
    mean_before: null,
    mean_after: null,
    before: Array(10).fill(0),
    after: Array(10).fill(0),
  }
  const sums = { before: 0, after: 0 }
  for await (const batch of submissionBatches(assignment._id, BATCH, 'graded')) {
    for (const submission of batch) {
      const release = released?.get(submission._id)
      const shown = release && rawPointsOf(release)
      if (shown) {
        const next = adjustScore(shown, rules, latenessOf(then, submission)).points
        if (next.given !== release.points?.given) preview.released_changed += 1
      }
      const raw = gradedPoints(submission.grade)
      if (raw === null) continue
      const before = adjustedScoreOf(assignment, submission, raw)?.points ?? raw
      const { points, steps } = adjustScore(raw, rules, latenessOf(then, submission))
      preview.papers += 1
      if (points.given !== before.given) preview.changed += 1
      if (steps.some(({ kind }) => kind === 'late')) preview.penalized += 1
      if (rules.adjustment && shiftOrScale(raw, rules.adjustment).limited) preview.limited += 1
      sums.before += exactPercent(before)
      sums.after += exactPercent(points)
      count(preview.before, before)
      count(preview.after, points)
    }
  }
  if (preview.papers > 0) {
    preview.mean_before = sums.before / preview.papers
    preview.mean_after = sums.after / preview.papers
  }
  return preview
}

function count(tenths: number[], points: Points): void {
  const tenth = tenthOf(percentOf(points))
  tenths[tenth] = (tenths[tenth] ?? 0) + 1
}
