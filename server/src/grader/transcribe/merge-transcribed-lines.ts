import type { Box, Line, Page } from '@assay/shared/papers.ts'
import { alignLines } from '../extraction/align-lines.ts'
import type { TranscribedLine } from './transcribed-line.ts'

/** Such OCR lines stay even if the LLM omits them: it may have skipped one. */
const MIN_OCR_CONFIDENCE = 0.8

/** Typed text and sure OCR lines stay; lines only the LLM saw go between their neighbours. */
export function mergeTranscribedLines(page: Page, read: readonly TranscribedLine[]): Page {
  const { known, matches } = matchedLines(page, read)
  const matched = new Set(matches)
  const merged: Line[] = []
  let next = 0
  const keepUnmatchedUntil = (until: number) => {
    for (; next < until; next += 1) {
      const line = known[next]
      const retained = line && (line.source !== 'ocr' || line.confidence >= MIN_OCR_CONFIDENCE)
      if (line && retained && !matched.has(next)) merged.push(line)
    }
  }
  for (const [i, { text, confidence, at }] of read.entries()) {
    const match = matches[i] ?? null
    const line = match === null ? undefined : known[match]
    if (match !== null && line) {
      keepUnmatchedUntil(match)
      next = match + 1
      merged.push(line.source === 'ocr' ? { ...line, text, confidence, source: 'model' } : line)
    } else merged.push({ text, confidence, source: 'model', box: boxBetween(page, known, matches, i, at) })
  }
  keepUnmatchedUntil(known.length)
  return { ...page, lines: [...merged, ...page.lines.filter(({ hidden }) => hidden)] }
}

export function boxesOfTranscribedLines(page: Page, read: readonly TranscribedLine[]): { box: Box; found: boolean }[] {
  const { known, matches } = matchedLines(page, read)
  return read.map(({ at }, i) => {
    const line = known[matches[i] ?? -1]
    return line ? { box: line.box, found: true } : { box: boxBetween(page, known, matches, i, at), found: false }
  })
}

function matchedLines(page: Page, read: readonly TranscribedLine[]) {
  const known = page.lines.filter(({ hidden }) => !hidden)
  const placed = known.map(({ text, box }) => ({ text, at: (box.y + box.height / 2) / page.height }))
  return { known, matches: pairBetween(known, alignLines(read, placed)) }
}

/** As many OCR lines as the LLM has between two matches are the same ones, however differently read. */
function pairBetween(known: readonly Line[], matches: readonly (number | null)[]): (number | null)[] {
  const paired = [...matches]
  for (let from = 0; from < matches.length; from += 1) {
    if (matches[from] !== null) continue
    const next = matches.findIndex((match, i) => i > from && match !== null)
    const until = next < 0 ? matches.length : next
    const first = (matches[from - 1] ?? -1) + 1
    const last = next < 0 ? known.length : (matches[next] ?? known.length)
    const open = known.slice(first, last).flatMap(({ source }, i) => (source === 'ocr' ? [first + i] : []))
    if (open.length === until - from) for (const [i, at] of open.entries()) paired[from + i] = at
    from = until
  }
  return paired
}

const LINE_HEIGHT = 14

function boxBetween(page: Page, known: Line[], matches: (number | null)[], i: number, at: number): Box {
  const boxOf = (match: number | null | undefined) => (match == null ? undefined : known[match]?.box)
  const before = boxOf(matches.slice(0, i).findLast((one) => one !== null))
  const after = boxOf(matches.slice(i + 1).find((one) => one !== null))
  const top = before ? before.y + before.height : 0
  const bottom = after && after.y > top ? after.y : page.height
  const middle = Math.min(Math.max(at * page.height, top + LINE_HEIGHT / 2), Math.max(top, bottom - LINE_HEIGHT / 2))
  const x = Math.min(before?.x ?? after?.x ?? page.width * 0.1, page.width * 0.6)
  return {
    x: round(x),
    y: round(Math.min(page.height - LINE_HEIGHT, Math.max(0, middle - LINE_HEIGHT / 2))),
    width: round(page.width * 0.9 - x),
    height: LINE_HEIGHT,
  }
}

const round = (value: number) => Math.round(value * 100) / 100
