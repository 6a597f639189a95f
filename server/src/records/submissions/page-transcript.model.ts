import type { Box } from '@assay/shared/papers.ts'
import mongoose from 'mongoose'
import type { TranscribedLine } from '../../grader/transcribe/transcribe-page.ts'

/** A page as transcribed by an LLM: each page of a file is sent once, however often it is graded. */
interface PageTranscriptDoc {
  /** See `transcriptId`. */
  _id: string
  file_hash: string
  lines: TranscribedLine[]
  /** What of the page was masked for the LLM. Absent in those transcribed before this was stored. */
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

/** `readBy` is the LLM's name with the prompt's version. */
export const transcriptId = (hash: string, page: number, readBy: string) => `${hash}/${page}/${readBy}`
