import type { Box } from '@assay/shared/papers.ts'
import mongoose from 'mongoose'
import type { TranscribedLine } from '../../grader/transcribe/transcribe-page.ts'

/** A page as a model read it: the same page of the same file is asked for once, however often it is graded. */
export interface PageTranscriptDoc {
  /** See `transcriptId`. */
  _id: string
  file_hash: string
  lines: TranscribedLine[]
  /** What of the page the model was not shown. Absent in those read before this was kept. */
  covered?: Box[]
  at: Date
}

const transcriptSchema = new mongoose.Schema<PageTranscriptDoc>(
  {
    _id: String,
    file_hash: { type: String, required: true },
    lines: { type: mongoose.Schema.Types.Mixed, required: true },
    covered: mongoose.Schema.Types.Mixed,
    at: { type: Date, required: true },
  },
  { versionKey: false },
)
transcriptSchema.index({ file_hash: 1 })
export const PageTranscriptModel = mongoose.model('PageTranscript', transcriptSchema, 'page_transcripts')

/** `readBy` is the model's name with the version of what it is asked. */
export const transcriptId = (hash: string, page: number, readBy: string) => `${hash}/${page}/${readBy}`
