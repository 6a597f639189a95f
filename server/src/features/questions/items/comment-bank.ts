import type { BankItem } from '@assay/shared/rubric-items.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { QuestionAnswerModel } from '../../../records/grading/question-answer.model.ts'
import type { RubricItemDoc } from '../../../records/grading/rubric-item.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignments } from '../../assignments/assignment.service.ts'
import { findItemsOfCourse } from '../../rubric-items/rubric-item.service.ts'

/** More words narrow it down. */
const MAX_FOUND = 40
const MAX_COUNTED = 400

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

export async function countAnswers(itemIds: number[]): Promise<ReadonlyMap<number, number>> {
  const counts = new Map(itemIds.map((id) => [id, 0]))
  if (itemIds.length === 0) return counts
  const answers = await QuestionAnswerModel.find({ item_ids: { $in: itemIds } }, { item_ids: 1 }).lean()
  for (const { item_ids = [] } of answers)
    for (const id of item_ids) if (counts.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

/** The most used first, each text once. Masks names where either assignment hides them. */
export async function searchBank(
  assignment: AssignmentDoc,
  questionId: string,
  search: string,
  { names }: Pick<Services, 'names'>,
): Promise<BankItem[]> {
  if (assignment.course_id === null) return []
  const all = await findItemsOfCourse(assignment.course_id)
  const here = ({ assignment_id, question_id }: RubricItemDoc) =>
    assignment_id === assignment._id && question_id === questionId
  // This question's items are offered already.
  const known = new Set(all.filter(here).map(wordsOf))
  const sources = new Map(
    (await findAssignments([...new Set(all.map(({ assignment_id }) => assignment_id))])).map((one) => [one._id, one]),
  )
  const mask = await names.maskFor(assignment)
  const masks = new Map(
    await Promise.all([...sources.values()].map(async (one) => [one._id, await names.maskFor(one)] as const)),
  )
  const words = fold(search).split(/\s+/).filter(Boolean)
  const found = all.flatMap((item) => {
    const source = sources.get(item.assignment_id)
    if (!source || source.course_id !== assignment.course_id || known.has(wordsOf(item))) return []
    const question = source.rubric?.questions.find(({ id }) => id === item.question_id)
    const shown = {
      text: mask.hide(masks.get(source._id)?.hide(item.text) ?? item.text),
      question: question ? `${question.number}. ${question.prompt}`.slice(0, 200) : '',
    }
    // Hidden names cannot be searched for either.
    const haystack = fold(`${shown.text} ${shown.question}`)
    return words.every((word) => haystack.includes(word)) ? [{ item, source, ...shown }] : []
  })
  const counts = await countAnswers(found.slice(0, MAX_COUNTED).map(({ item }) => item._id))
  const byWords = Map.groupBy(found, ({ item }) => wordsOf(item))
  return [...byWords.values()]
    .flatMap((same) => {
      const [first] = same
      if (!first) return []
      const { item, source, text, question } = first
      const answers = same.reduce((sum, one) => sum + (counts.get(one.item._id) ?? 0), 0)
      const { kind, points } = item
      return [{ id: item._id, kind, points, text, answers, assignment: source.title, question }]
    })
    .sort((a, b) => b.answers - a.answers || b.id - a.id)
    .slice(0, MAX_FOUND)
}

const wordsOf = ({ kind, points, text }: RubricItemDoc) => `${kind} ${points} ${fold(text)}`
