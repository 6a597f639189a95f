import type { Line, Page, Paper } from '@assay/shared/papers.ts'
import {
  correctAnswer,
  getTranscription,
  type TranscribedAnswer,
  type Transcription,
} from '@assay/shared/transcriptions.ts'
import type { Router } from 'express'
import type { Answer } from '../../grader/grader.ts'
import { handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { AnswersModel, type TranscriptionDoc } from '../../records/submissions/transcription.model.ts'
import type { Services } from '../../services.ts'
import { hideTexts, type LineFilter } from '../anonymity/hidden-names.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { findReading } from '../submissions/pages/paper-reading.service.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { namesById } from '../users/user.service.ts'
import { findAnswers } from './answers.service.ts'
import { modelOfTranscriber } from './read-assignment-paper.ts'
import { findTranscriptions, storeCorrection } from './transcription.service.ts'

export function transcriptionRoutes(
  router: Router,
  services: Services,
  rescore: (correction: TranscriptionDoc) => Promise<void>,
): void {
  const { clock } = services

  async function withNamesRevealed(
    assignment: AssignmentDoc,
    submission: SubmissionDoc,
    questionId: string,
    text: string | null,
  ): Promise<string | null> {
    if (text === null) return null
    const mask = await services.names.maskFor(assignment)
    const answers = await findAnswers(submission._id)
    const shown = answers?.extracted.answers.find(({ question_id }) => question_id === questionId)
    return mask.reveal(text, shown?.text ?? '')
  }

  handle(router, getTranscription, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return presentTranscription(assignment, await requireSubmission(params), services)
  })

  handle(router, correctAnswer, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const { questionId } = params
    const correction = {
      questionId,
      ...body,
      text: await withNamesRevealed(assignment, submission, params.questionId, body.text),
    }
    const transcription = await storeCorrection(submission, correction, actor, clock.now())
    await rescore(transcription)
    const { answers } = await presentTranscription(assignment, submission, services)
    const answer = answers.find((one) => one.question_id === questionId)
    if (!answer) throw new Error('what was corrected is there')
    return answer
  })
}

/** Too many for a screen, and no student's paper. */
const MAX_LINES = 6000

/** While names are hidden, without the lines that show whose it is. */
async function presentTranscription(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  { names }: Pick<Services, 'names'>,
): Promise<Transcription> {
  const { _id, file } = submission
  const [answers, reading, transcriptions, mask, isUncovered] = await Promise.all([
    AnswersModel.findOne({ _id, file_hash: file.hash }).lean(),
    findReading(file.hash),
    findTranscriptions(submission),
    names.maskFor(assignment),
    names.uncoveredLines(assignment, submission),
  ])
  const people = await namesById(transcriptions.map(({ corrected_by }) => corrected_by))
  const read = answers?.as_read ?? answers?.extracted
  const questions = assignment.rubric?.questions ?? []
  const transcription: Transcription = {
    submission_id: _id,
    read: answers !== null,
    model: answers?.read_by ? modelOfTranscriber(answers.read_by) : null,
    pages: answers ? limitLines(withoutCovered(withReadLines(reading?.paper, read?.answers ?? []), isUncovered)) : [],
    page_order: read?.page_order && !isAscending(read.page_order) ? read.page_order : null,
    answers: (read?.answers ?? []).map((answer) => {
      const counts = answers?.extracted.answers.find((one) => one.question_id === answer.question_id)
      const transcription = transcriptions.find((one) => one.question_id === answer.question_id)
      const by = people.get(transcription?.corrected_by ?? 0) ?? null
      return presentAnswer(questions, answer, counts, transcription, by)
    }),
  }
  return hideTexts(transcription, mask)
}

/** Pages may be left out, as answer sheets are. */
const isAscending = (order: readonly number[]) => order.every((page, i) => i === 0 || page > (order[i - 1] ?? 0))

function withoutCovered(paper: Paper | undefined, isUncovered: LineFilter): Paper | undefined {
  return (
    paper && {
      pages: paper.pages.map((page) => ({
        ...page,
        lines: page.lines.filter(({ box }) => isUncovered(page.number, box)),
      })),
    }
  )
}

function withReadLines(paper: Paper | undefined, answers: readonly Answer[]): Paper | undefined {
  const seen = answers.filter((answer) => answer.seen)
  if (!paper || seen.length === 0) return paper
  const read = seen.flatMap(({ evidence, reading: confidence }) =>
    evidence.map(({ page, box, quote }) => ({
      page,
      line: { text: quote, box, confidence, source: 'model' as const },
    })),
  )
  const pages = paper.pages.map((page) => {
    const own = read.filter((one) => one.page === page.number).map(({ line }) => line)
    const isReplaced = ({ source, box }: Line) =>
      source === 'ocr' &&
      own.some((line) => box.y + box.height / 2 > line.box.y && box.y + box.height / 2 < line.box.y + line.box.height)
    const lines = [...page.lines.filter((line) => !isReplaced(line)), ...own]
    return own.length === 0 ? page : { ...page, lines: lines.sort((a, b) => a.box.y - b.box.y) }
  })
  return { pages }
}

function presentAnswer(
  questions: NonNullable<AssignmentDoc['rubric']>['questions'],
  read: Answer,
  counts: Answer | undefined,
  transcription: TranscriptionDoc | undefined,
  by: string | null,
): TranscribedAnswer {
  const question = questions.find(({ id }) => id === read.question_id)
  const own = transcription && transcription.text !== null ? transcription : null
  const { reading, found, evidence } = own && counts ? counts : read
  return {
    question_id: read.question_id,
    number: question?.number ?? read.question_id,
    prompt: question?.prompt ?? '',
    text: own?.text ?? read.text,
    read_text: read.text,
    reading,
    found,
    evidence,
    sheet: own || !read.sheet ? null : presentSheet(read.sheet),
    corrected: own ? { by, at: own.at.toISOString() } : null,
    revision: transcription?.revision ?? 0,
    scoring: transcription?.scoring ?? 'settled',
    failure: transcription?.failure ?? null,
  }
}

const presentSheet = ({ separation, flag, version }: NonNullable<Answer['sheet']>) => ({
  ...{ separation, flag },
  ...(version ? { version } : {}),
})

const withoutInk = ({ ink: _, ...page }: Page): Page => page
const withoutWords = ({ words: _, ...line }: Line): Line => line

function limitLines(paper: Paper | undefined): Paper['pages'] {
  let left = MAX_LINES
  return (paper?.pages ?? []).map((page) => {
    const lines = page.lines.slice(0, left)
    left -= lines.length
    // Only for the grader, and many times as large.
    return { ...withoutInk(page), lines: lines.map(withoutWords) }
  })
}
