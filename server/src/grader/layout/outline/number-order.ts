import type { PlacedLine } from '../paper-lines.ts'
import { scanLabel } from './label-candidates.ts'

const APART = 60 // points
const SAME_ROW = 12 // points
const LEAST_LABELS = 3

/** Numbers may go on beside each other (1 2, below 3 4) or in columns. */
export function inNumberOrder(lines: readonly PlacedLine[]): PlacedLine[] {
  const pages = Map.groupBy(lines, ({ page }) => page)
  return [...pages.values()].flatMap((page) => orderPage(splitColumns(page).flatMap(splitAtFirstPart)))
}

/** “4. (10 points) (a) Find …”. */
const FIRST_PART =
  /^(\W{0,3}\w+(?:\s+\d+)?[.):]?\s*[[(]\s*\d{1,3}(?:\.5)?\s*(?:points?|pts?\.?|marks?)\s*[\])][.:]?\s*)[[(](?:a|i)[)\]]\s/i

function splitAtFirstPart(line: PlacedLine): PlacedLine[] {
  const at = FIRST_PART.exec(line.text)?.[1]?.length
  if (at === undefined || scanLabel(line.text).tokens.length !== 1) return [line]
  const { cells: _, ...plain } = line
  const before = (line.box.width * at) / line.text.length
  return [
    { ...plain, stretchOf: line, text: line.text.slice(0, at).trim(), box: { ...line.box, width: before } },
    {
      ...plain,
      stretchOf: line,
      text: line.text.slice(at),
      box: { ...line.box, x: line.box.x + before, width: line.box.width - before },
    },
  ]
}

interface Labelled {
  line: PlacedLine
  rank: number
  style: string
}

function labelOf(line: Pick<PlacedLine, 'text'>): { rank: number; style: string } | null {
  const [token, inner] = scanLabel(line.text).tokens
  const rank = token?.ranks.find(({ series }) => series === 'number')?.rank
  return token && rank !== undefined && (token.style.length > 1 || inner) ? { rank, style: token.style } : null
}

function splitColumns(lines: readonly PlacedLine[]): PlacedLine[] {
  const numbered = lines.flatMap(({ cells = [] }) => cells.slice(1).filter(({ text }) => labelOf({ text }) !== null))
  const columns = numbered.filter(({ x }) => {
    const below = numbered.flatMap(({ x: other, text }) =>
      Math.abs(other - x) < SAME_ROW ? (labelOf({ text }) ?? []) : [],
    )
    return below.length >= LEAST_LABELS && successions(below) > 0
  })
  if (columns.length === 0) return [...lines]
  const starts = new Set(columns)
  return lines.flatMap((line) => {
    const { cells = [] } = line
    const at = cells.flatMap((cell, i) => (i === 0 || starts.has(cell) ? [i] : []))
    if (at.length < 2) return [line]
    return at.map((from, i) => {
      const own = cells.slice(from, at[i + 1])
      const [first, last] = [own[0], own.at(-1)]
      const x = first?.x ?? line.box.x
      const box = { ...line.box, x, width: (last?.x ?? x) + (last?.width ?? 0) - x }
      return { ...line, stretchOf: line, text: own.map(({ text }) => text).join(' '), cells: own, box }
    })
  })
}

function orderPage(lines: PlacedLine[]): PlacedLine[] {
  const labelled = lines.flatMap((line): Labelled[] => {
    const label = labelOf(line)
    return label ? [{ line, ...label }] : []
  })
  for (const same of Map.groupBy(labelled, ({ style }) => style).values()) {
    const lefts = same.map(({ line }) => line.box.x)
    if (same.length < 4 || Math.max(...lefts) - Math.min(...lefts) < APART) continue
    const byRows = same.toSorted((a, b) => compareRows(a.line, b.line))
    const byColumns = same.toSorted((a, b) =>
      Math.abs(a.line.box.x - b.line.box.x) < APART ? a.line.box.y - b.line.box.y : a.line.box.x - b.line.box.x,
    )
    // Where no number comes twice and few are missing, they tell their order themselves.
    const ranks = same.map(({ rank }) => rank)
    const once = new Set(ranks).size === ranks.length
    const whole = Math.max(...ranks) - Math.min(...ranks) < same.length * 1.3
    const orders = [byRows, byColumns, ...(once && whole ? [same.toSorted((a, b) => a.rank - b.rank)] : [])]
    const [best] = orders.toSorted((a, b) => successions(b) - successions(a))
    if (!best || successions(best) <= successions(same) || successions(best) < same.length * 0.7) continue
    const first = lines.indexOf(same[0]?.line as PlacedLine)
    const blocks = new Map(best.map(({ line }) => [line, [line]]))
    const starts = new Set(best.map(({ line }) => line))
    for (const line of lines.slice(first)) if (!starts.has(line)) blocks.get(nearestAbove(line, byRows))?.push(line)
    return [...lines.slice(0, first), ...[...blocks.values()].flat()]
  }
  return lines
}

const compareRows = (a: PlacedLine, b: PlacedLine) =>
  Math.abs(a.box.y - b.box.y) < SAME_ROW ? a.box.x - b.box.x : a.box.y - b.box.y

const successions = (labels: readonly { rank: number }[]) =>
  labels.filter(({ rank }, i) => i > 0 && rank === (labels[i - 1]?.rank ?? 0) + 1).length

function nearestAbove(line: PlacedLine, labels: readonly { line: PlacedLine }[]): PlacedLine {
  const own = labels.filter((label) => label.line.box.x <= line.box.x + 20 && label.line.box.y <= line.box.y + SAME_ROW)
  const column = Math.max(...own.map((label) => label.line.box.x))
  const last = own.filter((label) => label.line.box.x > column - APART / 2).at(-1)
  return last?.line ?? (labels[0]?.line as PlacedLine)
}
