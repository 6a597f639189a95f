import type { Rubric } from '@assay/shared/rubrics.ts'
import type { ReviewReason, SuggestedCriterion, SuggestedGrade } from '../grader.ts'
import { summariseGrade } from './grade-summary.ts'
import { gradeFrom, lowConfidenceReasons } from './low-confidence.ts'
import { questionIdsOf, type TeacherScores, withTeacherScores } from './teacher-scores.ts'

export type PreviousGrade = Pick<SuggestedGrade, 'criteria' | 'reasons' | 'summary'>

/** Takes `only` from `fresh`. @throws {RangeError} when a criterion of the rubric is in neither grade */
export function combineGrade(
  rubric: Rubric,
  previous: PreviousGrade,
  fresh: SuggestedGrade,
  only: ReadonlySet<string>,
  teacherScores: TeacherScores = {},
): SuggestedGrade {
  const criteria = rubric.questions.flatMap((question) =>
    question.criteria.map(({ id }) => {
      const from = only.has(question.id) ? fresh : previous
      const found = from.criteria.find((one) => one.criterion_id === id && one.question_id === question.id)
      if (!found) throw new RangeError(`Criterion ${id} is in neither the previous nor the new grade.`)
      return found
    }),
  )
  const counted = withTeacherScores(criteria, teacherScores)
  const reasons = combineReasons(rubric, previous.reasons, { ...fresh, criteria }, only)
  const isSame = sameScores(previous.criteria, criteria)
  const summary = isSame ? previous.summary : summariseGrade(rubric.questions, counted)
  return { ...gradeFrom(criteria, reasons, summary), ...llmCallFieldsOf(fresh) }
}

/** Earlier calls stay with the earlier grade. */
const llmCallFieldsOf = ({ call_ids, prompt_version, input_hash }: SuggestedGrade): Partial<SuggestedGrade> => ({
  ...(call_ids ? { call_ids } : {}),
  ...(prompt_version ? { prompt_version } : {}),
  ...(input_hash ? { input_hash } : {}),
})

/** Findings about the paper that hold only if found again; unknown where nothing is graded again. */
const CORRECTABLE = new Set(['nothing_written', 'graders_differ', 'two_students', 'other_name'])

/** Of the points, not of what the answer says. */
const isDoubt = ({ code, question_ids }: ReviewReason) => code === 'low_confidence' && question_ids !== undefined

/** A question's reasons change with its own grade alone. */
function combineReasons(
  rubric: Rubric,
  before: ReviewReason[],
  { reasons: fresh, criteria }: Pick<SuggestedGrade, 'reasons' | 'criteria'>,
  only: ReadonlySet<string>,
): ReviewReason[] {
  const order = rubric.questions.map(({ id }) => id)
  const kept = before.filter((reason) => questionIdsOf(reason).some((id) => !only.has(id) && order.includes(id)))
  const doubts = fresh.some(isDoubt) || before.some(isDoubt) ? lowConfidenceReasons(rubric, criteria) : []
  const changed = [...fresh.filter((reason) => !isDoubt(reason)), ...doubts].filter((reason) =>
    questionIdsOf(reason).some((id) => only.has(id)),
  )
  const ofPaper = fresh.filter((reason) => questionIdsOf(reason).length === 0)
  const seen = before.filter(
    (reason) =>
      questionIdsOf(reason).length === 0 &&
      (only.size === 0 || !CORRECTABLE.has(reason.code)) &&
      !ofPaper.some(({ code, message }) => code === reason.code && message === reason.message),
  )
  const place = (reason: ReviewReason) => Math.max(-1, ...questionIdsOf(reason).map((id) => order.indexOf(id)))
  return [...ofPaper, ...seen, ...kept, ...changed].toSorted((a, b) => place(a) - place(b))
}

function sameScores(before: SuggestedCriterion[], after: SuggestedCriterion[]): boolean {
  return (
    before.length === after.length &&
    after.every((one) =>
      before.some(({ criterion_id, score }) => criterion_id === one.criterion_id && score === one.score),
    )
  )
}
