import { z } from 'zod'
import { defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { Evidence, Page } from './papers.ts'
import { PaperVersion } from './rubrics.ts'

export const MAX_ANSWER_LENGTH = 20_000

export const RescoringState = z.enum(['settled', 'waiting', 'failed'])
export type RescoringState = z.infer<typeof RescoringState>

/** The last three are about the version of the paper. */
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

export const TranscribedAnswer = z.object({
  question_id: z.string(),
  number: z.string(),
  prompt: z.string(),
  /** The teacher's words, else what was read. */
  text: z.string(),
  read_text: z.string(),
  /** 0..1; 1 for typed text and for a teacher's correction. */
  reading: z.number(),
  found: z.boolean(),
  evidence: z.array(Evidence),
  /** How far the circle stands out from the next, 0..1, or why none was read. Null: no answer sheet. */
  sheet: z
    .object({
      separation: z.number(),
      flag: SheetFlag.nullable(),
      /** By its circle: `text` is in version A's letters. */
      version: PaperVersion.optional(),
    })
    .nullable(),
  corrected: z.object({ by: z.string().nullable(), at: Timestamp }).nullable(),
  revision: z.number().int(),
  scoring: RescoringState,
  failure: z.string().nullable(),
})
export type TranscribedAnswer = z.infer<typeof TranscribedAnswer>

/** Very long papers are cut after a few thousand lines. */
export const Transcription = z.object({
  submission_id: Id,
  /** False until a run has read the paper: then there are no pages. */
  read: z.boolean(),
  /** For handwriting, `openai/gpt-…`. */
  model: z.string().nullable(),
  pages: z.array(Page),
  /** Numbers in the file; null: as they come. */
  page_order: z.array(z.number().int()).nullable(),
  answers: z.array(TranscribedAnswer),
})
export type Transcription = z.infer<typeof Transcription>

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const getTranscription = defineEndpoint('get', `${submissionPath}/transcription`, {
  summary: 'The transcription of a paper, by line and by answer',
  reply: Transcription,
})

export const correctAnswer = defineEndpoint('put', `${submissionPath}/transcription/:questionId`, {
  summary: 'Correct the transcription of an answer, or revert that; the answer is then scored again',
  body: z.object({
    text: z
      .string()
      .max(MAX_ANSWER_LENGTH, `An answer can have at most ${MAX_ANSWER_LENGTH.toLocaleString('en')} characters`)
      .nullable(),
    revision: z.number().int().min(0),
  }),
  reply: TranscribedAnswer,
})
