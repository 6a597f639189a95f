import type { Evidence, Paper } from '@assay/shared/papers.ts'
import type { RegisteredPage } from '../pages/registered-pages.ts'
import { findAddedInk } from './added-ink.ts'

/** Flatter than this it is what is left of a line to write on; in points. */
const THIN = 2.5
/** Total width and height of strokes in points; less is dust or a slip. */
const ENOUGH = 18

/** Writing of which OCR read no word, by question. */
export function findUnreadInk(
  blank: Paper,
  paper: Paper,
  registered: readonly RegisteredPage[],
): Map<string, Evidence[]> {
  const found = new Map<string, { size: number; evidence: Evidence[] }>()
  for (const on of registered) {
    const page = paper.pages.find(({ number }) => number === on.page)
    if (!page) continue
    for (const { onBlank, box, rule, frame } of findAddedInk(on, page, blank)) {
      if (rule || frame || Math.min(onBlank.width, onBlank.height) < THIN) continue
      const question = on.questionAt(onBlank)
      if (!question) continue
      const own = found.get(question) ?? { size: 0, evidence: [] }
      own.size += onBlank.width + onBlank.height
      own.evidence.push({ page: on.page, box, quote: '' })
      found.set(question, own)
    }
  }
  return new Map([...found].filter(([, { size }]) => size >= ENOUGH).map(([id, { evidence }]) => [id, evidence]))
}
