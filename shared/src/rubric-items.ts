import { z } from 'zod'
import { BodyId, defineEndpoint, Id } from './http/endpoint.ts'
import { ItemWords } from './item-words.ts'
import { DecisionResult, MAX_ANSWERS_PER_DECISION, SeenAnswer } from './questions.ts'

export const MAX_ITEMS = 50

export const RubricItem = ItemWords.extend({
  id: Id,
  criterion_id: z.string(),
  revision: z.number().int(),
  answers: z.number().int(),
})
export type RubricItem = z.infer<typeof RubricItem>

export const BankItem = ItemWords.extend({
  id: Id,
  answers: z.number().int(),
  assignment: z.string(),
  question: z.string(),
})
export type BankItem = z.infer<typeof BankItem>

const questionPath = '/assignments/:assignmentId/questions/:questionId'

export const listRubricItems = defineEndpoint('get', `${questionPath}/items`, {
  summary: 'The rubric items of a question, in their order',
  reply: z.array(RubricItem),
})

export const createRubricItem = defineEndpoint('post', `${questionPath}/items`, {
  summary: 'Add a rubric item to a criterion',
  body: ItemWords.extend({ criterion_id: z.string().max(200), copy_of: BodyId.optional() }),
  reply: RubricItem,
  status: 201,
})

export const ItemChange = z.object({ change_id: Id.nullable(), item: RubricItem.nullable(), changed: z.array(Id) })
export type ItemChange = z.infer<typeof ItemChange>

export const changeRubricItem = defineEndpoint('patch', `${questionPath}/items/:itemId`, {
  summary: 'Change an item’s points or words in every answer that has it',
  body: ItemWords.extend({ revision: z.number().int() }),
  reply: ItemChange,
})

export const removeRubricItem = defineEndpoint('post', `${questionPath}/items/:itemId/removal`, {
  summary: 'Remove an item, from every answer that has it too',
  body: z.object({ revision: z.number().int() }),
  reply: ItemChange,
})

export const applyRubricItem = defineEndpoint('post', `${questionPath}/items/:itemId/answers`, {
  summary: 'Give an item to some answers at once, or take it away',
  body: z.object({ answers: z.array(SeenAnswer).min(1).max(MAX_ANSWERS_PER_DECISION), applied: z.boolean() }),
  reply: DecisionResult,
})

export const searchCommentBank = defineEndpoint('get', `${questionPath}/comment-bank`, {
  summary: 'Items of all assignments of the course, the most used first',
  query: z.object({
    /** Words of the item or of its question, all of them. */
    search: z.string().max(200).optional(),
  }),
  reply: z.array(BankItem),
})
