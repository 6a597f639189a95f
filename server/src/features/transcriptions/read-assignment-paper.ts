import type { Page, Paper } from '@assay/shared/papers.ts'
import { coverRegions } from '../../grader/anonymizer/cover-names.ts'
import { LlmError } from '../../grader/llm/errors/llm-error.ts'
import type { LlmClient } from '../../grader/llm/llm-request.ts'
import type { RubricPicture } from '../../grader/llm-grading/rubric/rubric-prompt.ts'
import { mergeTranscribedLines } from '../../grader/transcribe/merge-transcribed-lines.ts'
import { isWhollyDamaged } from '../../grader/transcribe/read-answers.ts'
import { TRANSCRIPTION_PROMPT_VERSION, transcribePage } from '../../grader/transcribe/transcribe-page.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { PageTranscriptModel, transcriptId } from '../../records/submissions/transcription.model.ts'
import type { Services } from '../../services.ts'
import type { LlmCallContext } from '../llm/llm-service.ts'
import { readStoredPaper, renderStoredPage } from '../submissions/pages/paper-reading.service.ts'

export interface AssignmentLlmAccess {
  context: Pick<LlmCallContext, 'generation_id' | 'run_id'>
  onProgress?: (message: string) => Promise<void>
}

export interface AssignmentPaper {
  paper: Paper
  untranscribed: Page[]
  problems: string[]
}

/** A few rows of OCR among typed ones are a stamp or a figure's labels. */
function scannedPages({ pages }: Paper): Page[] {
  const seen = (page: Page) => page.lines.filter(({ hidden }) => !hidden)
  const isPicture = (page: Page) => seen(page).every(({ source }) => source === 'ocr')
  const anyText = pages.some((page) => seen(page).length > 0)
  // An empty page of a typed paper holds nothing to read.
  return pages.filter((page) => !isWhollyDamaged(page) && isPicture(page) && (seen(page).length > 0 || !anyText))
}

/** Without `llmAccess`, scanned pages not read before stay as OCR has them. @throws {PaperError}; {LlmError} */
export async function readAssignmentPaper(
  what: string,
  hash: string,
  { _id: assignment_id, course_id }: Pick<AssignmentDoc, '_id' | 'course_id'>,
  services: Services,
  signal: AbortSignal,
  llmAccess: AssignmentLlmAccess | null,
): Promise<AssignmentPaper> {
  const stored = await readStoredPaper(hash, services, signal)
  const damaged = damagedPages(stored, what)
  const scanned = scannedPages(stored)
  const chosen = scanned.length > 0 ? await services.llm.chosenFor(course_id) : null
  if (!chosen?.pictures) return { paper: stored, untranscribed: [], problems: damaged }
  const readBy = `${chosen.name} ${TRANSCRIPTION_PROMPT_VERSION}`
  const asReadNow = async () => {
    const { paper, missing } = await withTranscripts(stored, hash, readBy)
    const isMissing = ({ number }: Page) => missing.some((page) => page.number === number)
    return { paper, untranscribed: scanned.filter(isMissing) }
  }
  const before = await asReadNow()
  if (!llmAccess || before.untranscribed.length === 0) return { ...before, problems: damaged }
  const client = services.llm.clientFor(chosen, { course_id, assignment_id, ...llmAccess.context })
  const onPageStart = async ({ number }: Page) =>
    llmAccess.onProgress?.(`${chosen.name} is reading page ${number} of ${stored.pages.length} of the ${what}`)
  const pages = { hash, readBy, client, onPageStart }
  const failed = await transcribePages(pages, before.untranscribed, services, signal)
  const problems = failed.map(
    ({ page, message }) =>
      `Page ${page} of the ${what} could not be read by the AI model, so it was read by OCR. Check what was read. ${message}`,
  )
  return { ...(await asReadNow()), problems: [...damaged, ...problems] }
}

const damagedPages = ({ pages }: Paper, what: string): string[] =>
  pages
    .filter((page) => page.damaged)
    .map(
      ({ number }) =>
        `A part of page ${number} of the ${what} could not be read: it, or a picture on it, is damaged. Scan the page again and upload the whole file again.`,
    )

/** In pixels: print is read well at it. */
const PRINT_WIDTH = 1200
/** A longer one is read from its text. */
const MAX_PAGES = 8

export async function assignmentPictures(
  { blank, key }: Pick<AssignmentDoc, 'blank' | 'key'>,
  services: Services,
  signal: AbortSignal,
): Promise<RubricPicture[]> {
  const pictures: RubricPicture[] = []
  for (const [name, { hash }] of [
    ['blank', blank],
    ['key', key],
  ] as const) {
    const { pages } = await readStoredPaper(hash, services, signal)
    const shown = pages.filter((page) => !isWhollyDamaged(page))
    for (const { number, width, height } of shown.slice(0, MAX_PAGES)) {
      const png = await renderStoredPage(hash, number, PRINT_WIDTH, services)
      const picture = await coverRegions(png, { width, height }, [])
      pictures.push({ title: `Page ${number} of the ${name}`, picture })
      signal.throwIfAborted()
    }
  }
  return pictures
}

/** In pixels: providers scale larger images down. */
const HANDWRITING_WIDTH = 1500

export const modelOfTranscriber = (readBy: string) => readBy.slice(0, readBy.lastIndexOf(' '))

async function withTranscripts(paper: Paper, hash: string, readBy: string): Promise<{ paper: Paper; missing: Page[] }> {
  const ids = paper.pages.map(({ number }) => transcriptId(hash, number, readBy))
  const stored = await PageTranscriptModel.find({ _id: { $in: ids } }).lean()
  const transcripts = new Map(stored.map((one) => [one._id, one]))
  const readOf = ({ number }: Page) => transcripts.get(transcriptId(hash, number, readBy))
  const pages = paper.pages.map((page) => {
    const own = readOf(page)
    return own ? mergeTranscribedLines(page, own.lines) : page
  })
  return { paper: { pages }, missing: paper.pages.filter((page) => !readOf(page)) }
}

interface TranscriptionTask {
  hash: string
  readBy: string
  client: LlmClient
  onPageStart?: (page: Page) => Promise<void>
}

/** Returns pages that failed by no fault of the provider, with the reason. @throws {LlmError} */
async function transcribePages(
  { hash, readBy, client, onPageStart }: TranscriptionTask,
  missing: Page[],
  services: Services,
  signal: AbortSignal,
): Promise<{ page: number; message: string }[]> {
  const unread: { page: number; message: string }[] = []
  for (const page of missing) {
    const { number, width, height } = page
    await onPageStart?.(page)
    const png = await renderStoredPage(hash, number, HANDWRITING_WIDTH, services)
    // A teacher's own paper names no student.
    const picture = await coverRegions(png, { width, height }, [])
    try {
      const { lines } = await transcribePage(client, picture, signal)
      const transcript = { file_hash: hash, lines, at: services.clock.now() }
      await PageTranscriptModel.updateOne(
        { _id: transcriptId(hash, number, readBy) },
        { $set: transcript },
        { upsert: true },
      )
    } catch (error) {
      if (!(error instanceof LlmError) || error.scope !== 'request') throw error
      unread.push({ page: number, message: error.message })
    }
    signal.throwIfAborted()
  }
  return unread
}
