import type { Page, Paper } from '@assay/shared/papers.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { coverRegions, type findNameRegions } from '../../grader/anonymizer/cover-names.ts'
import type { ExtractedSubmission } from '../../grader/grader.ts'
import type { LlmClient } from '../../grader/llm/llm-request.ts'
import {
  pagesToRead,
  READING_PROMPT_VERSION,
  type ReadAnswer,
  readAnswers,
} from '../../grader/transcribe/read-answers.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { AnswerReadingModel, answerReadingId } from '../../records/submissions/transcription.model.ts'
import type { Services } from '../../services.ts'
import type { ChosenLlm } from '../llm/llm-service.ts'
import { renderStoredPage } from '../submissions/pages/paper-reading.service.ts'

/** In pixels: providers scale larger images down. */
const IMAGE_WIDTH = 1500

export const answerReaderName = (chosen: Pick<ChosenLlm, 'name'>) => `${chosen.name} ${READING_PROMPT_VERSION}`

interface PaperToRead {
  assignmentId: number
  rubric: Rubric
  file: Pick<SubmissionDoc['file'], 'hash' | 'handwritten'>
  paper: Paper
  extracted: ExtractedSubmission
}

export interface StoredReading {
  pages: number[]
  answers: ReadAnswer[]
}

export async function findReading(
  { assignmentId, rubric, file }: Pick<PaperToRead, 'assignmentId' | 'rubric' | 'file'>,
  readBy: string,
): Promise<StoredReading | null> {
  const stored = await AnswerReadingModel.findById(answerReadingId(file.hash, assignmentId, readBy)).lean()
  if (!stored) return null
  const isSame = ({ question_id, prompt }: (typeof stored.answers)[number]) =>
    rubric.questions.some((question) => question.id === question_id && printOf(question) === prompt)
  return { pages: stored.pages, answers: stored.answers.filter(isSame).map(({ prompt: _, ...read }) => read) }
}

export const hasReading = async (hash: string, assignmentId: number, readBy: string): Promise<boolean> =>
  (await AnswerReadingModel.exists({ _id: answerReadingId(hash, assignmentId, readBy) })) !== null

const printOf = ({ number, prompt }: Question) => `${number} ${prompt}`

/** None where the LLM has read the paper before. */
export function unreadPages(of: PaperToRead, stored: StoredReading | null): Page[] {
  const wanted = pagesToRead(of.paper, of.extracted, of.file.handwritten)
  const complete =
    stored !== null &&
    wanted.every(({ number }) => stored.pages.includes(number)) &&
    of.rubric.questions.every(({ id }) => stored.answers.some(({ question_id }) => question_id === id))
  return complete ? [] : wanted
}

interface ReadingTask {
  coveredAreas: ReturnType<typeof findNameRegions>
  readBy: string
  client: LlmClient
}

/** @throws {LlmError} */
export async function readAndStore(
  { assignmentId, rubric, file }: PaperToRead,
  pages: readonly Page[],
  { coveredAreas, readBy, client }: ReadingTask,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const shown = pages.map(({ number, width, height }) => ({
    number,
    picture: async () => {
      const png = await renderStoredPage(file.hash, number, IMAGE_WIDTH, services)
      return coverRegions(png, { width, height }, coveredAreas.get(number) ?? [])
    },
  }))
  const read = await readAnswers(client, rubric.questions, shown, signal)
  const printed = new Map(rubric.questions.map((question) => [question.id, printOf(question)]))
  const answers = read.map((one) => ({ ...one, prompt: printed.get(one.question_id) ?? '' }))
  const $set = { file_hash: file.hash, pages: pages.map(({ number }) => number), answers, at: services.clock.now() }
  await AnswerReadingModel.updateOne(
    { _id: answerReadingId(file.hash, assignmentId, readBy) },
    { $set },
    { upsert: true },
  )
}
