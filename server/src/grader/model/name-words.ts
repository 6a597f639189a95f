import { bare } from './spelt-loosely.ts'

/** A run of letters in a text. */
export interface Word {
  text: string
  from: number
  to: number
  capital: boolean
  /** As it is compared: small, without accents; a written-out umlaut beside it. */
  forms: string[]
}

/** Written without spaces between words, and names of two letters. */
export const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

const PLAIN = /^[a-z]*$/i

/** A word as names are compared: small letters without accents. */
export const folded = (word: string): string =>
  PLAIN.test(word) ? word.toLowerCase() : bare(word).toLowerCase().replaceAll('ß', 'ss')

const writtenOut = (word: string) =>
  folded(word.normalize('NFC').replace(/[äöüøÄÖÜØ]/g, (letter) => `${bare(letter)}e`))

/** `Müller` is `muller` and `mueller`. */
export const formsOf = (word: string): string[] =>
  PLAIN.test(word) ? [word.toLowerCase()] : [...new Set([folded(word), writtenOut(word)])]

/** The words of a text in NFC. What was misread may have figures among its letters. */
export function wordsAt(text: string, misread = false): Word[] {
  const pattern = misread ? /(?=[\d|]*\p{L})[\p{L}\p{M}\d|]+/gu : /[\p{L}\p{M}]+/gu
  return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
    text: word,
    from: index,
    to: index + word.length,
    capital: /^\p{Lu}/u.test(word),
    forms: formsOf(word),
  }))
}
