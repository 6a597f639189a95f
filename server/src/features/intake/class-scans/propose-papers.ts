import { randomUUID } from 'node:crypto'
import type { Split } from '@assay/shared/class-scans.ts'
import { createYielder } from '../../../lib/yielder.ts'
import type { SheetDesign } from '../../../papers/answer-sheet/sheet-design.ts'
import { splitAtSeparators } from '../../../papers/splitting/split-at-separators.ts'
import {
  type CodedPage,
  type CodedSplit,
  type CopyRead,
  splitByCodes,
} from '../../../papers/splitting/split-by-codes.ts'
import { type SplitPage, splitAtEmptyPages, splitByCount } from '../../../papers/splitting/split-papers.ts'
import { isSameSheet, toComparable } from '../../../papers/splitting/written-ink.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type {
  ClassScanPageDoc,
  ProposalDoc,
  ProposedPageDoc,
  ProposedPaperDoc,
} from '../../../records/submissions/class-scan.model.ts'
import { loadMatchingRoster } from '../../submissions/matching/name-index.ts'
import { findPrintedCopies } from '../printing/print.service.ts'

type SeenPage = Pick<
  ClassScanPageDoc,
  'page' | 'turn' | 'empty' | 'separator' | 'blank_page' | 'sure' | 'code' | 'written' | 'problem'
>
type ScannedCopies = ReadonlyMap<string, ScannedCopy | null>

export async function proposePapers(
  pages: readonly SeenPage[],
  split: Split,
  blankPages: number,
  copies: ScannedCopies,
): Promise<ProposalDoc> {
  const kinds = pages.map((page) => kindOf(page, copies))
  const separators = new Set(pages.flatMap(({ separator }, index) => (separator ? [index] : [])))
  const result = splitKinds(kinds, split, { blankPages, copies, separators })
  const twice = await scannedTwice(pages)
  const toPage = (index: number, doubts: string[]): ProposedPageDoc[] => {
    const seen = pages[index]
    if (!seen) return []
    const again = twice.get(seen.page)
    const same =
      again === undefined
        ? []
        : [`Page ${again} of the scan looks the same. If it is the same sheet, drop one of the two.`]
    return [
      {
        key: randomUUID(),
        page: seen.page,
        turn: seen.turn,
        blank_page: kinds[index]?.blankPage ?? null,
        doubts: [...same, ...(seen.problem ? [`It could not be looked at: ${seen.problem}`] : []), ...doubts],
      },
    ]
  }
  const keys = new Map(result.papers.flatMap(({ copyId }) => (copyId === null ? [] : [[copyId, randomUUID()]])))
  return {
    split,
    papers: result.papers.map(({ copyId, ...paper }) => {
      const copy = copyId === null ? null : copies.get(copyId)
      const proposed = newPaper(
        paper.pages.flatMap(({ index, doubts, copies: lacking = [] }) => {
          const offers = lacking.flatMap((id) => keys.get(id) ?? [])
          return toPage(index, doubts).map((page) => (offers.length > 0 ? { ...page, offers } : page))
        }),
        copy?.outdated ? [...paper.notes, OLD_BLANK] : paper.notes,
      )
      return {
        ...proposed,
        key: keys.get(copyId ?? '') ?? proposed.key,
        ...(copy && copy.student_id !== null ? { student_id: copy.student_id, student_by: 'code' } : {}),
      }
    }),
    dropped: [
      ...result.dropped.flatMap((index) => toPage(index, [])),
      ...result.apart.flatMap(({ index, doubts }) => toPage(index, doubts)),
    ],
  }
}

const SEPARATOR = 'This is a separator sheet.'
const OLD_BLANK = 'It was printed before the blank was replaced, so its questions may lie elsewhere.'

/** A code is certain about the blank's page, unless it is another blank's; answer sheets are no pages of the blank. */
function kindOf({ blank_page, sure, empty, separator, code }: SeenPage, copies: ScannedCopies): CodedPage {
  const known = code && !separator ? { copyId: code.copy_id, page: code.page } : null
  if (code && copies.get(code.copy_id)?.sheet) return { code: known, blankPage: null, sure: true, empty: false }
  return code && copies.get(code.copy_id)?.current
    ? { code: known, blankPage: code.page, sure: true, empty: false }
    : { code: known, blankPage: blank_page, sure, empty }
}

export const NO_STUDENT = { student_id: null, student_by: null, student_doubt: null, name_read: null, checked: false }

export const newPaper = (pages: ProposedPageDoc[], notes: string[] = []): ProposedPaperDoc => ({
  ...{ key: randomUUID(), pages, notes },
  ...NO_STUDENT,
})

function splitKinds(
  kinds: readonly CodedPage[],
  split: Split,
  { blankPages, copies, separators }: { blankPages: number; copies: ScannedCopies; separators: ReadonlySet<number> },
): CodedSplit {
  const apart = [...separators].map((index) => ({ index, doubts: [SEPARATOR] }))
  if (split.by === 'separators') {
    const { papers, dropped } = splitAtSeparators(kinds, separators, blankPages)
    return { papers: papers.map((paper) => ({ ...paper, copyId: null })), dropped, apart }
  }
  const places = kinds.flatMap((_, index) => (separators.has(index) ? [] : [index]))
  const others = places.flatMap((index) => kinds[index] ?? [])
  const back = <T extends SplitPage>(one: T): T => ({ ...one, index: places[one.index] ?? 0 })
  const found = splitPages(others, split, { blankPages, copies })
  return {
    papers: found.papers.map((paper) => ({ ...paper, pages: paper.pages.map(back) })),
    dropped: found.dropped.map((index) => places[index] ?? 0),
    apart: [...apart, ...found.apart.map(back)],
  }
}

function splitPages(
  kinds: readonly CodedPage[],
  split: Split,
  { blankPages, copies }: { blankPages: number; copies: ScannedCopies },
): CodedSplit {
  if (split.by === 'blank') return splitByCodes(kinds, copies, blankPages)
  const { papers, dropped } =
    split.by === 'page_count'
      ? splitByCount(kinds, split.pages_per_paper ?? blankPages)
      : splitAtEmptyPages(kinds, blankPages)
  return { papers: papers.map((paper) => ({ ...paper, copyId: null })), dropped, apart: [] }
}

/**
 * Codes are surer than separator sheets, and those than the print. Far fewer sheets than papers separate no class: a
 * code may be drawn on a page. Empty pages are not counted, as the backs of sheets are scanned too.
 */
export function chooseSplit(
  split: Split,
  pages: readonly Pick<SeenPage, 'separator' | 'code' | 'empty'>[],
  blankPages: number,
): Split {
  const sheets = pages.filter(({ separator }) => separator).length
  const written = pages.filter(({ separator, empty }) => !separator && !empty).length
  const separated = sheets > 0 && 2 * sheets * blankPages >= written
  const coded = pages.some(({ code, separator }) => code && !separator)
  return split.by === 'blank' && separated && !coded ? { ...split, by: 'separators' } : split
}

/** By the writing. Yields, as a large class has a million pairs. */
async function scannedTwice(pages: readonly SeenPage[]): Promise<Map<number, number>> {
  const turn = createYielder()
  const twice = new Map<number, number>()
  const sure = pages.filter(({ sure }) => sure)
  const byBlankPage = Map.groupBy(sure, ({ blank_page }) => blank_page)
  for (const group of byBlankPage.values()) {
    const written = []
    for (const { page, code, written: ink } of group) {
      if (ink) written.push({ page, code, ink: toComparable(ink) })
      await turn()
    }
    for (const [i, one] of written.entries()) {
      for (let j = i + 1; j < written.length; j += 1) {
        const other = written[j]
        if (!other || (one.code && other.code) || !isSameSheet(one.ink, other.ink)) continue
        if (!twice.has(one.page)) twice.set(one.page, other.page)
        if (!twice.has(other.page)) twice.set(other.page, one.page)
      }
      await turn()
    }
  }
  return twice
}

interface ScannedCopy extends CopyRead {
  /** Its pages are those of the present blank: not of an earlier one, nor an answer sheet's. */
  current: boolean
  outdated: boolean
  design: SheetDesign | null
}

/** Null for a copy of another assignment, of which nothing more may be known here. */
export async function findScannedCopies(
  pages: readonly Pick<ClassScanPageDoc, 'code'>[],
  assignment: AssignmentDoc,
): Promise<Map<string, ScannedCopy | null>> {
  const ids = new Set(pages.flatMap(({ code }) => code?.copy_id ?? []))
  if (ids.size === 0) return new Map()
  const roster = await loadMatchingRoster(assignment.course_id)
  const students = new Set(roster.map(({ _id }) => _id))
  const known = await findPrintedCopies([...ids])
  return new Map(
    [...known].map(([id, copy]) => [
      id,
      copy.assignment_id === assignment._id
        ? {
            pages: copy.pages,
            student_id: copy.student_id !== null && students.has(copy.student_id) ? copy.student_id : null,
            current: !copy.sheet && copy.blank_hash === assignment.blank.hash,
            outdated: !copy.sheet && copy.blank_hash !== assignment.blank.hash,
            sheet: copy.sheet !== null,
            design: copy.sheet?.design ?? null,
          }
        : null,
    ]),
  )
}
