import type { Evidence } from '@assay/shared/papers.ts'

const MAX_TYPED_ERRORS = 0.08 // share of letters
const MAX_OCR_ERRORS = 0.2 // OCR often misreads, and an LLM that saw the page quotes the page
/** Shorter quotes must match exactly, as whole words. */
const SHORT = 10

/**
 * A few letters may differ, but no digit or negation; “…” omits words. Returns the answer's lines (all of them if no
 * line has the corrected words), or null.
 */
export function findQuote(
  quote: string,
  answer: { text: string; evidence: Evidence[]; reading: number },
): Evidence[] | null {
  const pieces = quote
    .split(/…|\.{3,}|\[\s*…?\s*\]/)
    .map(lettersOf)
    .filter((piece) => piece !== '')
  if (pieces.length === 0) return null
  const slips = answer.reading < 1 ? MAX_OCR_ERRORS : MAX_TYPED_ERRORS
  const text = letterStreamOf([answer.text])
  if (!findPieces(pieces, text, slips)) return null
  const lines = letterStreamOf(answer.evidence.map((line) => line.quote))
  const spans = findPieces(pieces, lines, slips)
  if (!spans) return answer.evidence
  const numbers = new Set<number>()
  for (const { from, to } of spans) for (let i = from; i < to; i++) numbers.add(lines.lineOf[i] ?? 0)
  return answer.evidence.filter((_, i) => numbers.has(i))
}

interface Stream {
  letters: string
  lineOf: number[] // by letter
  begins: boolean[]
}

interface Span {
  from: number
  to: number
}

/** In order, without overlap; null when one is missing. */
function findPieces(pieces: string[], stream: Stream, slips: number): Span[] | null {
  const spans: Span[] = []
  let at = 0
  for (const piece of pieces) {
    const span = findPiece(piece, stream, at, slips)
    if (!span) return null
    spans.push(span)
    at = span.to
  }
  return spans
}

function findPiece(piece: string, stream: Stream, start: number, slips: number): Span | null {
  for (let from = stream.letters.indexOf(piece, start); from >= 0; ) {
    const to = from + piece.length
    const asWords = stream.begins[from] && (to >= stream.letters.length || stream.begins[to])
    if (piece.length >= SHORT || asWords) return { from, to }
    from = stream.letters.indexOf(piece, from + 1)
  }
  if (piece.length < SHORT) return null
  const span = findApproximateMatch(piece, stream.letters, start, Math.floor(piece.length * slips))
  if (!span) return null
  // One letter makes 1914 of 1915, and three take a “not” away.
  const there = stream.letters.slice(span.from, span.to)
  return digitsAndNegationsIn(there) === digitsAndNegationsIn(piece) ? span : null
}

const digitsAndNegationsIn = (letters: string): string =>
  `${(letters.match(/[\p{N}+=<>≤≥≠×÷*/^√]/gu) ?? []).join('')} ${(letters.match(/not|never|n[o0]ne|without|n't|cannot/g) ?? []).length}`

function letterStreamOf(texts: string[]): Stream {
  const stream: Stream = { letters: '', lineOf: [], begins: [] }
  const flat: string[] = []
  texts.forEach((text, line) => {
    // A word broken at a line's end continues.
    let between = true
    for (const letter of normalize(text)) {
      if (!COMPARED_CHARACTER.test(letter)) {
        if (!/['’\u00ad]/.test(letter)) between = true
        continue
      }
      for (const unit of letter.split('')) {
        flat.push(unit)
        stream.lineOf.push(line)
        stream.begins.push(between)
        between = false
      }
    }
  })
  stream.letters = flat.join('')
  return stream
}

const COMPARED_CHARACTER = /[\p{L}\p{N}+=<>≤≥≠×÷*/^√%$€£°✓✗]/u

const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[−–—]/g, '-')
    .replace(/[✔☑✅]\ufe0f?/gu, '✓')
    .replace(/[✘☒❌✖]\ufe0f?/gu, '✗')

const lettersOf = (text: string): string =>
  [...normalize(text)].filter((letter) => COMPARED_CHARACTER.test(letter)).join('')

/** The fuzzy search's time grows with both lengths. */
const MAX_SEARCHED_LENGTH = 20_000

/** Fewest edits to `wanted`, `most` at most, anywhere in the text (Sellers, 1980). Offsets are in UTF-16 units. */
function findApproximateMatch(wanted: string, text: string, start: number, most: number): Span | null {
  if (most < 1 || text.length - start > MAX_SEARCHED_LENGTH || wanted.length > 600) return null
  const n = wanted.length
  let costs = Array.from({ length: n + 1 }, (_, i) => i)
  let origins = new Array<number>(n + 1).fill(start)
  let best: (Span & { cost: number }) | null = null
  for (let at = start; at < text.length; at++) {
    const nextCosts = new Array<number>(n + 1)
    const nextOrigins = new Array<number>(n + 1)
    nextCosts[0] = 0
    nextOrigins[0] = at + 1
    for (let i = 1; i <= n; i++) {
      const replace = (costs[i - 1] ?? 0) + (wanted[i - 1] === text[at] ? 0 : 1)
      const added = (costs[i] ?? 0) + 1
      const missing = (nextCosts[i - 1] ?? 0) + 1
      const cost = Math.min(replace, added, missing)
      nextCosts[i] = cost
      nextOrigins[i] =
        (cost === replace ? (i === 1 ? at : origins[i - 1]) : cost === added ? origins[i] : nextOrigins[i - 1]) ?? at
    }
    costs = nextCosts
    origins = nextOrigins
    const cost = costs[n] ?? most + 1
    if (cost <= most && (!best || cost < best.cost)) best = { cost, from: origins[n] ?? at, to: at + 1 }
  }
  return best
}
