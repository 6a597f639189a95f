import type { Box, Line } from '@assay/shared/papers.ts'

export interface WordOfLine {
  text: string
  inside: boolean
}

/** By height; of a table only the cells inside. */
export function linesInBox<L extends Line>(lines: readonly L[], box: Box): { line: L; words: WordOfLine[] }[] {
  return lines
    .filter((line) => !line.hidden && isBetween(line.box.y + line.box.height / 2, box.y, box.height))
    .map((line) => ({ line, words: wordsOf(line, box) }))
    .filter(({ words }) => words.some(({ inside }) => inside))
}

export const joinWords = (words: readonly WordOfLine[]): string => words.map(({ text }) => text).join(' ')

const isBetween = (value: number, from: number, length: number) => value >= from && value <= from + length

function wordsOf({ text, box: own, cells = [{ text, x: own.x, width: own.width }] }: Line, box: Box): WordOfLine[] {
  return cells.flatMap((cell) => {
    const perLetter = cell.width / Math.max(1, cell.text.length)
    return [...cell.text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
      text: word,
      inside: isBetween(cell.x + (index + word.length / 2) * perLetter, box.x, box.width),
    }))
  })
}
