import { randomUUID } from 'node:crypto'
import type { Split } from '@assay/shared/class-scans.ts'
import { type SplitResult, splitAtEmptyPages, splitByBlank, splitByCount } from '../../papers/splitting/split-papers.ts'
import { SAME_SHEET, sharedWriting } from '../../papers/splitting/written-ink.ts'
import type {
  ClassScanPageDoc,
  ProposalDoc,
  ProposedPageDoc,
  ProposedPaperDoc,
} from '../../records/submissions/class-scan.model.ts'

type SeenPage = Pick<ClassScanPageDoc, 'page' | 'turn' | 'empty' | 'blank_page' | 'sure' | 'written'>

/** The papers that a stack is to be split into. `pages` are in the order of the stack. */
export function proposePapers(pages: readonly SeenPage[], split: Split, blankPages: number): ProposalDoc {
  const kinds = pages.map(({ blank_page, sure, empty }) => ({ blankPage: blank_page, sure, empty }))
  const result = splitKinds(kinds, split, blankPages)
  const twice = scannedTwice(pages)
  const toPage = (index: number, doubts: string[]): ProposedPageDoc[] => {
    const seen = pages[index]
    if (!seen) return []
    const again = twice.get(seen.page)
    const same = again === undefined ? [] : [`Page ${again} of the scan shows the same sheet. Drop one of the two.`]
    return [
      {
        key: randomUUID(),
        page: seen.page,
        turn: seen.turn,
        blank_page: seen.blank_page,
        doubts: [...same, ...doubts],
      },
    ]
  }
  return {
    split,
    papers: result.papers.map((paper) =>
      newPaper(
        paper.pages.flatMap(({ index, doubts }) => toPage(index, doubts)),
        paper.notes,
      ),
    ),
    dropped: result.dropped.flatMap((index) => toPage(index, [])),
  }
}

export const newPaper = (pages: ProposedPageDoc[], notes: string[] = []): ProposedPaperDoc => ({
  key: randomUUID(),
  pages,
  notes,
  student_id: null,
  student_by: null,
  student_doubt: null,
  name_read: null,
  checked: false,
})

function splitKinds(kinds: Parameters<typeof splitByBlank>[0], split: Split, blankPages: number): SplitResult {
  switch (split.by) {
    case 'blank':
      return splitByBlank(kinds, blankPages)
    case 'page_count':
      return splitByCount(kinds, split.pages_per_paper ?? blankPages)
    case 'empty_pages':
      return splitAtEmptyPages(kinds, blankPages)
  }
}

/** For each page whose sheet is in the stack a second time, the page that shows it as well: by what was written on them. */
function scannedTwice(pages: readonly SeenPage[]): Map<number, number> {
  const twice = new Map<number, number>()
  const byBlankPage = Map.groupBy(
    pages.filter(({ written, sure }) => written && sure),
    ({ blank_page }) => blank_page,
  )
  for (const group of byBlankPage.values())
    for (const [i, one] of group.entries())
      for (const other of group.slice(i + 1)) {
        if (!one.written || !other.written) continue
        if (sharedWriting(one.written, other.written) < SAME_SHEET) continue
        if (sharedWriting(other.written, one.written) < SAME_SHEET) continue
        if (!twice.has(one.page)) twice.set(one.page, other.page)
        if (!twice.has(other.page)) twice.set(other.page, one.page)
      }
  return twice
}
