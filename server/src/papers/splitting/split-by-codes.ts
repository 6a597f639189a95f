import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'
import type { PageKind } from './paper-cost.ts'
import { missingNote, type SplitPage, type SplitPaper, type SplitResult, splitByBlank } from './split-papers.ts'

export interface CodedPage extends PageKind {
  code: { copyId: string; page: number } | null
}

export interface CopyRead {
  pages: number
  student_id: number | null
  sheet: boolean
}

/** Null for a copy of another assignment; unknown ids are absent. */
type CopiesRead = ReadonlyMap<string, CopyRead | null>

interface CodedPaper extends SplitPaper {
  copyId: string | null
}

export interface CodedSplit extends SplitResult {
  papers: CodedPaper[]
  apart: SplitPage[]
}

const UNCODED = 'No code was read on this page, so it was placed by its print. Move it to the paper it belongs to.'
/** Copies a page without a code is offered to. */
const MOST_OFFERS = 3
const TWICE = 'This page of this copy was scanned twice. Drop one of the two.'
const OTHER = 'This page belongs to another assignment.'
const UNKNOWN = 'The code on this page is of no copy that is known here.'

/** In any order. Pages without a code are split by the blank's print, and all are asked about. */
export function splitByCodes(pages: readonly CodedPage[], copies: CopiesRead, blankPages: number): CodedSplit {
  if (pages.every(({ code }) => code === null)) {
    const { papers, dropped } = splitByBlank(pages, blankPages)
    return { papers: papers.map((paper) => ({ ...paper, copyId: null })), dropped, apart: [] }
  }
  const byCopy = new Map<string, Placed[]>()
  const apart: SplitPage[] = []
  const rest: number[] = []
  for (const { index, code } of fronts(pages)) {
    const copy = code && copies.get(code.copyId)
    const back = pages[index]?.empty === true && pages[index].code === null
    if (code === null) rest.push(index)
    else if (copy) byCopy.set(code.copyId, [...(byCopy.get(code.copyId) ?? []), { index, page: code.page, back }])
    else apart.push({ index, doubts: [copy === null ? OTHER : UNKNOWN] })
  }
  const coded = withTheirSheets(
    [...byCopy].map(([copyId, own]) => describe(copyId, own, copies.get(copyId))),
    copies,
  )
  const kinds = rest.flatMap((index) => pages[index] ?? [])
  const uncoded = splitByBlank(kinds, blankPages).papers.map(
    (paper): CodedPaper => ({
      ...paper,
      copyId: null,
      pages: paper.pages.map(({ index: place, doubts }) => {
        const index = rest[place] ?? 0
        return { index, doubts: [UNCODED, ...doubts], copies: copiesWithout(pages[index], index, byCopy, copies) }
      }),
    }),
  )
  return { papers: [...coded, ...uncoded].sort((a, b) => firstOf(a) - firstOf(b)), dropped: [], apart }
}

function copiesWithout(
  kind: PageKind | undefined,
  index: number,
  byCopy: ReadonlyMap<string, Placed[]>,
  copies: CopiesRead,
): string[] {
  const printed = kind?.blankPage ?? null
  if (printed === null) return []
  const lacking = [...byCopy].flatMap(([copyId, own]) => {
    const has = own.some(({ page }) => page === printed)
    if (copies.get(copyId)?.sheet || has || printed > (copies.get(copyId)?.pages ?? 0)) return []
    return [{ copyId, distance: Math.min(...own.map((one) => Math.abs(one.index - index))) }]
  })
  return lacking
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST_OFFERS)
    .map(({ copyId }) => copyId)
}

interface Placed {
  index: number
  page: number
  back: boolean
}

/** An empty back gets the code of the page before it. */
function fronts(pages: readonly CodedPage[]): { index: number; code: CodedPage['code'] }[] {
  let before: CodedPage['code'] = null
  return pages.map(({ code, empty }, index) => {
    if (code !== null || !empty) before = code
    return { index, code: before }
  })
}

/** A student's answer sheet follows their copy in one paper; with two of either a person decides. */
function withTheirSheets(papers: readonly CodedPaper[], copies: CopiesRead): CodedPaper[] {
  const copyOf = ({ copyId }: CodedPaper) => copies.get(copyId ?? '') ?? null
  const byStudent = Map.groupBy(papers, (paper) => copyOf(paper)?.student_id ?? null)
  return [...byStudent].flatMap(([student, own]) => {
    const [sheets, written] = [own.filter((one) => copyOf(one)?.sheet), own.filter((one) => !copyOf(one)?.sheet)]
    const [sheet, paper] = [sheets[0], written[0]]
    if (student === null || !sheet || !paper || own.length !== 2) return own
    return [{ ...paper, pages: [...paper.pages, ...sheet.pages], notes: [...paper.notes, ...sheet.notes] }]
  })
}

function describe(copyId: string, own: readonly Placed[], copy: CopyRead | null | undefined): CodedPaper {
  const { pages = 0, sheet = false } = copy ?? {}
  const times = Map.groupBy(
    own.filter(({ back }) => !back),
    ({ page }) => page,
  )
  const missing = Array.from({ length: pages }, (_, i) => i + 1).filter((page) => !times.has(page))
  return {
    copyId,
    pages: own
      .toSorted((a, b) => a.page - b.page || a.index - b.index)
      .map(({ index, page, back }) => ({ index, doubts: !back && (times.get(page)?.length ?? 0) > 1 ? [TWICE] : [] })),
    notes: missing.length === 0 ? [] : [sheet ? missingOfSheet(missing) : missingNote(missing)],
  }
}

const missingOfSheet = (missing: readonly number[]) =>
  `${capitalized(numberedList('page', missing))} of the answer sheet ${missing.length === 1 ? 'is' : 'are'} missing.`

const firstOf = ({ pages }: SplitPaper) => Math.min(...pages.map(({ index }) => index))
