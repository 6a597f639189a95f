import { escapeRegExp } from '../../lib/escape-reg-exp.ts'

export interface NameToken {
  text: string
  from: number
  to: number
  capital: boolean
  /** Lower case without accents, and with written-out umlauts. */
  forms: string[]
}

/** No spaces between words, and names of two letters. */
export const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const ASCII_LETTERS = /^[a-z]*$/i

export const foldName = (word: string): string =>
  ASCII_LETTERS.test(word) ? word.toLowerCase() : stripAccents(word).toLowerCase().replaceAll('ß', 'ss')

const withUmlautsWrittenOut = (word: string) =>
  foldName(word.normalize('NFC').replace(/[äöüøÄÖÜØ]/g, (letter) => `${stripAccents(letter)}e`))

const comparableFormsOf = (word: string): string[] =>
  ASCII_LETTERS.test(word) ? [word.toLowerCase()] : [...new Set([foldName(word), withUmlautsWrittenOut(word)])]

/** `text` is in NFC. Misread words may have figures among their letters. */
export function tokenizeNames(text: string, misread = false): NameToken[] {
  const pattern = misread ? /(?=[\d|]*\p{L})[\p{L}\p{M}\d|]+/gu : /[\p{L}\p{M}]+/gu
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
    text: word,
    from: index,
    to: index + word.length,
    capital: /^\p{Lu}/u.test(word),
    forms: comparableFormsOf(word),
  }))
}

/** Letters that do not decompose into base and mark. */
const BASE_LETTERS: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  İ: 'I',
}
const UMLAUT = /^[äöüøÄÖÜØ]$/

const stripAccent = (letter: string) => BASE_LETTERS[letter] ?? letter.normalize('NFD').replace(/\p{M}/gu, '')

export const stripAccents = (word: string): string => [...word.normalize('NFC')].map(stripAccent).join('')

const variants = new Map<string, string>()
for (const [from, to] of [
  [0xc0, 0x24f],
  [0x1e00, 0x1eff],
] as const)
  for (let code = from; code <= to; code += 1) {
    const letter = String.fromCodePoint(code)
    const without = stripAccent(letter)
    if (without !== letter && /^[a-z]$/i.test(without)) variants.set(without, (variants.get(without) ?? '') + letter)
  }

/** Source of a pattern, for texts in NFC. */
export function accentInsensitivePattern(word: string): string {
  return [...word.normalize('NFC')]
    .map((letter) => {
      if (letter === 'ß') return '(?:ß|ss)'
      const without = stripAccent(letter)
      const others = variants.get(without)
      if (!others) return escapeRegExp(letter)
      return `[${without}${others}]\\p{M}*${UMLAUT.test(letter) ? '[eE]?' : ''}`
    })
    .join('')
}
