import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { Id, Timestamp } from './http/ids.ts'
import { Evidence, Page } from './papers.ts'
import { PaperVersion } from './rubrics.ts'
import { teachingRoles } from './users.ts'

export const MAX_ANSWER_LENGTH = 20_000

/** Whether a corrected answer has been scored again: `failed` has the reason as a message. */
export const RescoringState = z.enum(['settled', 'waiting', 'failed'])
export type RescoringState = z.infer<typeof RescoringState>

/** Why a question was not read from an answer sheet; the last three are about the version of the paper. */
export const SheetFlag = z.enum([
  'none',
  'double',
  'faint',
  'erased',
  'crossed',
  'unplaced',
  'changed',
  'differs',
  'page',
  'version',
  'no_versions',
  'no_key',
])
export type SheetFlag = z.infer<typeof SheetFlag>

/** One answer as it is graded: what was read, and a teacher's correction. */
export const TranscribedAnswer = z.object({
  question_id: z.string(),
  /** As printed: `2`, `3 b`. */
  number: z.string(),
  prompt: z.string(),
  /** What counts: the teacher's words where there are any, else what was read. */
  text: z.string(),
  read_text: z.string(),
  /** How surely it was read, 0..1; 1 for typed text and for a teacher's correction. */
  reading: z.number(),
  found: z.boolean(),
  evidence: z.array(Evidence),
  /** How far the filled circle stands out from the next, 0..1, or why none was read. Null: not from an answer sheet. */
  sheet: z
    .object({
      separation: z.number(),
      flag: SheetFlag.nullable(),
      /** By its circle: `text` is in version A's letters, the evidence quotes the circle. Absent: it has none. */
      version: PaperVersion.optional(),
    })
    .nullable(),
  corrected: z.object({ by: z.string().nullable(), at: Timestamp }).nullable(),
  revision: z.number().int(),
  scoring: RescoringState,
  failure: z.string().nullable(),
})
export type TranscribedAnswer = z.infer<typeof TranscribedAnswer>

/** A paper as it was read. Lines of very long papers are left out after the first few thousand. */
export const Transcription = z.object({
  submission_id: Id,
  /** False until a run has read the paper: then there are no pages. */
  read: z.boolean(),
  /** The LLM that read the handwriting, `openai/gpt-…`; null where none did. */
  model: z.string().nullable(),
  pages: z.array(Page),
  /** The order pages were put in, by their numbers in the file; null: as they come. */
  page_order: z.array(z.number().int()).nullable(),
  answers: z.array(TranscribedAnswer),
})
export type Transcription = z.infer<typeof Transcription>

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const getTranscription = defineEndpoint('get', `${submissionPath}/transcription`, {
  summary: 'The transcription of a paper, by line and by answer',
  access: teachingRoles,
  reply: Transcription,
})

export const correctAnswer = defineEndpoint('put', `${submissionPath}/transcription/:questionId`, {
  summary: 'Correct the transcription of an answer, or revert that; the answer is then scored again',
  access: teachingRoles,
  body: z.object({
    /** Null takes the correction back. */
    text: z
      .string()
      .max(MAX_ANSWER_LENGTH, `An answer can have at most ${MAX_ANSWER_LENGTH.toLocaleString('en')} characters`)
      .nullable(),
    revision: z.number().int().min(0),
  }),
  reply: TranscribedAnswer,
})
