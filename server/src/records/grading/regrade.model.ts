import type { RegradeState } from '@assay/shared/regrades.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'
import type { PointsByCriterion } from './question-change.model.ts'

export interface RegradeDoc {
  _id: number
  assignment_id: number
  submission_id: number
  student_id: number
  state: RegradeState
  reason: string
  criterion: { id: number; text: string; criterion_id?: string } | null
  /** Absent in older requests: not known. */
  question?: { id: string; number: string } | null
  /** Of the criterion. Absent in older requests. */
  points?: { when_asked: number | null; when_answered: number | null; of: number } | null
  /** The release, as `<first criterion's id>/<revision>`: one request for each. */
  about: string
  asked_at: Date
  /** Percent. */
  score_when_asked: number
  answer: string | null
  answered_by: number | null
  answered_at: Date | null
  score_when_answered: number | null
  /** Stored before the points change, so that a restart completes both. Absent: nothing is under way. */
  answering?: AnswerUnderWay
}

/** `before` and `after` are a person's points by criterion. */
export interface AnswerUnderWay {
  answer: string
  at: Date
  actor: { id: number; role: string; session_id: string }
  change: { question_id: string; before: PointsByCriterion | null; after: PointsByCriterion } | null
  /** Absent in answers of versions with only one process. */
  process?: string
}

const mixed = { type: Mixed, default: null }

const regradeSchema = defineSchema<RegradeDoc>(
  {
    _id: Number,
    assignment_id: { type: Number, required: true },
    submission_id: { type: Number, required: true },
    student_id: { type: Number, required: true },
    state: { type: String, required: true },
    reason: { type: String, required: true },
    criterion: mixed,
    question: mixed,
    points: mixed,
    about: { type: String, required: true },
    asked_at: { type: Date, required: true },
    score_when_asked: { type: Number, required: true },
    answer: { type: String, default: null },
    answered_by: { type: Number, default: null },
    answered_at: { type: Date, default: null },
    score_when_answered: { type: Number, default: null },
    answering: { type: Mixed },
  },
  { minimize: false },
)
regradeSchema.index({ submission_id: 1, about: 1 }, { unique: true })
regradeSchema.index({ assignment_id: 1, state: 1 })
regradeSchema.index({ assignment_id: 1, answered_at: -1 })
regradeSchema.index({ 'answering.at': 1 }, { sparse: true })

export const RegradeModel = defineModel('Regrade', regradeSchema, 'regrades')
