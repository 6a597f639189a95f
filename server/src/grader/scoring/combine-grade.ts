import type { Rubric } from '@assay/shared/rubrics.ts'
import type { ReviewReason, SuggestedCriterion, SuggestedGrade } from '../grader.ts'
import { summariseGrade } from './grade-summary.ts'
import { LOW_CONFIDENCE, lowConfidenceReason } from './low-confidence.ts'
import { type TeacherScores, withTeacherScores } from './teacher-scores.ts'

/** A grade as it stands, as far as combining goes. */
export type PreviousGrade = Pick<SuggestedGrade, 'criteria' | 'reasons' | 'summary'>

/**
 * A grade with some questions graded anew: `only` names them, and what `fresh` says of others is not looked at. What hangs on
 * the whole paper (total, confidence, summary, reasons) is worked out again; summary and doubt by what counts, with the teacher's points
 * (`settled`) where there are any. Criteria come in the rubric's order; those of
 * questions the rubric no longer has are left out.
 * @throws {RangeError} when a criterion of the rubric is in neither grade
 */
export function combineGrade(
  rubric: Rubric,
  standing: PreviousGrade,
  fresh: SuggestedGrade,
  only: ReadonlySet<string>,
  settled: TeacherScores = {},
): SuggestedGrade {
  const criteria = rubric.questions.flatMap((question) =>
    question.criteria.map(({ id }) => {
      const from = only.has(question.id) ? fresh : standing
      const found = from.criteria.find((one) => one.criterion_id === id && one.question_id === question.id)
      if (!found) throw new RangeError(`Criterion ${id} is in neither the previous nor the new grade.`)
      return found
    }),
  )
  const most = criteria.reduce((sum, { max_score }) => sum + max_score, 0)
  const share = (of: (one: SuggestedCriterion) => number) =>
    most > 0 ? criteria.reduce((sum, one) => sum + of(one), 0) / most : 0
  const overall = share(({ score }) => score) * 100
  const counted = withTeacherScores(criteria, settled)
  const reasons = combineReasons(rubric, standing.reasons, fresh.reasons, counted, only)
  return {
    overall_score: Math.round(overall * 10) / 10,
    criteria,
    confidence: Math.round(share(({ confidence, max_score }) => confidence * max_score) * 1000) / 1000,
    summary: sameScores(standing.criteria, criteria) ? standing.summary : summariseGrade(rubric.questions, counted),
    needs_review: reasons.length > 0,
    reasons,
    ...llmCallFieldsOf(fresh),
  }
}

/** What a model was asked this time; what it was asked before stays with the grade before. */
const llmCallFieldsOf = ({ call_ids, prompt_version, input_hash }: SuggestedGrade): Partial<SuggestedGrade> => ({
  ...(call_ids ? { call_ids } : {}),
  ...(prompt_version ? { prompt_version } : {}),
  ...(input_hash ? { input_hash } : {}),
})

/** Says of the paper as a whole how unsure the grader is: worked out anew whenever one of its questions is. */
const isAboutTotal = ({ code, evidence }: ReviewReason) => code === 'low_confidence' && !evidence

function combineReasons(
  rubric: Rubric,
  before: ReviewReason[],
  fresh: ReviewReason[],
  criteria: SuggestedCriterion[],
  only: ReadonlySet<string>,
): ReviewReason[] {
  const asked = new Set(rubric.questions.map(({ id }) => id))
  const kept = before.filter(
    ({ question_id }) => question_id !== undefined && !only.has(question_id) && asked.has(question_id),
  )
  const changed = fresh.filter(({ question_id }) => question_id !== undefined && only.has(question_id))
  const ofPaper = fresh.filter(({ question_id }) => question_id === undefined)
  // What was seen of the paper before is still there, but for what may have been mended.
  const seen = before.filter(
    ({ code, question_id, message }) =>
      question_id === undefined &&
      code !== 'nothing_written' &&
      code !== 'graders_differ' &&
      !ofPaper.some((one) => one.code === code && (one.message === message || code === 'small_class')),
  )
  const all = [...ofPaper, ...seen, ...kept, ...changed].filter((reason) => !isAboutTotal(reason))
  const order = rubric.questions.map(({ id }) => id)
  const place = ({ question_id }: ReviewReason) => (question_id === undefined ? -1 : order.indexOf(question_id))
  const sorted = all.toSorted((a, b) => place(a) - place(b))
  const doubt = lowConfidenceReasonOf(rubric, criteria)
  return doubt && (fresh.some(isAboutTotal) || before.some(isAboutTotal)) ? [...sorted, doubt] : sorted
}

/** That the total is unsure, and because of which questions; null when it is sure enough. */
function lowConfidenceReasonOf(rubric: Rubric, criteria: SuggestedCriterion[]): ReviewReason | null {
  const unsure = rubric.questions.filter(({ id }) =>
    criteria.some((one) => one.question_id === id && one.confidence > 0 && one.confidence < LOW_CONFIDENCE),
  )
  return lowConfidenceReason(
    rubric,
    criteria,
    unsure.map(({ number }) => number),
  )
}

function sameScores(before: SuggestedCriterion[], after: SuggestedCriterion[]): boolean {
  return (
    before.length === after.length &&
    after.every((one) =>
      before.some(({ criterion_id, score }) => criterion_id === one.criterion_id && score === one.score),
    )
  )
}
