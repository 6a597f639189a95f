import {
  findEncodedText,
  findSpacedOutText,
  foldLookAlikeLetter,
  reverseText,
  rot13,
  undoLeetspeak,
} from './deobfuscate-text.ts'
import {
  ENGLISH_PATTERNS,
  ENGLISH_PREFILTER,
  OTHER_LANGUAGE_PATTERNS,
  OTHER_LANGUAGES_PREFILTER,
  UNSPACED_PATTERNS,
} from './prompt-injection-patterns.ts'

const compile = (sources: string[]) => sources.map((source) => new RegExp(source, 'giu'))
const otherPatterns = compile(OTHER_LANGUAGE_PATTERNS)
const englishPatterns = compile(ENGLISH_PATTERNS)
const unspacedPatterns = compile(UNSPACED_PATTERNS)

interface PromptInjection {
  text: string
  from: number
  to: number
}

/** Sentences meant for the grader, in order, across spaces and line breaks. */
export function findPromptInjections(text: string): PromptInjection[] {
  const { flat, plain, places } = flatten(text.slice(0, 40_000))
  const found: PromptInjection[] = []
  for (const { from: start, to: end } of matches(flat, plain)) {
    const from = places[sentenceStart(flat, start)] ?? 0
    const to = (places[sentenceEnd(flat, end) - 1] ?? text.length - 1) + 1
    found.push({ text: text.slice(from, to).trim(), from, to })
  }
  found.sort((a, b) => a.from - b.from || b.to - a.to)
  const merged: PromptInjection[] = []
  for (const one of found) {
    const last = merged.at(-1)
    if (last && one.from <= last.to) {
      last.to = Math.max(last.to, one.to)
      last.text = text.slice(last.from, last.to).trim()
    } else merged.push({ ...one })
  }
  return merged
}

/** In plain text, look-alike letters, spaced out, reversed or encoded. */
function matches(flat: string, plain: string): { from: number; to: number }[] {
  const found = [...inEnglish(flat), ...inOtherLanguages(flat)]
  if (plain !== flat) found.push(...inEnglish(plain))
  const figures = undoLeetspeak(plain)
  if (figures !== plain) found.push(...inEnglish(figures))
  const whole = { from: 0, to: flat.length }
  // Honest text turned round has none of these words; the patterns take far longer than this look.
  for (const turned of [rot13(plain), reverseText(plain)])
    if (/\b(?:grade|grader|marks?|points|score|instructions?|rubric|answer)\b/i.test(turned))
      if (inEnglish(turned).length > 0) found.push(whole)
  for (const stretch of findSpacedOutText(plain))
    if (unspacedPatterns.some((pattern) => stretch.text.search(pattern) >= 0)) found.push(stretch)
  for (const stretch of findEncodedText(flat))
    if (inEnglish(stretch.text).length + inOtherLanguages(stretch.text).length > 0) found.push(stretch)
  return found
}

const inEnglish = (text: string) => (ENGLISH_PREFILTER.test(text) ? search(text, englishPatterns) : [])
const inOtherLanguages = (text: string) => (OTHER_LANGUAGES_PREFILTER.test(text) ? search(text, otherPatterns) : [])

const search = (text: string, patterns: RegExp[]): { from: number; to: number }[] =>
  patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length })),
  )

/** Breaks become spaces, zero-width letters go; `plain` has look-alikes replaced, `places` maps each letter back. */
function flatten(text: string): { flat: string; plain: string; places: number[] } {
  const flat: string[] = []
  const plain: string[] = []
  const places: number[] = []
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? ''
    if (/[\u200b-\u200f\u2060\ufeff\u00ad\u202a-\u202e\u2066-\u2069]/.test(letter)) continue
    const seen = /\s/.test(letter) ? ' ' : letter === '’' || letter === '‘' ? "'" : letter
    flat.push(seen)
    plain.push(foldLookAlikeLetter(seen))
    places.push(i)
  }
  return { flat: flat.join(''), plain: plain.join(''), places }
}

function sentenceStart(text: string, at: number): number {
  for (let i = at - 1; i >= 0 && i > at - 400; i--) if (/[.!?]/.test(text[i] ?? '') && text[i + 1] === ' ') return i + 1
  return Math.max(0, at - 400)
}

function sentenceEnd(text: string, from: number): number {
  for (let i = from; i < text.length && i < from + 400; i++) if (/[.!?]/.test(text[i] ?? '')) return i + 1
  return Math.min(text.length, from + 400)
}
