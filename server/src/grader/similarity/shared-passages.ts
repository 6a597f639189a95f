import type { AnswerWord } from './answer-words.ts'

/** Words in a row that two answers share: the ranges of characters in each. */
export interface SharedPassage {
  words: number
  first: [start: number, end: number]
  second: [start: number, end: number]
}

/**
 * The passages two answers share, longest first, none overlapping another: greedy string tiling (Wise 1993), which finds passages
 * whose order was changed too. `minimum` in words.
 */
export function sharedPassages(
  first: readonly AnswerWord[],
  second: readonly AnswerWord[],
  minimum = 3,
): SharedPassage[] {
  const usedFirst = new Set<number>()
  const usedSecond = new Set<number>()
  const passages: SharedPassage[] = []
  for (;;) {
    const longest = longestRun(first, second, usedFirst, usedSecond)
    if (longest.words < minimum) return passages
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
