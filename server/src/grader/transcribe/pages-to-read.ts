import type { Page, Paper } from '@assay/shared/papers.ts'
import type { ExtractedSubmission } from '../grader.ts'

/** Whether a page is a picture: what OCR read of it alone says what is on it. A page of a file without any text is one, too. */
export function isPicture({ lines }: Page): boolean {
  const seen = lines.filter(({ hidden }) => !hidden)
  return seen.every(({ source }) => source === 'ocr' || source === 'model')
}

/** Nothing of it can be seen: an LLM would take it for an empty page. */
export const isWhollyDamaged = ({ damaged, lines, ink = [] }: Page): boolean =>
  damaged === true && ink.length === 0 && lines.every(({ hidden }) => hidden)

/**
 * The pages of a student's paper that an LLM has to look at, each once: those that are pictures; and all, where an answer was found nowhere or
 * could not be read, or the paper is said to be handwritten. A typed paper on which all was found needs none, nor one of
 * another assignment, nor a page that is wholly damaged.
 */
export function pagesToRead(paper: Paper, { answers, warnings }: ExtractedSubmission, handwritten: boolean): Page[] {
  const isOther = warnings.some(({ code }) => code === 'other_assignment') && answers.every(({ found }) => !found)
  if (isOther) return []
  const pages = paper.pages.filter((page) => !isWhollyDamaged(page))
  const lost = answers.some(({ found, unreadable }) => !found || unreadable)
  return handwritten || lost ? pages : pages.filter(isPicture)
}
