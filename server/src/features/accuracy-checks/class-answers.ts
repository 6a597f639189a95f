import type { Question } from '@assay/shared/rubrics.ts'
import type { AnswerToCompare } from '../../grader/agreement/estimate-agreement.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { AccuracyCheckDoc } from '../../records/grading/accuracy-check.model.ts'
import type { PointsByCriterion } from '../../records/grading/question-change.model.ts'
import { questionPoints } from '../questions/question.present.ts'
import { findQuestionAnswers, suggestedShare } from '../questions/question-answers.ts'

/** An answer with a suggestion, beside what was marked for it in a check. */
export interface ClassAnswer extends AnswerToCompare {
  submissionId: number
  question: Question
  /** Of the question. */
  points: number
  /** People gave points for each of its criteria. */
  decided: boolean
}

/** Of what people have given all points for the grader suggests nothing any more that could be trusted or not. */
export const undecided = (answers: readonly ClassAnswer[]): ClassAnswer[] => answers.filter(({ decided }) => !decided)

/** All answers of an assignment that have a suggestion. `marks`: of a check, by `answerKey`. */
export async function classAnswers(
  assignment: AssignmentDoc,
  marks: ReadonlyMap<string, PointsByCriterion> = new Map(),
): Promise<ClassAnswer[]> {
  const all: ClassAnswer[] = []
  // One after another, as they may be many.
  for (const question of assignment.rubric?.questions ?? []) {
    const points = questionPoints(question)
    const { answers } = await findQuestionAnswers(assignment, question)
    for (const answer of answers) {
      const share = suggestedShare(answer)
      if (share === null || points <= 0) continue
      const most = answer.criteria.reduce((sum, { max }) => sum + max, 0)
      const sure = answer.criteria.reduce((sum, { confidence, max }) => sum + confidence * max, 0)
      const marked = marks.get(answerKey(answer.submission_id, question.id))
      const person = marked && markedShare(question, marked)
      all.push({
        submissionId: answer.submission_id,
        questionId: question.id,
        question,
        points,
        share,
        expectedError: most > 0 ? 1 - sure / most : 1,
        level: levelOf(points),
        decided: answer.complete,
        ...(person === undefined || person === null ? {} : { person }),
      })
    }
  }
  return all
}

export const answerKey = (submissionId: number, questionId: string) => `${submissionId}/${questionId}`

/** One point, or half of it where there is only one; as a share. */
const levelOf = (points: number) => (points > 1 ? 1 : 0.5) / points

/** Null for marks by criteria that the question no longer has. */
function markedShare(question: Question, marked: PointsByCriterion): number | null {
  const fits = question.criteria.every(({ id, points }) => (marked[id] ?? Number.POSITIVE_INFINITY) <= points)
  const given = question.criteria.reduce((sum, { id }) => sum + (marked[id] ?? 0), 0)
  return fits && Object.keys(marked).length === question.criteria.length ? given / questionPoints(question) : null
}

/** What was marked in a check, by `answerKey`. */
export const marksOf = ({ answers }: AccuracyCheckDoc): Map<string, PointsByCriterion> =>
  new Map(
    answers.flatMap(({ submission_id, question_id, points }) =>
      points ? [[answerKey(submission_id, question_id), points] as const] : [],
    ),
  )
