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
const SHINGLE = 3

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
  for (const [i, { stem }] of words.entries()) {
    if (!isStopWord(stem)) features.add(stem)
    const shingle = words.slice(i, i + SHINGLE)
    if (shingle.length === SHINGLE) features.add(shingle.map((word) => word.stem).join(' '))
  }
  return features
}
