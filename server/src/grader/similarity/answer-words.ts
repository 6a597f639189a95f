import { isStopWord, stemOf } from '../text/terms.ts'

/** A word of an answer: its stem, and where it stands in the text, in characters. */
export interface AnswerWord {
  stem: string
  start: number
  end: number
}

/** Longer answers are cut here; a page has about 500 words. */
const MAX_WORDS = 1500
/** Words in one shingle (Broder 1997): fewer are met by chance, more are broken by any change. */
export const SHINGLE = 3

export function answerWordsOf(text: string): AnswerWord[] {
  const words: AnswerWord[] = []
  for (const { 0: word, index } of text.matchAll(/\p{L}+|\d+(?:[.,]\d+)*/gu)) {
    if (words.length === MAX_WORDS) break
    words.push({ stem: stemOf(word.toLowerCase().slice(0, 40)), start: index, end: index + word.length })
  }
  return words
}

/** What an answer is compared by: its stems but stop words, and its shingles of three words; each once. */
export function featuresOf(words: readonly AnswerWord[]): Set<string> {
  const features = new Set<string>()
  for (const { stem } of words) if (!isStopWord(stem)) features.add(stem)
  for (const shingle of shinglesOf(words)) features.add(shingle)
  return features
}

/** Of the words from each place on, but for the last ones. */
export const shinglesOf = (words: readonly AnswerWord[]): string[] =>
  words.slice(0, 1 - SHINGLE).map((_, i) =>
    words
      .slice(i, i + SHINGLE)
      .map(({ stem }) => stem)
      .join(' '),
  )
