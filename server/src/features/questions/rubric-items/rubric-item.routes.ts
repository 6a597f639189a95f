import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { ItemWords } from '@assay/shared/item-words.ts'
import {
  applyRubricItem,
  type BankItem,
  changeRubricItem,
  createRubricItem,
  type ItemChange,
  listRubricItems,
  type RubricItem,
  removeRubricItem,
  searchCommentBank,
} from '@assay/shared/rubric-items.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { withItems } from '@assay/shared/rules/item-points.ts'
import { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { AppError, invalidInput } from '../../../lib/http/app-error.ts'
import { type Actor, handle } from '../../../lib/http/handle.ts'
import { countEach } from '../../../lib/numbers.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type QuestionAnswerDoc, QuestionAnswerModel } from '../../../records/grading/question-answer.model.ts'
import type { DecisionChange } from '../../../records/grading/question-change.model.ts'
import type { ItemContent, RubricItemDoc } from '../../../records/grading/rubric-item.model.ts'
import type { Services } from '../../../services.ts'
import type { TextMask } from '../../anonymity/hidden-names.ts'
import { findAssignments } from '../../assignments/assignment.service.ts'
import { sameItems } from '../../grades/grade-items.ts'
import {
  addItem,
  contentOf,
  findItem,
  findItems,
  findItemsOfCourse,
  type ItemsById,
  requireItem,
} from '../../grades/rubric-items/rubric-item.service.ts'
import { projectAnswers, questionAnswerId } from '../answer-projection.ts'
import { type AfterDecision, notifyQuestionChanged } from '../projection-job.ts'
import { presentOutcome, requireQuestionFor } from '../question.service.ts'
import { applyNew, type ChangeOutcome, decide } from '../question-changes.ts'
import { inTurn, planItemRevision, requireItemRevision } from './item-revision.ts'

export function itemRoutes(services: Services, afterDecision: AfterDecision): Router {
  const { clock, names } = services
  const router = Router()

  handle(router, listRubricItems, async ({ params, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const items = [...(await findItems(assignment._id, question.id)).values()].filter(({ removed }) => !removed)
    const [counts, mask] = await Promise.all([countAnswers(items.map(({ _id }) => _id)), names.maskFor(assignment)])
    return items.map((item) => presentItem(item, counts.get(item._id) ?? 0, mask))
  })

  handle(router, createRubricItem, async ({ params, body, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    checkItem(question, body.criterion_id, body)
    const mask = await names.maskFor(assignment)
    const original = body.copy_of === undefined ? null : await findItem(body.copy_of)
    const inCourse = original !== null && original.course_id !== null && original.course_id === assignment.course_id
    const text = inCourse ? mask.reveal(body.text, original.text) : body.text
    const belonging = { question_id: question.id, criterion_id: body.criterion_id, author_id: actor.id }
    const item = await addItem(assignment, { ...belonging, ...wordsOf(body), text }, clock.now())
    await auditItem('rubric_item.created', assignment, actor, clock.now(), { after: item })
    notifyQuestionChanged(assignment, question.id, null, services)
    return presentItem(item, 0, mask)
  })

  handle(router, changeRubricItem, async ({ params, body, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const item = await requireItem(assignment._id, question.id, params.itemId)
    checkItem(question, item.criterion_id, body)
    const mask = await names.maskFor(assignment)
    const content = { ...wordsOf(body), text: mask.reveal(body.text, item.text), removed: false }
    return revise(assignment, question, { ...params, ...body }, content, actor)
  })

  handle(router, removeRubricItem, async ({ params, body, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const item = await requireItem(assignment._id, question.id, params.itemId)
    return revise(assignment, question, { ...params, ...body }, { ...contentOf(item), removed: true }, actor)
  })

  function revise(
    assignment: AssignmentDoc,
    question: Question,
    { itemId, revision }: { itemId: number; revision: number },
    after: ItemContent,
    actor: Actor,
  ): Promise<ItemChange> {
    return inTurn(assignment, question, async () => {
      const ids = { assignmentId: assignment._id, questionId: question.id, itemId }
      const item = await requireItemRevision(ids, revision)
      const now = clock.now()
      const change = { id: itemId, before: contentOf(item), after, revision: revision + 1 }
      const plan = await planItemRevision(assignment, question, change)
      const outcome = await applyNew(assignment, question, plan, actor, now)
      const action = after.removed ? 'rubric_item.removed' : 'rubric_item.changed'
      await auditItem(action, assignment, actor, now, { before: item, after: { ...item, ...after } })
      await afterDecision(assignment, question.id, outcome.change_id)
      const [stored, counts, mask] = await Promise.all([
        findItem(itemId),
        countAnswers([itemId]),
        names.maskFor(assignment),
      ])
      return {
        change_id: outcome.change_id,
        item: stored && !stored.removed ? presentItem(stored, counts.get(itemId) ?? 0, mask) : null,
        changed: outcome.changed,
      }
    })
  }

  handle(router, applyRubricItem, async ({ params, body, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const outcome = await inTurn(assignment, question, async () => {
      const item = await requireItem(assignment._id, question.id, params.itemId)
      return applyItem(assignment, question, item, body, { actor, now: clock.now() })
    })
    if (outcome.changed.length > 0) await afterDecision(assignment, question.id, outcome.change_id)
    return presentOutcome(question, outcome)
  })

  handle(router, searchCommentBank, async ({ params, query, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    return searchBank(assignment, question.id, query.search ?? '', services)
  })

  return router
}

const wordsOf = ({ kind, points, text }: ItemWords): ItemWords => ({
  kind,
  points: kind === 'comment' ? 0 : points,
  text,
})

const presentItem = (
  { _id, criterion_id, kind, points, text, revision }: RubricItemDoc,
  answers: number,
  mask: TextMask,
): RubricItem => ({ id: _id, criterion_id, kind, points, text: mask.hide(text), revision, answers })

function checkItem({ criteria }: Question, criterionId: string, { kind, points }: ItemWords): void {
  const most = criteria.find(({ id }) => id === criterionId)?.points
  if (most === undefined)
    throw new AppError('validation_failed', 'This question no longer has this criterion. Reload the page.')
  if (kind === 'comment' || points <= most) return
  throw invalidInput(['points'], `At most ${most} points, as the criterion has no more`, 'points')
}

function auditItem(
  action: string,
  { _id }: AssignmentDoc,
  actor: Actor,
  at: Date,
  { before, after }: { before?: RubricItemDoc; after: RubricItemDoc },
): Promise<void> {
  const audited = (item: RubricItemDoc) => ({
    item: item._id,
    question_id: item.question_id,
    criterion_id: item.criterion_id,
    ...contentOf(item),
  })
  return recordAudit(actor, action, { assignment_id: _id }, at, {
    ...(before ? { before: audited(before) } : {}),
    after: audited(after),
  })
}

async function applyItem(
  assignment: AssignmentDoc,
  question: Question,
  item: RubricItemDoc,
  { answers, applied }: BodyOf<typeof applyRubricItem>,
  { actor, now }: { actor: Actor; now: Date },
): Promise<ChangeOutcome> {
  await projectAnswers(assignment)
  const seen = new Map(answers.map((answer) => [answer.submission_id, answer]))
  const [projected, items] = await Promise.all([
    QuestionAnswerModel.find({
      _id: { $in: [...seen.keys()].map((id) => questionAnswerId(id, question.id)) },
      assignment_id: assignment._id,
    }).lean(),
    findItems(assignment._id, question.id),
  ])
  const conflicts: number[] = []
  const changes = projected.flatMap((answer): DecisionChange[] => {
    const saw = seen.get(answer.submission_id)
    if (saw?.items && !sameItems(saw.items, offered(answer, items))) {
      conflicts.push(answer.submission_id)
      return []
    }
    return toggled(answer, item, applied, items).map((change) => ({ ...change, before: saw?.decided ?? null }))
  })
  const outcome = await decide(assignment, question, changes, actor, now)
  const known = new Set(projected.map(({ submission_id }) => submission_id))
  return {
    ...outcome,
    conflicts: [...conflicts, ...outcome.conflicts],
    unavailable: [...outcome.unavailable, ...[...seen.keys()].filter((id) => !known.has(id))],
  }
}

const offered = ({ item_ids = [] }: QuestionAnswerDoc, items: ItemsById): number[] =>
  item_ids.filter((id) => items.get(id)?.removed === false)

function toggled(answer: QuestionAnswerDoc, item: RubricItemDoc, applied: boolean, items: ItemsById) {
  const before = offered(answer, items)
  const { criterion_id, _id } = item
  const most = answer.criteria.find(({ id }) => id === criterion_id)?.max
  if (before.includes(_id) === applied || most === undefined) return []
  const after = applied ? [...before, _id] : before.filter((id) => id !== _id)
  const own = (ids: number[]) =>
    ids.flatMap((id) => items.get(id) ?? []).filter((one) => one.criterion_id === criterion_id)
  const { [criterion_id]: points, ...others } = answer.decided ?? {}
  const { [criterion_id]: adjustment, ...rest } = answer.adjustments ?? {}
  const now = withItems({ items: own(before), points, adjustment }, own(after), most)
  const decided = now.points === undefined ? others : { ...others, [criterion_id]: now.points }
  return [
    {
      submission_id: answer.submission_id,
      after: Object.keys(decided).length > 0 ? decided : null,
      items: {
        before: { items: answer.item_ids ?? [], adjustments: answer.adjustments ?? {} },
        // Removed items are gone for good once a person has decided again.
        after: {
          items: after,
          adjustments: now.adjustment === undefined ? rest : { ...rest, [criterion_id]: now.adjustment },
        },
      },
    },
  ]
}

const MAX_FOUND = 40
const MAX_COUNTED = 400

const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

async function countAnswers(itemIds: number[]) {
  const wanted = new Set(itemIds)
  const answers = await QuestionAnswerModel.find({ item_ids: { $in: itemIds } }, { item_ids: 1 }).lean()
  return countEach(answers.flatMap(({ item_ids = [] }) => item_ids.filter((id) => wanted.has(id))))
}

/** The most used first. Masks names where either assignment hides them. */
async function searchBank(
  assignment: AssignmentDoc,
  questionId: string,
  search: string,
  { names }: Pick<Services, 'names'>,
): Promise<BankItem[]> {
  if (assignment.course_id === null) return []
  const all = await findItemsOfCourse(assignment.course_id)
  const here = ({ assignment_id, question_id }: RubricItemDoc) =>
    assignment_id === assignment._id && question_id === questionId
  const known = new Set(all.filter(here).map(bankKeyOf))
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
    if (!source || source.course_id !== assignment.course_id || known.has(bankKeyOf(item))) return []
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
  const byWords = Map.groupBy(found, ({ item }) => bankKeyOf(item))
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

const bankKeyOf = ({ kind, points, text }: RubricItemDoc) => `${kind} ${points} ${fold(text)}`
