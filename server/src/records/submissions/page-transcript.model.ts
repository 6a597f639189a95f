import type { TranscribedLine } from '../../grader/transcribe/transcribed-line.ts'
import { defineModel, defineSchema, Mixed } from '../../lib/database/define-model.ts'

/** By an LLM; each page of a blank or key is sent once. */
interface PageTranscriptDoc {
  _id: string
  file_hash: string
  lines: TranscribedLine[]
  at: Date
}

const transcriptSchema = defineSchema<PageTranscriptDoc>({
  _id: String,
  file_hash: { type: String, required: true },
  lines: { type: Mixed, required: true },
  at: { type: Date, required: true },
})
transcriptSchema.index({ file_hash: 1 })
export const PageTranscriptModel = defineModel('PageTranscript', transcriptSchema, 'page_transcripts')

/** `readBy` is the LLM's name with the prompt's version. */
export const transcriptId = (hash: string, page: number, readBy: string) => `${hash}/${page}/${readBy}`
