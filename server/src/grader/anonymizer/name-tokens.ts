import { stripAccents } from './accent-insensitive-pattern.ts'

export interface NameToken {
  text: string
  from: number
  to: number
  capital: boolean
  /** Lower case without accents, and with written-out umlauts. */
  forms: string[]
}

/** Written without spaces between words, and names of two letters. */
export const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const ASCII_LETTERS = /^[a-z]*$/i

export const foldName = (word: string): string =>
  ASCII_LETTERS.test(word) ? word.toLowerCase() : stripAccents(word).toLowerCase().replaceAll('ß', 'ss')

const withUmlautsWrittenOut = (word: string) =>
  foldName(word.normalize('NFC').replace(/[äöüøÄÖÜØ]/g, (letter) => `${stripAccents(letter)}e`))

/** `Müller` is `muller` and `mueller`. */
const comparableFormsOf = (word: string): string[] =>
  ASCII_LETTERS.test(word) ? [word.toLowerCase()] : [...new Set([foldName(word), withUmlautsWrittenOut(word)])]

/** The words of a text in NFC. What was misread may have figures among its letters. */
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
