import type { Question, QuestionKind } from '@assay/shared/rubrics.ts'
import { normalFormOf } from '../../grader/grouping/normal-form.ts'
import { compareInThread } from '../../grader/similarity/compare-in-thread.ts'
import type { PaperToCompare, QuestionToCompare } from '../../grader/similarity/similar-papers.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { QuestionAnswerDoc } from '../../records/grading/question-answer.model.ts'
import type { SimilarPairDoc } from '../../records/grading/similarity-report.model.ts'
import { findQuestionAnswers } from '../questions/question-answers.ts'

/** So many are looked at by nobody; twenty who are all alike are 190. */
const MOST_PAIRS = 300
/** How much of the time reading the answers takes. */
const READING_SHARE = 0.3
const IN_WORDS: ReadonlySet<QuestionKind> = new Set(['text', 'essay'])

/** Compares all papers of an assignment that have answers, on a thread of its own. @param progress how far it is, 0..1 */
export async function comparePapers(
  assignment: AssignmentDoc,
  signal: AbortSignal,
  progress: (share: number) => void = () => {},
): Promise<{ papers: number; pairs: SimilarPairDoc[] }> {
  const questions = (assignment.rubric?.questions ?? []).filter(({ kind }) => kind !== 'drawing')
  const papers = new Map<number, Map<string, { text: string; normal: string; right: boolean | null }>>()
  for (const [i, question] of questions.entries()) {
    signal.throwIfAborted()
    progress((READING_SHARE * i) / questions.length)
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
  const pairs = await compareInThread(
    { questions: questions.map(toCompare), papers: list, most: MOST_PAIRS },
    { signal, progress: (share) => progress(READING_SHARE + (1 - READING_SHARE) * share) },
  )
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
