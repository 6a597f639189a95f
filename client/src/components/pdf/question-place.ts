import type { Box } from '@assay/shared/papers.ts'

/** In points from the page's top left corner. */
export interface TextRow {
  page: number
  text: string
  box: Box
}

export interface QuestionToFind {
  number: string
  regions: readonly { page: number; box: Box }[]
}

/** How far a number may stand from its answer area's top, in points. */
const NEAR = 200

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `2.`, `2)`, `Q2`, `Question 2`, `(b)`, or `2` alone; not the 2 of `20` or `2.5`. */
const begins = (label: string) =>
  new RegExp(`^\\s*(?:question\\s*|q\\.?\\s*)?\\(?${escaped(label)}(?:[.):\\]](?!\\d)|\\s|$)`, 'i')

/** For a part (`3 b`), rows with its letter below the question's number, or with both. */
function rowsWith(number: string, rows: readonly TextRow[]): TextRow[] {
  const parts = number.trim().split(/\s+/)
  const whole = begins(parts.join(''))
  const together = new RegExp(`^\\s*${parts.map((part) => `\\(?${escaped(part)}[.)]?`).join('\\s*')}(?:\\s|$)`, 'i')
  const direct = rows.filter(({ text }) => whole.test(text) || (parts.length > 1 && together.test(text)))
  if (direct.length > 0 || parts.length === 1) return direct
  let from = 0
  for (const part of parts) {
    const at = rows.findIndex(({ text }, i) => i >= from && begins(part).test(text))
    if (at < 0) return []
    from = at
  }
  return rows.slice(from, from + 1)
}

/** Its number at the blank's answer area, else the first row that begins with it, else the area. */
export function questionPlace(
  { number, regions }: QuestionToFind,
  rows: readonly TextRow[],
  pages: number,
): { page: number; box: Box } | null {
  const numbered = rowsWith(number, rows)
  const near = numbered.find(({ page, box }) =>
    regions.some((region) => region.page === page && Math.abs(region.box.y - box.y) < NEAR),
  )
  const found = near ?? numbered[0] ?? regions.find(({ page }) => page <= pages)
  return found ? { page: found.page, box: found.box } : null
}
