import type { ItemWords } from '@assay/shared/item-words.ts'
import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import type { RubricItem } from '@assay/shared/rubric-items.ts'
import { adjustmentFor, withItems } from '@assay/shared/rules/item-points.ts'
import { formatPoints, plural } from '../../../../lib/format.ts'
import { decidedAfter, type Given } from '../answer-groups.ts'

type Criteria = QuestionToGrade['question']['criteria']
type Items = readonly RubricItem[]

export type AnswerDecision = Pick<QuestionAnswer, 'decided' | 'items' | 'adjustments'>

export const itemsOf = ({ items: ids = [] }: Pick<QuestionAnswer, 'items'>, items: Items): RubricItem[] =>
  items.filter(({ id }) => ids.includes(id))

export function sortItems(items: Items, criteria: Criteria): RubricItem[] {
  const place = new Map(criteria.map(({ id }, index) => [id, index]))
  return items
    .filter(({ criterion_id }) => place.has(criterion_id))
    .toSorted((a, b) => (place.get(a.criterion_id) ?? 0) - (place.get(b.criterion_id) ?? 0))
}

export function itemState(answers: readonly QuestionAnswer[], itemId: number): 'all' | 'some' | 'none' {
  const having = answers.filter(({ items = [] }) => items.includes(itemId)).length
  if (having === 0) return 'none'
  return having === answers.length ? 'all' : 'some'
}

/** After points by hand; beside items they are stored as an adjustment. */
export function afterPoints(answer: QuestionAnswer, given: Given, items: Items, criteria: Criteria): AnswerDecision {
  const decided = decidedAfter(answer, given)
  const own = itemsOf(answer, items)
  if (own.length === 0) return { decided }
  const kept = given === null ? own.filter(({ kind }) => kind === 'comment') : own
  const adjustments = criteria.flatMap(({ id, points: most }) => {
    const before = answer.adjustments?.[id]
    const points = decided?.[id]
    const ofCriterion = kept.filter(({ criterion_id }) => criterion_id === id)
    const adjustment =
      points === answer.decided?.[id] ? before : adjustmentFor({ items: ofCriterion, points, adjustment: before }, most)
    return adjustment === undefined ? [] : [[id, adjustment] as const]
  })
  return { decided, items: kept.map(({ id }) => id), adjustments: Object.fromEntries(adjustments) }
}

export function afterItem(
  answer: QuestionAnswer,
  item: RubricItem,
  applied: boolean,
  { items, criteria }: { items: Items; criteria: Criteria },
): AnswerDecision {
  const { criterion_id } = item
  const most = criteria.find(({ id }) => id === criterion_id)?.points ?? 0
  const before = itemsOf(answer, items)
  const after = applied
    ? [...before.filter(({ id }) => id !== item.id), item]
    : before.filter(({ id }) => id !== item.id)
  const own = (all: readonly RubricItem[]) => all.filter((one) => one.criterion_id === criterion_id)
  const { [criterion_id]: points, ...others } = answer.decided ?? {}
  const { [criterion_id]: adjustment, ...rest } = answer.adjustments ?? {}
  const now = withItems({ items: own(before), points, adjustment }, own(after), most)
  const decided = now.points === undefined ? others : { ...others, [criterion_id]: now.points }
  return {
    decided: Object.keys(decided).length > 0 ? decided : null,
    items: after.map(({ id }) => id),
    adjustments: now.adjustment === undefined ? rest : { ...rest, [criterion_id]: now.adjustment },
  }
}

/** Points beyond a criterion's items; null where they differ or there are none. */
export function commonAdjustment(answers: readonly QuestionAnswer[], criterionId: string): number | null {
  const [first, ...others] = answers.map(({ adjustments }) => adjustments?.[criterionId])
  return first && others.every((one) => one === first) ? first : null
}

/** Criteria whose AI feedback students do not read: a person gave other points or a rubric item. */
export const saidByPerson = (answer: QuestionAnswer, items: readonly RubricItem[]): ReadonlySet<string> =>
  new Set([
    ...itemsOf(answer, items).map((item) => item.criterion_id),
    ...Object.keys(answer.decided ?? {}).filter((id) => answer.decided?.[id] !== answer.suggested[id]),
  ])

/** None has another meaning on the screen; for the left hand, as the right one moves. */
export const ITEM_KEYS = ['q', 'w', 'e', 'r', 't', 'd', 'f', 'g', 'c', 'v', 'b', 'y', 'u', 'h', 'l']
export const ADD_ITEM_KEY = 'i'

/** `+2`, `−0.5`; empty for a comment. */
export function itemWorth({ kind, points }: Pick<ItemWords, 'kind' | 'points'>): string {
  if (kind === 'comment') return ''
  return `${kind === 'gives' ? '+' : '−'}${formatPoints(points)}`
}

export function itemWorthInWords({ kind, points }: Pick<ItemWords, 'kind' | 'points'>): string {
  if (kind === 'comment') return 'Comment'
  return `${kind === 'gives' ? 'Gives' : 'Takes off'} ${plural(Number(formatPoints(points)), 'point')}`
}

/** `+0.5` or `−1` */
export const signed = (points: number) => `${points < 0 ? '−' : '+'}${formatPoints(Math.abs(points))}`
