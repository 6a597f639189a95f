import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import { listRubricItems, type RubricItem } from '@assay/shared/rubric-items.ts'
import { adjustmentFor, withItems } from '@assay/shared/rules/item-points.ts'
import { useMemo, useState } from 'react'
import { type QueryResult, useGet } from '../../../../lib/api/api-hooks.ts'
import { ITEM_KEYS } from '../../../grades/item-words.ts'
import { decidedAfter, type Given } from '../answer-groups.ts'

export type ItemForm = { adding: { criterionId: string } } | { editing: RubricItem }

export interface ItemToConfirm {
  item: RubricItem
  applied: boolean
  answers: QuestionAnswer[]
}

export type ItemPanel = ReturnType<typeof useItemPanel>

interface Options {
  items: RubricItem[]
  loaded: QueryResult<RubricItem[]>
  answers: readonly QuestionAnswer[]
  all: readonly QuestionAnswer[]
  asks: boolean
  apply: (answers: readonly QuestionAnswer[], item: RubricItem, applied: boolean) => Promise<boolean>
}

export function useRubricItems(
  params: { assignmentId: number; questionId: string },
  { criteria }: Pick<QuestionToGrade['question'], 'criteria'>,
) {
  const loaded = useGet(listRubricItems, params)
  const items = useMemo(() => sortItems(loaded.data ?? [], criteria), [loaded.data, criteria])
  return { items, loaded }
}

export function useItemPanel({ items, loaded, answers, all, asks, apply }: Options) {
  const [form, setForm] = useState<ItemForm | null>(null)
  const [toConfirm, setToConfirm] = useState<ItemToConfirm | null>(null)
  const confirm = (one: ItemToConfirm) => void apply(one.answers, one.item, one.applied)
  function toggle(item: RubricItem) {
    const applied = itemState(answers, item.id) !== 'all'
    const change = {
      item,
      applied,
      answers: answers.filter(({ items: own = [] }) => own.includes(item.id) !== applied),
    }
    if (asks) setToConfirm(change)
    else confirm(change)
  }
  const keys: Record<string, () => void> = Object.fromEntries(
    items.slice(0, ITEM_KEYS.length).map((item, index) => [ITEM_KEYS[index], () => toggle(item)]),
  )
  return {
    items,
    loaded,
    keyOf: (item: RubricItem) => ITEM_KEYS[items.indexOf(item)],
    countOf: ({ id }: RubricItem) => all.filter(({ items: own = [] }) => own.includes(id)).length,
    toggle,
    edit: (item: RubricItem) => setForm({ editing: item }),
    add: (criterionId: string) => setForm({ adding: { criterionId } }),
    toConfirm,
    confirm,
    closeConfirm: () => setToConfirm(null),
    form,
    closeForm: () => setForm(null),
    keys,
  }
}

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
