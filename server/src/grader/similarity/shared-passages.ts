import { isStopWord, stemOf } from '../text/terms.ts'

/** Words in a row that two answers share: the ranges of characters in each. */
export interface SharedPassage {
  words: number
  first: [start: number, end: number]
  second: [start: number, end: number]
}

interface PassageOptions {
  /** In words. */
  minimum?: number
  /** Each costs a look at all words of one answer for each of the other's. */
  most?: number
  /** Words that stand in one of these shingles are not theirs: they were printed or expected. */
  known?: ReadonlySet<string>
}

/**
 * The passages two answers share, longest first, none overlapping another: greedy string tiling (Wise 1993), which finds passages
 * whose order was changed too.
 */
export function sharedPassages(
  first: readonly AnswerWord[],
  second: readonly AnswerWord[],
  { minimum = 3, most = 8, known = new Set() }: PassageOptions = {},
): SharedPassage[] {
  const usedFirst = wordsIn(first, known)
  const usedSecond = wordsIn(second, known)
  const passages: SharedPassage[] = []
  for (;;) {
    const longest = longestRun(first, second, usedFirst, usedSecond)
    if (longest.words < minimum || passages.length === most) return passages
    for (let k = 0; k < longest.words; k++) {
      usedFirst.add(longest.i + k)
      usedSecond.add(longest.j + k)
    }
    passages.push({
      words: longest.words,
      first: rangeOf(first, longest.i, longest.words),
      second: rangeOf(second, longest.j, longest.words),
    })
  }
}

/** The places of the words that stand in one of the shingles. */
function wordsIn(words: readonly AnswerWord[], shingles: ReadonlySet<string>): Set<number> {
  const found = new Set<number>()
  if (shingles.size === 0) return found
  for (const [at, shingle] of shinglesOf(words).entries())
    if (shingles.has(shingle)) for (let k = 0; k < SHINGLE; k++) found.add(at + k)
  return found
}

function longestRun(
  first: readonly AnswerWord[],
  second: readonly AnswerWord[],
  usedFirst: ReadonlySet<number>,
  usedSecond: ReadonlySet<number>,
) {
  let best = { i: 0, j: 0, words: 0 }
  let above = new Uint16Array(second.length + 1)
  for (let i = 0; i < first.length; i++) {
    const row = new Uint16Array(second.length + 1)
    if (!usedFirst.has(i))
      for (let j = 0; j < second.length; j++) {
        if (usedSecond.has(j) || first[i]?.stem !== second[j]?.stem) continue
        const words = (above[j] ?? 0) + 1
        row[j + 1] = words
        if (words > best.words) best = { i: i - words + 1, j: j - words + 1, words }
      }
    above = row
  }
  return best
}

const rangeOf = (words: readonly AnswerWord[], at: number, count: number): [number, number] => [
  words[at]?.start ?? 0,
  words[at + count - 1]?.end ?? 0,
]

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
