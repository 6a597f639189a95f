import mongoose from 'mongoose'

/** What was changed of one answer: people's points before and after, or its manual group. Null: none. */
export interface AnswerChange<T> {
  submission_id: number
  before: T | null
  after: T | null
}

export type PointsByCriterion = Record<string, number>

interface ChangeOf<K extends string, T> {
  kind: K
  changes: AnswerChange<T>[]
}

/**
 * What somebody did to many answers of a question at once. It is stored before any answer is changed: a process that dies in between
 * completes it when it starts again, so that a group is decided as a whole or not at all.
 */
export type QuestionChangeDoc = {
  _id: number
  assignment_id: number
  question_id: string
  actor_id: number
  actor_role: string
  session_id: string
  state: 'applying' | 'applied' | 'undone'
  /** The change that this one takes back. Absent: none. */
  undoes?: number
  at: Date
} & (ChangeOf<'decision', PointsByCriterion> | ChangeOf<'grouping', string>)

const changeSchema = new mongoose.Schema<QuestionChangeDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    question_id: { type: String, required: true },
    actor_id: { type: Number, required: true },
    actor_role: { type: String, required: true },
    session_id: { type: String, required: true },
    state: { type: String, required: true },
    undoes: Number,
    at: { type: Date, required: true },
    kind: { type: String, required: true },
    changes: { type: mongoose.Schema.Types.Mixed, required: true },
  },
  { versionKey: false, minimize: false },
)
changeSchema.index({ assignment_id: 1, question_id: 1, actor_id: 1, _id: -1 })
changeSchema.index({ state: 1 })
export const QuestionChangeModel = mongoose.model('QuestionChange', changeSchema, 'question_changes')
