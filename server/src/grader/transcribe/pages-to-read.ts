import type { Page, Paper } from '@assay/shared/papers.ts'
import type { ExtractedSubmission } from '../grader.ts'

/** Only OCR read it. A page of a file without any text is one, too. */
export function isPicture({ lines }: Page): boolean {
  const seen = lines.filter(({ hidden }) => !hidden)
  return seen.every(({ source }) => source === 'ocr' || source === 'model')
}

/** An LLM would take it for an empty page. */
export const isWhollyDamaged = ({ damaged, lines, ink = [] }: Page): boolean =>
  damaged === true && ink.length === 0 && lines.every(({ hidden }) => hidden)

/**
 * Picture pages; and all, where an answer was not found or unreadable, or the paper is said to be handwritten. None for
 * a complete typed paper, another assignment's, or wholly damaged pages.
 */
export function pagesToRead(paper: Paper, { answers, warnings }: ExtractedSubmission, handwritten: boolean): Page[] {
  const isOther = warnings.some(({ code }) => code === 'other_assignment') && answers.every(({ found }) => !found)
  if (isOther) return []
  const pages = paper.pages.filter((page) => !isWhollyDamaged(page))
  const lost = answers.some(({ found, unreadable }) => !found || unreadable)
  return handwritten || lost ? pages : pages.filter(isPicture)
}
