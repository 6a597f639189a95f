import type { Cell, Paper } from '@assay/shared/papers.ts'
import { matchBlankPages } from '../../layout/match-blank-pages.ts'
import type { OptionRegion } from '../../layout/option-regions.ts'
import { type PlacedLine, visibleLines } from '../../layout/paper-lines.ts'
import type { MarkedOptions } from './marked-options.ts'

interface Place {
  question: string
  place: OptionRegion
}

/** Options set off by a style the blank does not use: bold, colour, highlight. */
export function findSetOffOptions(
  places: readonly Place[],
  blank: Paper,
  paper: Paper,
  pages: ReturnType<typeof matchBlankPages> = matchBlankPages(paper, blank),
): Map<string, MarkedOptions> {
  const [blankLines, paperLines] = [visibleLines(blank), visibleLines(paper)]
  const styled = places.flatMap(({ question, place }) => {
    const before = styleOf(cellAt(blankLines, place.page, place, [place.box.y])?.cell)
    for (const [page, { pages: of }] of pages) {
      const match = of.find(({ number }) => number === place.page)
      const found = match && cellAt(paperLines, page, place, match.toPaperHeights(place.box.y))
      const after = styleOf(found?.cell)
      if (found && after !== '' && after !== before) return [{ question, place, line: found.line }]
    }
    return []
  })
  const found = new Map<string, MarkedOptions>()
  for (const [question, own] of Map.groupBy(styled, (one) => one.question))
    if (own.length < places.filter((one) => one.question === question).length)
      found.set(question, {
        values: own.map(({ place }) => place.value),
        evidence: own.map(({ place, line }) => ({ page: line.page, box: line.box, quote: place.value })),
      })
  return found
}

function cellAt(
  lines: readonly PlacedLine[],
  page: number,
  { box }: OptionRegion,
  heights: readonly number[],
): { line: PlacedLine; cell: Cell } | undefined {
  const line = lines.find(
    (one) =>
      one.page === page &&
      heights.some((y) => Math.abs(one.box.y - y) < Math.max(4, box.height * 0.5)) &&
      covers(one.box, box),
  )
  const cell = line?.cells?.find((one) => covers(one, box))
  return line && cell ? { line, cell } : undefined
}

/** Empty for plain text. */
const styleOf = (cell: Cell | undefined): string =>
  cell
    ? [cell.bold ? 'bold' : '', cell.colour ?? '', cell.highlight ?? '', cell.underlined ? 'underlined' : '']
        .join(' ')
        .trim()
    : ''

const covers = (a: { x: number; width: number }, b: { x: number; width: number }): boolean =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > Math.min(a.width, b.width) * 0.5
