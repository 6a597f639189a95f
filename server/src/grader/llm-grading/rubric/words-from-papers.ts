import { wordsOf } from '../../text/terms.ts'

/** One word in twelve may be read differently, an “and” put between two lines, say. */
const MAX_UNKNOWN_SHARE = 1 / 12

/** Whether a text is made of another's words: what a model claims to have read is there. */
export function isMadeOfWords(text: string, words: ReadonlySet<string>): boolean {
  const own = wordsOf(text)
  if (own.length === 0) return text.trim() === ''
  const strange = own.filter((word) => !words.has(word))
  // A number nobody printed is never a slip.
  return strange.length <= own.length * MAX_UNKNOWN_SHARE && !strange.some((word) => /\d/.test(word))
}

/** The words of a whole paper, for `isMadeOfWords`. Taken line by line: `wordsOf` cuts what is very long. */
export const wordSetOf = (text: string): ReadonlySet<string> => new Set(text.split('\n').flatMap(wordsOf))
