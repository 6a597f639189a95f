import type { Box } from '@assay/shared/papers.ts'
import { bottom, right, union } from '../geometry/boxes.ts'
import { isSuperscript, superscriptText } from './superscripts.ts'
import type { TextRun } from './text-run.ts'

/** Points; longer rules divide a page. */
const maxBar = 160
const maxBarThickness = 1.5
/** Points beyond the longer of numerator and denominator. */
const maxOverhang = 5
/** By the letters' size. */
const maxSpace = 0.4

/** Writes fractions as `3/4` or `(x + 1)/2`, roots as `√50` or `√(x + 1)`. */
export function flattenFormulas(runs: readonly TextRun[], rules: readonly Box[]): TextRun[] {
  const bars = rules
    .filter(({ width, height }) => width <= maxBar && height <= maxBarThickness)
    .toSorted((a, b) => a.width - b.width)
  let flat = joinRoots([...runs], bars)
  for (const bar of bars) flat = joinFraction(flat, bar)
  return flat
}

function joinFraction(runs: TextRun[], bar: Box): TextRun[] {
  const within = runs.filter(
    (run) =>
      run.direction === 0 &&
      run.text.trim() !== '' &&
      run.box.x >= bar.x - 2.5 &&
      right(inkBox(run)) <= right(bar) + 2.5,
  )
  const above = within.filter(({ baseline, size }) => baseline <= bar.y + 0.1 * size && baseline > bar.y - 1.4 * size)
  const below = within.filter(({ baseline, size }) => baseline > bar.y + 0.5 * size && baseline < bar.y + 1.2 * size)
  const [first] = above
  // Underlined words have nothing below, and a rule to write on is wider than its text.
  if (!first || below.length === 0 || overhang([...above, ...below], bar) > maxOverhang) return runs
  if (!isCentred(above, bar) || !isCentred(below, bar)) return runs
  const parts = new Set([...above, ...below])
  const joined: TextRun = {
    ...first,
    text: `${grouped(above)}/${grouped(below)}`,
    box: [...parts].map(inkBox).reduce(union),
    // Full size, so that a small fraction does not count as an exponent.
    size: Math.max(...[...parts].map(({ size }) => size)) * 1.2,
    baseline: bar.y + 0.3 * first.size,
    endsLine: false,
  }
  return runs.flatMap((run) => (run === first ? [joined] : parts.has(run) ? [] : [run]))
}

/** A trailing space may reach over the bar. */
function inkBox({ text, box, size }: TextRun): Box {
  const spaces = text.length - text.trimEnd().length
  const wide = Math.min((box.width * spaces) / text.length, spaces * maxSpace * size)
  return { ...box, width: box.width - wide }
}

function joinRoots(runs: TextRun[], bars: readonly Box[]): TextRun[] {
  let joined = runs
  for (const sign of runs.filter(({ text }) => text.trim() === '√')) {
    const bar = bars.find(
      (one) => Math.abs(one.x - right(sign.box)) < 2.5 && one.y < bottom(sign.box) && one.y > sign.box.y - sign.size,
    )
    const under = joined.filter(
      ({ text, box, baseline, size, direction }) =>
        bar &&
        direction === 0 &&
        text.trim() !== '' &&
        text.trim() !== '√' &&
        box.x >= bar.x - 1.5 &&
        right(box) <= right(bar) + 1.5 &&
        baseline > bar.y &&
        baseline < bar.y + 1.8 * size,
    )
    const [first] = under
    if (!first) {
      // What follows the root is in the same run: “√50 +”.
      const next = joined.find(
        ({ box, baseline, size }) =>
          bar && Math.abs(box.x - bar.x) < 2.5 && baseline > bar.y && baseline < bar.y + 1.8 * size,
      )
      if (next)
        joined = joined.flatMap((run) =>
          run === sign ? [] : run === next ? [{ ...run, text: `√${run.text}` }] : [run],
        )
      continue
    }
    const parts = new Set([sign, ...under])
    const text = grouped(under)
    const root: TextRun = {
      ...first,
      text: `√${text}`,
      box: { ...under.map(({ box }) => box).reduce(union), x: sign.box.x, width: right(first.box) - sign.box.x },
    }
    root.box.width = Math.max(...under.map(({ box }) => right(box))) - sign.box.x
    joined = joined.flatMap((run) => (run === first ? [root] : parts.has(run) ? [] : [run]))
  }
  return joined
}

/** A table's cells start at its rules. */
function isCentred(runs: readonly TextRun[], bar: Box): boolean {
  const { x, width } = runs.map(inkBox).reduce(union)
  return Math.abs(x + width / 2 - (bar.x + bar.width / 2)) <= Math.max(1.5, 0.08 * bar.width)
}

const overhang = (runs: readonly TextRun[], bar: Box): number => bar.width - runs.map(inkBox).reduce(union).width

function grouped(runs: readonly TextRun[]): string {
  const sorted = runs.toSorted((a, b) => a.box.x - b.box.x)
  const [base] = sorted.toSorted((a, b) => b.size - a.size)
  const text = sorted
    .map((run) => (base && isSuperscript(run, base) ? superscriptText(run.text) : run.text))
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
  return /[\s+\-−–×*/=]/.test(text) ? `(${text})` : text
}
