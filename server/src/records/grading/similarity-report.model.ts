import mongoose from 'mongoose'

/** Ranges of characters, from the first up to and without the second, in both answers as they were read. */
interface SharedPassageDoc {
  words: number
  first: [number, number]
  second: [number, number]
}

/** Two papers, by their submissions, and what tells that they are alike, the most first. Their words are read when they are shown. */
export interface SimilarPairDoc {
  first: number
  second: number
  answers: { question_id: string; kind: 'words' | 'same_wrong_answer'; passages: SharedPassageDoc[] }[]
}

/** Which papers of an assignment are unusually alike. Absent: nobody has asked. */
export interface SimilarityReportDoc {
  /** The assignment's id. */
  _id: number
  enabled: boolean
  /** Of an earlier version also `stopped`: what was found before stays. */
  state: 'comparing' | 'done' | 'failed' | 'stopped'
  /** Which comparison was asked for last: the result of an earlier one does not count. */
  wanted?: string
  compared_at: Date | null
  papers: number
  pairs: SimilarPairDoc[]
  /** What teachers called no concern, by `first-second`; it stays when papers are compared again. */
  dismissed: Record<string, { by: number; at: Date }>
}

const reportSchema = new mongoose.Schema<SimilarityReportDoc>(
  {
    _id: Number,
    enabled: { type: Boolean, required: true },
    state: { type: String, required: true },
    wanted: String,
    compared_at: { type: Date, default: null },
    papers: { type: Number, required: true },
    pairs: { type: mongoose.Schema.Types.Mixed, required: true },
    dismissed: { type: mongoose.Schema.Types.Mixed, required: true },
  },
  { versionKey: false, minimize: false },
)
export const SimilarityReportModel = mongoose.model('SimilarityReport', reportSchema, 'similarity_reports')
