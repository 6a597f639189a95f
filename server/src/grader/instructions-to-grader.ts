import { ENGLISH, ENGLISH_NEEDS, OTHER_LANGUAGES, OTHERS_NEED, RUN_TOGETHER } from './instruction-patterns.ts'
import { backwards, encoded, plainLetter, spacedOut, turned13, withoutFigures } from './unmask-text.ts'

const compile = (sources: string[]) => sources.map((source) => new RegExp(source, 'giu'))
const otherPatterns = compile(OTHER_LANGUAGES)
const englishPatterns = compile(ENGLISH)
const togetherPatterns = compile(RUN_TOGETHER)

export interface Instruction {
  /** The whole sentence. */
  text: string
  from: number
  to: number
}

/** The sentences of a text that are meant for the grader, in order. Spaces and line breaks may be anywhere. */
export function findInstructions(text: string): Instruction[] {
  const { flat, plain, places } = flatten(text.slice(0, 40_000))
  const found: Instruction[] = []
  for (const { from: start, to: end } of matches(flat, plain)) {
    const from = places[sentenceStart(flat, start)] ?? 0
    const to = (places[sentenceEnd(flat, end) - 1] ?? text.length - 1) + 1
    found.push({ text: text.slice(from, to).trim(), from, to })
  }
  found.sort((a, b) => a.from - b.from || b.to - a.to)
  const merged: Instruction[] = []
  for (const one of found) {
    const last = merged.at(-1)
    if (last && one.from <= last.to) {
      last.to = Math.max(last.to, one.to)
      last.text = text.slice(last.from, last.to).trim()
    } else merged.push({ ...one })
  }
  return merged
}

/** Where a text speaks to the grader: as it stands, in letters that look alike, spaced out, turned round or encoded. */
function matches(flat: string, plain: string): { from: number; to: number }[] {
  const found = [...inEnglish(flat), ...inOthers(flat)]
  if (plain !== flat) found.push(...inEnglish(plain))
  const figures = withoutFigures(plain)
  if (figures !== plain) found.push(...inEnglish(figures))
  const whole = { from: 0, to: flat.length }
  // Honest text turned round has none of these words; the patterns take far longer than this look.
  for (const turned of [turned13(plain), backwards(plain)])
    if (/\b(?:grade|grader|marks?|points|score|instructions?|rubric|answer)\b/i.test(turned))
      if (inEnglish(turned).length > 0) found.push(whole)
  for (const stretch of spacedOut(plain))
    if (togetherPatterns.some((pattern) => stretch.text.search(pattern) >= 0)) found.push(stretch)
  for (const stretch of encoded(flat))
    if (inEnglish(stretch.text).length + inOthers(stretch.text).length > 0) found.push(stretch)
  return found
}

const inEnglish = (text: string) => (ENGLISH_NEEDS.test(text) ? search(text, englishPatterns) : [])
const inOthers = (text: string) => (OTHERS_NEED.test(text) ? search(text, otherPatterns) : [])

const search = (text: string, patterns: RegExp[]): { from: number; to: number }[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length })),
  )

/**
 * Breaks become spaces and letters of no width go (“ig\u200bnore”); `plain` has letters of other scripts as the Latin ones they look like;
 * `places` says where each letter stood.
 */
function flatten(text: string): { flat: string; plain: string; places: number[] } {
  const flat: string[] = []
  const plain: string[] = []
  const places: number[] = []
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? ''
    if (/[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069]/.test(letter)) continue
    const seen = /\s/.test(letter) ? ' ' : letter === '’' || letter === '‘' ? "'" : letter
    flat.push(seen)
    plain.push(plainLetter(seen))
    places.push(i)
  }
  return { flat: flat.join(''), plain: plain.join(''), places }
}

function sentenceStart(text: string, at: number): number {
  for (let i = at - 1; i >= 0 && i > at - 400; i--)
    if (/[.!?]/.test(text[i] ?? '') && text[i + 1] === ' ') return i + 1
  return Math.max(0, at - 400)
}

function sentenceEnd(text: string, from: number): number {
  for (let i = from; i < text.length && i < from + 400; i++) if (/[.!?]/.test(text[i] ?? '')) return i + 1
  return Math.min(text.length, from + 400)
}
