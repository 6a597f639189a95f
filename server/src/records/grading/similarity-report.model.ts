import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** Character ranges, ends excluded, in both answers as they were read. */
interface SharedPassageDoc {
  words: number
  first: [number, number]
  second: [number, number]
}

/** Submissions, and what makes them alike, the most first. Their words are read when shown. */
export interface SimilarPairDoc {
  first: number
  second: number
  answers: { question_id: string; kind: 'words' | 'same_wrong_answer'; passages: SharedPassageDoc[] }[]
}

/** Absent: nobody has asked. */
export interface SimilarityReportDoc {
  _id: number
  enabled: boolean
  /** An earlier version also stored `stopped`: what was found stays. */
  state: 'comparing' | 'done' | 'failed' | 'stopped'
  /** The comparison requested last: results of earlier ones do not count. */
  wanted?: string
  compared_at: Date | null
  papers: number
  pairs: SimilarPairDoc[]
  /** By `first-second`; kept when papers are compared again. */
  dismissed: Record<string, { by: number; at: Date }>
}

const reportSchema = defineSchema<SimilarityReportDoc>(
  {
    _id: Number,
    enabled: { type: Boolean, required: true },
    state: { type: String, required: true },
    wanted: String,
    compared_at: { type: Date, default: null },
    papers: { type: Number, required: true },
    pairs: { type: Mixed, required: true },
    dismissed: { type: Mixed, required: true },
  },
  { minimize: false },
)
export const SimilarityReportModel = defineModel('SimilarityReport', reportSchema, 'similarity_reports')
