import type { PageKind } from './paper-cost.ts'
import { asCut, type SplitPaper, type SplitResult } from './split-papers.ts'

/** Separators are in no paper; two in a row count as one. An empty page after one is its back. */
export function splitAtSeparators(
  kinds: readonly PageKind[],
  separators: ReadonlySet<number>,
  blankPages: number,
): SplitResult {
  const papers: SplitPaper[] = []
  const dropped: number[] = []
  let start = 0
  for (let at = 0; at <= kinds.length; at += 1) {
    if (at < kinds.length && !separators.has(at)) continue
    if (at > start) papers.push(described(kinds, start, at, blankPages))
    start = at + 1
    if (at < kinds.length && kinds[start]?.empty && !separators.has(start)) dropped.push(start++)
  }
  return { papers, dropped }
}

const TOO_MANY =
  'This paper has more pages than the blank. If a separator sheet was missing, split it where the next student’s pages begin.'

/** Without a separator two students share a paper, so each page that may be the second's is asked about. */
function described(kinds: readonly PageKind[], start: number, end: number, blankPages: number): SplitPaper {
  const paper = asCut(kinds, start, end, null)
  const written = paper.pages.filter(({ index }) => !kinds[index]?.empty)
  if (written.length < blankPages) paper.notes.push(`This paper has ${written.length} of ${blankPages} pages.`)
  if (written.length <= blankPages) return paper
  const beyond = new Set(written.slice(blankPages))
  // From the first contradicting page on, none is surely the first student's.
  let doubted = false
  for (const one of paper.pages) {
    doubted ||= one.doubts.length > 0 || beyond.has(one)
    if (doubted && !kinds[one.index]?.empty) one.doubts.push(TOO_MANY)
  }
  return paper
}
