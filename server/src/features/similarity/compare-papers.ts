import type { Question, QuestionKind } from '@assay/shared/rubrics.ts'
import { normalFormOf } from '../../grader/grouping/normal-form.ts'
import { type PaperToCompare, type QuestionToCompare, similarPapers } from '../../grader/similarity/similar-papers.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import type { SimilarPairDoc } from '../../records/grading/similarity-report.model.ts'
import { findQuestionAnswers } from '../questions/question-answers.ts'

/** So many are looked at by nobody. */
const MOST_PAIRS = 100
const IN_WORDS: ReadonlySet<QuestionKind> = new Set(['text', 'essay'])

/** Compares all papers of an assignment that have answers. */
export async function comparePapers(
  assignment: AssignmentDoc,
  signal: AbortSignal,
): Promise<{ papers: number; pairs: SimilarPairDoc[] }> {
  const questions = (assignment.rubric?.questions ?? []).filter(({ kind }) => kind !== 'drawing')
  const papers = new Map<number, Map<string, { text: string; normal: string; right: boolean | null }>>()
  for (const question of questions) {
    signal.throwIfAborted()
    const normal = IN_WORDS.has(question.kind) ? () => '' : normalFormOf(question)
    const { answers } = await findQuestionAnswers(assignment, question)
    for (const answer of answers) {
      const own = papers.get(answer.submission_id) ?? new Map()
      papers.set(answer.submission_id, own)
      if (answer.state === 'read')
        own.set(question.id, { text: answer.text, normal: normal(answer.text), right: isRight(answer) })
    }
  }
  const list = [...papers].map(([id, answers]): PaperToCompare => ({ id, answers }))
  const pairs = similarPapers(questions.map(toCompare), list, MOST_PAIRS)
  return {
    papers: list.length,
    pairs: pairs.map(({ first, second, reasons }) => ({
      first,
      second,
      answers: reasons.map(({ questionId, kind, passages }) => ({ question_id: questionId, kind, passages })),
    })),
  }
}

const toCompare = ({ id, kind, prompt, criteria }: Question): QuestionToCompare => ({
  id,
  exact: !IN_WORDS.has(kind),
  known: [prompt, ...criteria.flatMap(({ text, expected, alternatives }) => [text, expected, ...alternatives])],
})

/** By people's points, else by the suggested ones; null where there are neither. */
function isRight({ criteria, decided }: QuestionAnswerDoc): boolean | null {
  const points = criteria.map(({ id, score }) => decided?.[id] ?? score)
  if (points.some((given) => given === null)) return null
  return points.every((given, i) => given === criteria[i]?.max)
}
