import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import { listRubricItems, type RubricItem } from '@assay/shared/rubric-items.ts'
import { useMemo, useState } from 'react'
import { type QueryResult, useGet } from '../../../../lib/api/api-hooks.ts'
import { ITEM_KEYS, itemState, sortItems } from './answer-items.ts'

export type ItemForm = { adding: { criterionId: string } } | { editing: RubricItem }

export interface ItemToConfirm {
  item: RubricItem
  applied: boolean
  answers: QuestionAnswer[]
}

export interface ItemPanel {
  items: RubricItem[]
  keyOf: (item: RubricItem) => string | undefined
  countOf: (item: RubricItem) => number
  toggle: (item: RubricItem) => void
  edit: (item: RubricItem) => void
  add: (criterionId: string) => void
  toConfirm: ItemToConfirm | null
  confirm: (confirmed: ItemToConfirm) => void
  closeConfirm: () => void
  form: ItemForm | null
  closeForm: () => void
  loaded: QueryResult<RubricItem[]>
  keys: Record<string, () => void>
}

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

export function useItemPanel({ items, loaded, answers, all, asks, apply }: Options): ItemPanel {
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
  return {
    items,
    loaded,
    keyOf: (item) => ITEM_KEYS[items.indexOf(item)],
    countOf: ({ id }) => all.filter(({ items: own = [] }) => own.includes(id)).length,
    toggle,
    edit: (item) => setForm({ editing: item }),
    add: (criterionId) => setForm({ adding: { criterionId } }),
    toConfirm,
    confirm,
    closeConfirm: () => setToConfirm(null),
    form,
    closeForm: () => setForm(null),
    keys: Object.fromEntries(
      items.slice(0, ITEM_KEYS.length).map((item, index) => [ITEM_KEYS[index], () => toggle(item)]),
    ),
  }
}
