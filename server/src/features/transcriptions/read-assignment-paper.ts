import type { Page, Paper } from '@assay/shared/papers.ts'
import { isWhollyDamaged } from '../../grader/transcribe/pages-to-read.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import type { LlmCallContext } from '../llm/llm-service.ts'
import { readStoredPaper } from '../submissions/pages/paper-reading.service.ts'
import { transcribePages, transcriberName, withTranscripts } from './page-transcripts.ts'

/** Who pays, and who is notified of the progress. */
export interface AssignmentLlmAccess {
  context: Pick<LlmCallContext, 'generation_id' | 'run_id'>
  onProgress?: (message: string) => Promise<void>
}

export interface AssignmentPaper {
  paper: Paper
  /** Scanned pages not read by the course's model; none if it sees no pictures. */
  untranscribed: Page[]
  problems: string[]
}

/** A few rows of OCR among typed ones are a stamp or a figure's labels, so such a page is not scanned. */
function scannedPages({ pages }: Paper): Page[] {
  const seen = (page: Page) => page.lines.filter(({ hidden }) => !hidden)
  const isPicture = (page: Page) => seen(page).every(({ source }) => source === 'ocr')
  const anyText = pages.some((page) => seen(page).length > 0)
  // An empty last page of a typed paper holds nothing to read.
  return pages.filter((page) => !isWhollyDamaged(page) && isPicture(page) && (seen(page).length > 0 || !anyText))
}

/**
 * Without `llmAccess` only earlier LLM readings are used; other scanned pages stay as OCR has them, and `problems` say
 * so. Nothing is covered, as they name no student. @throws {PaperError} when it cannot be read; {LlmError}
 */
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
  const readBy = transcriberName(chosen)
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
