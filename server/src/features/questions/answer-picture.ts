import type { Evidence } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { notFound } from '../../lib/http/app-error.ts'
import { PromiseCache } from '../../lib/promise-cache.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { type AssignmentNames, hidesNames } from '../anonymous-grading/present-student.ts'
import { readStoredPaper } from '../submissions/pages/paper-reading.service.ts'
import { renderStoredPage } from '../submissions/pages/render-stored-page.ts'

/** In pixels. */
const PAGE_WIDTH = 1400
/** Around an answer, in PDF points: about two lines. */
const MARGIN = 28
/** In PDF points. A line alone would be too low to see what it belongs to. */
const LEAST_HEIGHT = 90

/** Part of a page over its whole width; `top` and `bottom` in PDF points. */
export interface PageStrip {
  page: number
  top: number
  bottom: number
}

/** One strip a page: around the lines it was read from, else where the blank has the answer. */
export function picturesOf(
  { regions }: Pick<Question, 'regions'>,
  evidence: readonly Evidence[],
  pageCount: number | null,
): PageStrip[] {
  const places = evidence.length > 0 ? evidence : regions.filter(({ page }) => page <= (pageCount ?? 0))
  return [...Map.groupBy(places, ({ page }) => page)].map(([page, on]) => {
    const top = Math.min(...on.map(({ box }) => box.y)) - MARGIN
    const bottom = Math.max(...on.map(({ box }) => box.y + box.height)) + MARGIN
    const lacking = Math.max(0, LEAST_HEIGHT - (bottom - top)) / 2
    return { page, top: top - lacking, bottom: bottom + lacking }
  })
}

/** Answers to neighbouring questions stand on the same pages. About 300 kB each. */
const pages = new PromiseCache<string, Buffer>({ max: 60 })

const renderPage = (hash: string, page: number, services: Services): Promise<Buffer> =>
  pages.get(`${hash}/${page}`, () => renderStoredPage(hash, page, PAGE_WIDTH, services))

/** As PNG, upright; without names where the assignment hides them. */
export async function renderStrip(
  assignment: AssignmentNames,
  submission: SubmissionDoc,
  strip: PageStrip | undefined,
  services: Services,
): Promise<Buffer> {
  if (!strip) throw notFound('There is no such picture of this answer.')
  const { file } = submission
  const [image, paper] = await Promise.all([
    hidesNames(assignment)
      ? services.names.coveredPage(assignment, submission, strip.page, PAGE_WIDTH)
      : renderPage(file.hash, strip.page, services),
    readStoredPaper(file.hash, services),
  ])
  const size = paper.pages.find(({ number }) => number === strip.page)
  if (!size) throw notFound('This paper has no such page.')
  const { default: sharp } = await import('sharp')
  const { width, height } = await sharp(image).metadata()
  const scale = height / size.height
  const top = Math.min(Math.max(0, Math.round(strip.top * scale)), height - 1)
  const bottom = Math.min(height, Math.max(top + 1, Math.round(strip.bottom * scale)))
  return sharp(image)
    .extract({ left: 0, top, width, height: bottom - top })
    .png()
    .toBuffer()
}
