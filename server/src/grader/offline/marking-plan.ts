import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor, AnswerState } from '../grader.ts'
import type { AnswerGroup } from '../grouping/answer-group.ts'
import { groupAnswers } from '../grouping/group-answers.ts'
import { expectedErrorAfter } from '../selection/expected-error.ts'
import type { MarkableAnswer } from '../selection/markable-answer.ts'
import { FIRST_TO_MARK, selectAnswersToMark } from '../selection/select-answers-to-mark.ts'
import { ClassJudge, type ClassTexts } from './class-judge.ts'

/** One question's answers for a teacher to mark: in groups, and which of them first. Errors are shares of its points. */
export interface MarkingPlan {
  question_id: string
  groups: AnswerGroup[]
  /** Submissions whose answers to mark next, the most useful first; none that are marked, and one of those that say the same. */
  next: number[]
  /** The mean error expected of the answers that are not marked: now, and once those of `next` are. */
  expected_error: number
  expected_error_after: number
  /** How many answers have a teacher's points on all criteria, and how many others have other points because of those. */
  decided: number
  moved: number
}

/** What the plan needs of each submission's answer to the question. */
export interface StatedAnswer {
  id: number
  text: string
  state: AnswerState
}

export interface PlanRequest {
  rubric: Rubric
  questionId: string
  everyone: ClassTexts
  answers: readonly StatedAnswer[]
  anchors?: readonly Anchor[]
  /** How many to mark next. */
  count?: number
}

/** Throws a RangeError if the question is not in the rubric. */
export function planMarking({ rubric, questionId, everyone, answers, anchors = [], count }: PlanRequest): MarkingPlan {
  const question = rubric.questions.find(({ id }) => id === questionId)
  if (!question) throw new RangeError(`Question ${questionId} is not in the rubric.`)
  // Questions are judged for each other's sake only by what the teacher decided on the whole paper.
  const judge = new ClassJudge(rubric, everyone, [...anchors])
  const decidedOn = decidedSubmissions(question, anchors)
  const states = new Map(answers.map(({ id, state }) => [id, state]))
  const outlooks = new Map(answers.map(({ id }) => [id, judge.outlookFor(questionId, id)]))
  const groups = groupAnswers(
    answers.map((answer) => ({ ...answer, share: outlooks.get(answer.id)?.predicted ?? null })),
    question,
    { idf: judge.inverseDocumentFrequency },
  )
  const markable = groups
    .flatMap(({ variants }) => variants)
    .flatMap(({ ids }) => {
      const [first = 0] = ids
      return states.get(first) === 'read' ? [{ id: first, answer: markableOf(ids, outlooks, decidedOn) }] : []
    })
  const all = markable.map(({ answer }) => answer)
  const similarity = (a: number, b: number) =>
    judge.similarityOf(questionId, markable[a]?.id ?? 0, markable[b]?.id ?? 0)
  const next = selectAnswersToMark(all, similarity, count ?? FIRST_TO_MARK)
  return {
    question_id: questionId,
    groups: groups.map((group) => withPresentShare(group, outlooks)),
    next: next.flatMap((place) => markable[place]?.id ?? []),
    expected_error: expectedErrorAfter(all, similarity),
    expected_error_after: expectedErrorAfter(all, similarity, next),
    decided: decidedOn.size,
    moved: [...outlooks].filter(([id, outlook]) => !decidedOn.has(id) && outlook.moved).length,
  }
}

/** Where it has points on every criterion; approving a suggestion is no decision. */
function decidedSubmissions({ criteria }: Question, anchors: readonly Anchor[]): Set<number> {
  const own = new Set(criteria.map(({ id }) => id))
  const byPaper = Map.groupBy(
    anchors.filter(({ criterion_id, approved }) => own.has(criterion_id) && !approved),
    ({ submission_id }) => submission_id,
  )
  return new Set([...byPaper].flatMap(([id, given]) => (given.length >= own.size ? [id] : [])))
}

type Outlook = ReturnType<ClassJudge['outlookFor']>

function markableOf(
  ids: number[],
  outlooks: ReadonlyMap<number, Outlook>,
  decided: ReadonlySet<number>,
): MarkableAnswer {
  const first = outlooks.get(ids[0] ?? 0)
  return {
    share: first?.predicted ?? 0,
    error: first?.error ?? 1,
    count: ids.length,
    comparable: first?.comparable ?? false,
    decided: ids.some((id) => decided.has(id)),
  }
}

/** The share that its answers have now, after the teacher's decisions; the groups themselves do not change by these. */
function withPresentShare(group: AnswerGroup, outlooks: ReadonlyMap<number, Outlook>): AnswerGroup {
  const shares = group.variants.flatMap(({ ids }) => ids.flatMap((id) => outlooks.get(id)?.share ?? []))
  return { ...group, share: shares.length > 0 ? shares.reduce((sum, one) => sum + one, 0) / shares.length : null }
}
