import { isStopWord, stemOf } from '../text/terms.ts'

/** Character ranges in each answer. */
export interface SharedPassage {
  words: number
  first: [start: number, end: number]
  second: [start: number, end: number]
}

/** In words. */
const SHORTEST_PASSAGE = 3
/** Each costs a pass over both answers. */
const MOST_PASSAGES = 8

/**
 * Longest first, without overlap: greedy string tiling (Wise 1993), which finds reordered passages too. `known`:
 * printed or expected shingles, which do not count.
 */
export function sharedPassages(
  first: readonly AnswerWord[],
  second: readonly AnswerWord[],
  known: ReadonlySet<string> = new Set(),
): SharedPassage[] {
  const usedFirst = wordsIn(first, known)
  const usedSecond = wordsIn(second, known)
  const passages: SharedPassage[] = []
  for (;;) {
    const longest = longestRun(first, second, usedFirst, usedSecond)
    if (longest.words < SHORTEST_PASSAGE || passages.length === MOST_PASSAGES) return passages
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

/** With its character range. */
export interface AnswerWord {
  stem: string
  start: number
  end: number
}

const MAX_WORDS = 1500
/** Words (Broder 1997): fewer match by chance, more break by any change. */
const SHINGLE = 3

export function answerWordsOf(text: string): AnswerWord[] {
  const words: AnswerWord[] = []
  for (const { 0: word, index } of text.matchAll(/\p{L}+|\d+(?:[.,]\d+)*/gu)) {
    if (words.length === MAX_WORDS) break
    words.push({ stem: stemOf(word.toLowerCase().slice(0, 40)), start: index, end: index + word.length })
  }
  return words
}

export function featuresOf(words: readonly AnswerWord[]): Set<string> {
  const features = new Set<string>()
  for (const { stem } of words) if (!isStopWord(stem)) features.add(stem)
  for (const shingle of shinglesOf(words)) features.add(shingle)
  return features
}

export const shinglesOf = (words: readonly AnswerWord[]): string[] =>
  words.slice(0, 1 - SHINGLE).map((_, i) =>
    words
      .slice(i, i + SHINGLE)
      .map(({ stem }) => stem)
      .join(' '),
  )
