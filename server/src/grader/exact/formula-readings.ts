import { normalizeFormula } from './normalize-formula.ts'

/** A derivative's or a function's name before its value: `dy/dx =`, `f'(x) =`, `∫2x dx =`. */
const LABEL =
  /^\s*(?:d\s*\/\s*d\s*[a-z]\s*(?:\([^()=]*\))?|d\s*\^?2?\s*[a-z]\s*\/\s*d\s*[a-z]\s*\^?2?|[a-zA-Z]\s*['′’]+\s*(?:\(\s*[a-z]\s*\))?|[fgh]\s*\(\s*[a-z]\s*\)|∫[^=]*)\s*=\s*/

export const withoutLabel = (text: string): string => text.replace(LABEL, '')

/** “a squared plus b squared equals c squared”, “half m v squared”. */
export const spokenToSymbols = (text: string): string =>
  text
    .replace(/\s*\bsquared\b/gi, '^2 ')
    .replace(/\s*\bcubed\b/gi, '^3 ')
    .replace(/\b(?:multiplied\s+by|times)\b/gi, '*')
    .replace(/\b(?:divided\s+by|over)\b/gi, '/')
    .replace(/\bplus\b/gi, '+')
    .replace(/\bminus\b/gi, '-')
    .replace(/\b(?:is\s+equal\s+to|equals?)\b/gi, '=')
    .replace(/\b(?:one\s+|a\s+)?half(?:\s+of)?\b/gi, '(1/2)')
    .replace(/\b(?:the\s+)?square\s+root\s+of\b/gi, 'sqrt')
    .replace(/(?<=\^\d) +(?=[*/^])/g, '')

/** `mc2` for mc², where the digit has lost its height. */
export const restoreExponents = (text: string): string => text.replace(/(?<=[A-Za-z)])(\d)(?![\d.])/g, '^$1')

const LETTER_WORDS = /[A-Za-z]{3,}/g
const FUNCTION =
  /^(?:(?:arc)?(?:sin|cos|tan)|sqrt|ln|log|exp|abs|pi|alpha|beta|gamma|delta|theta|lambda|mu|rho|sigma|phi|omega|epsilon|tau|eta)$/i

/** Quantities whose letter is not their first. */
const SYMBOLS = new Map([
  ['current', 'i'],
  ['displacement', 's'],
  ['momentum', 'p'],
  ['charge', 'q'],
  ['speed', 'v'],
  ['density', 'rho'],
])

/** Each word by its first letter; null where a word fits none. */
export function wordsToSymbols(text: string, key: string): string | null {
  const letters = new Map(
    (normalizeFormula(key).match(/(?<![A-Za-z])[A-Za-z](?![A-Za-z]{2})|[A-Za-z]/g) ?? []).map((letter) => [
      letter.toLowerCase(),
      letter,
    ]),
  )
  if (/\brho\b/.test(normalizeFormula(key))) letters.set('rho', 'rho')
  const words = normalizeFormula(text).match(LETTER_WORDS) ?? []
  const named = words.filter((word) => !FUNCTION.test(word))
  const letterOf = (word: string) =>
    letters.get(SYMBOLS.get(word.toLowerCase()) ?? '') ?? letters.get((word[0] ?? '').toLowerCase())
  if (named.length === 0 || named.some((word) => letterOf(word) === undefined)) return null
  return normalizeFormula(text).replace(LETTER_WORDS, (word) => (FUNCTION.test(word) ? word : ` ${letterOf(word)} `))
}

/** Three letters and more are a word if pronounceable: `mgh`, `nRT` and `abc` are products. */
export const wordsIn = (formula: string): Set<string> =>
  new Set(
    (normalizeFormula(formula).match(/[A-Za-z]{3,}/g) ?? [])
      .filter((word) => /^[A-Za-z][a-z]+$/.test(word) && /[aeiou]/i.test(word) && !/^(?:abc|abcd|xyz)$/i.test(word))
      .map((word) => word.toLowerCase()),
  )

/** The right side of `KE = …`, whose name is another than the key's. */
export const afterOtherName = (text: string): { name: string; rest: string } | null => {
  const [, name = '', rest = ''] =
    /^\s*([A-Za-z]{1,12}(?:_\w+)?|[A-Z]\.[A-Z]\.)\s*=\s*([^=]+)$/.exec(normalizeFormula(text)) ?? []
  return rest === '' ? null : { name, rest }
}
