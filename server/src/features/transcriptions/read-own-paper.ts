import type { Page, Paper } from '@assay/shared/papers.ts'
import { ModelTrouble } from '../../grader/model/model-trouble.ts'
import { coverPlaces } from '../../grader/transcribe/cover-names.ts'
import { transcribePage } from '../../grader/transcribe/transcribe-page.ts'
import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import type { AskedAbout } from '../model/models.ts'
import { renderStoredPage } from '../submissions/page-picture.ts'
import { readStoredPaper } from '../submissions/reading.service.ts'
import { PageTranscriptModel, transcriptId } from './page-transcript.model.ts'
import { asReadByModel, PICTURE_WIDTH, readerOf } from './read-by-model.ts'

/** How a model may be asked about a teacher's own paper: in whose name, and what it does meanwhile. */
export interface AskingOwn {
  about: Pick<AskedAbout, 'making_id'>
  say: (message: string) => Promise<void>
}

/** What can only be read from a picture. A few rows of OCR among typed ones are a stamp or a figure's labels. */
export function scannedPages({ pages }: Paper): Page[] {
  const seen = (page: Page) => page.lines.filter(({ hidden }) => !hidden)
  const isPicture = (page: Page) => seen(page).every(({ source }) => source === 'ocr')
  const anyText = pages.some((page) => seen(page).length > 0)
  // An empty last page of a typed paper holds nothing to read.
  return pages.filter((page) => isPicture(page) && (seen(page).length > 0 || !anyText))
}

/**
 * The blank or the key: as it stands in the file, and its scanned pages as the course's model reads them, if that one sees
 * pictures. They are the teacher's and name no student, so nothing is covered. Without `asking` only what the model has read
 * before is used; a page it could not read stays as OCR has it, and `problems` say so.
 * @throws {PaperError} when it cannot be read; {ModelTrouble} when nobody can be asked for now
 */
export async function readOwnPaper(
  what: string,
  hash: string,
  { _id: assignment_id, course_id }: Pick<AssignmentDoc, '_id' | 'course_id'>,
  services: Services,
  signal: AbortSignal,
  asking: AskingOwn | null,
): Promise<{ paper: Paper; problems: string[] }> {
  const stored = await readStoredPaper(hash, services, signal)
  const scanned = scannedPages(stored)
  const chosen = scanned.length > 0 ? await services.models.chosenFor(course_id) : null
  if (!chosen?.pictures) return { paper: stored, problems: [] }
  const readBy = readerOf(chosen)
  const file = { hash, handwritten: true }
  const before = await asReadByModel(stored, file, readBy)
  const problems: string[] = []
  const missing = scanned.filter(({ number }) => before.missing.some((page) => page.number === number))
  if (!asking || missing.length === 0) return { paper: before.paper, problems }
  const ask = services.models.askFor(chosen, { course_id, assignment_id, ...asking.about })
  for (const { number, width, height } of missing) {
    await asking.say(`${chosen.name} is reading page ${number} of ${stored.pages.length} of the ${what}`)
    const png = await renderStoredPage(hash, number, PICTURE_WIDTH, services)
    try {
      const { lines } = await transcribePage(ask, await coverPlaces(png, { width, height }, []), signal)
      const transcript = { file_hash: hash, lines, at: services.clock.now() }
      const _id = transcriptId(hash, number, readBy)
      await PageTranscriptModel.updateOne({ _id }, { $set: transcript }, { upsert: true })
    } catch (error) {
      if (!(error instanceof ModelTrouble) || error.scope !== 'paper') throw error
      problems.push(
        `Page ${number} of the ${what} could not be read by the model, so it was read by OCR: look at what comes from it. ${error.message}`,
      )
    }
    signal.throwIfAborted()
  }
  return { paper: (await asReadByModel(stored, file, readBy)).paper, problems }
}
