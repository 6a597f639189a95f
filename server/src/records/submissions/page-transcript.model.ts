import type { TranscribedLine } from '../../grader/transcribe/transcribed-line.ts'
import { defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

/** Each page of a blank or key is sent to an LLM once. */
const transcriptSchema = schemaOf({
  _id: field.id(String),
  file_hash: field.required(String),
  lines: field.required<TranscribedLine[]>(Mixed),
  at: field.required(Date),
})
transcriptSchema.index({ file_hash: 1 })
export const PageTranscriptModel = defineModel('PageTranscript', transcriptSchema, 'page_transcripts')

/** `readBy`: the LLM's name with the prompt's version. */
export const transcriptId = (hash: string, page: number, readBy: string) => `${hash}/${page}/${readBy}`
