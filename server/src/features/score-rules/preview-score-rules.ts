import { adjustScore, factorToFull, type ScoreRules } from '@assay/shared/rules/adjust-score.ts'
import type { ScoreRulesPreview, WantedRules } from '@assay/shared/score-rules.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { histogramBin } from '../analytics/grade-stats.ts'
import { adjustedScoreOf, gradedScore, lateBy, type ScoringAssignment } from '../assignments/adjusted-score.ts'
import { rawScoreOf, releasedScoresById } from '../grades/released-scores.ts'
import { submissionBatches } from '../submissions/submission-batches.ts'

const BATCH = 500

/**
 * With the factor of `scale_to_best` computed from the grades as they are now.
 * @throws {AppError} `validation_failed` where it cannot be
 */
export async function resolveRules(assignment: AssignmentDoc, wanted: WantedRules): Promise<ScoreRules> {
  const { adjustment, late_penalty } = wanted
  if (adjustment?.kind !== 'scale_to_best') return { adjustment, late_penalty }
  const factor = factorToFull(await bestScore(assignment))
  if (factor === null) {
    const message = 'No factor takes the best paper to 100 %: it has 100 % already, or no paper is completely graded.'
    throw new AppError('validation_failed', message, {
      details: [{ loc: ['body', 'adjustment'], msg: message, type: 'score_rules' }],
    })
  }
  return { adjustment: { kind: 'scale', factor }, late_penalty }
}

/** As graded, in percent; null without a completely graded paper. */
async function bestScore({ _id }: AssignmentDoc): Promise<number | null> {
  let best: number | null = null
  for await (const batch of submissionBatches(_id, BATCH, 'graded')) {
    for (const { grade } of batch) {
      const score = gradedScore(grade)
      if (score !== null && (best === null || score > best)) best = score
    }
  }
  return best
}

/** What these rules would make of the scores that count now. @param then with the dates and extensions as they would be */
export async function previewRules(
  assignment: AssignmentDoc,
  rules: ScoreRules,
  then: ScoringAssignment = assignment,
): Promise<ScoreRulesPreview> {
  const released = assignment.status === 'published' ? await releasedScoresById(assignment._id) : null
  const preview: ScoreRulesPreview = {
    adjustment: rules.adjustment,
    papers: 0,
    changed: 0,
    penalized: 0,
    limited: 0,
    released: [...(released?.values() ?? [])].filter(({ final_score }) => final_score !== null).length,
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
      const shown = release ? rawScoreOf(release) : null
      if (release && shown !== null) {
        const next = adjustScore(shown, rules, lateBy(then, submission)).score
        if (next !== release.final_score) preview.released_changed += 1
      }
      const raw = gradedScore(submission.grade)
      if (raw === null) continue
      const before = adjustedScoreOf(assignment, submission, raw)?.score ?? raw
      const { score, steps } = adjustScore(raw, rules, lateBy(then, submission))
      preview.papers += 1
      if (score !== before) preview.changed += 1
      if (steps.some(({ kind }) => kind === 'late')) preview.penalized += 1
      if (isLimited(raw, rules)) preview.limited += 1
      sums.before += before
      sums.after += score
      count(preview.before, before)
      count(preview.after, score)
    }
  }
  if (preview.papers > 0) {
    preview.mean_before = sums.before / preview.papers
    preview.mean_after = sums.after / preview.papers
  }
  return preview
}

function count(tenths: number[], score: number): void {
  const tenth = histogramBin(score)
  tenths[tenth] = (tenths[tenth] ?? 0) + 1
}

/** A hair above 100 is the best paper scaled to it. */
const HAIR = 0.0001

function isLimited(raw: number, { adjustment }: ScoreRules): boolean {
  if (!adjustment) return false
  const to = adjustment.kind === 'shift' ? raw + adjustment.points_percent : raw * adjustment.factor
  return to > 100 + HAIR || to < -HAIR
}
