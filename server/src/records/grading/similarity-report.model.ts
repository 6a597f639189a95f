import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** Character ranges, ends excluded, in both answers as read. */
interface SharedPassageDoc {
  words: number
  first: [number, number]
  second: [number, number]
}

export interface SimilarPairDoc {
  first: number
  second: number
  answers: { question_id: string; kind: 'words' | 'same_wrong_answer'; passages: SharedPassageDoc[] }[]
}

const reportSchema = schemaOf(
  {
    _id: field.id(Number),
    enabled: field.required(Boolean),
    /** Earlier versions also stored `stopped`, keeping what was found. */
    state: field.required<'comparing' | 'done' | 'failed' | 'stopped'>(String),
    /** The comparison requested last; others' results do not count. */
    wanted: field.optional(String),
    compared_at: field.nullable(Date),
    papers: field.required(Number),
    pairs: field.required<SimilarPairDoc[]>(Mixed),
    /** By `first-second`. */
    dismissed: field.required<Record<string, { by: number; at: Date }>>(Mixed),
  },
  { minimize: false },
)
export type SimilarityReportDoc = DocOf<typeof reportSchema>
export const SimilarityReportModel = defineModel('SimilarityReport', reportSchema, 'similarity_reports')
