import type { Box, Paper } from '@assay/shared/papers.ts'
import { removePrintedText } from '../../extraction/print/remove-printed-text.ts'
import { matchPrintedLines } from '../../layout/match-printed-lines.ts'
import { visibleLines } from '../../layout/paper-lines.ts'
import { joinWords, linesInBox, type WordOfLine } from '../../layout/words-in-box.ts'
import { answerStyles, cellsInStyles } from './repeated-key.ts'

const ANSWER_LABEL = /^\W*(?:(?:model|correct|sample|expected)\s+)?(?:answer|ans|solution|sol)\s*[:.]\s*/i
const RULES_ONLY = /^[\s_.…–—-]*$/

/**
 * What a person has framed of the key: the words that the blank does not print; where it prints them all those that the key marks by a
 * colour, and else what is there.
 */
export function answerInBox(blank: Paper, key: Paper, page: number, box: Box): string {
  const lines = visibleLines(key)
  const prints = visibleLines(blank).map(({ text }) => text)
  const matches = matchPrintedLines(
    prints,
    lines.map(({ text }) => text),
  )
  const framed = linesInBox(
    lines.filter((line) => line.page === page),
    box,
  )
  const inside = framed.map(({ line, words }) => {
    const match = matches.get(lines.indexOf(line))
    const print = match && prints[match.printedIndex]
    if (print === undefined) return words.filter((word) => word.inside)
    const added = removePrintedText(line.text, print, match?.kind ?? 'same', line.source !== 'text')
    return addedWords(words, added).filter((word) => word.inside)
  })
  const added = textOf(inside.map(joinWords))
  if (added !== '') return added
  const styles = answerStyles(blank, key)
  const marked = textOf(
    framed.flatMap(({ line }) => linesInBox(cellsInStyles(line, styles), box)).map(({ words }) => insideOf(words)),
  )
  return marked || textOf(framed.map(({ words }) => insideOf(words)))
}

const insideOf = (words: readonly WordOfLine[]) => joinWords(words.filter(({ inside }) => inside))

/** Those words of a line that were added to its print: the last ones that make up what was added, as it mostly stands at the end. */
function addedWords(words: readonly WordOfLine[], added: string): WordOfLine[] {
  const left = added.split(/\s+/).filter(Boolean)
  return words
    .toReversed()
    .filter(({ text }) => {
      if (left.at(-1) !== text) return false
      left.pop()
      return true
    })
    .toReversed()
}

const textOf = (texts: readonly string[]): string =>
  texts
    .filter((text) => !RULES_ONLY.test(text))
    .join('\n')
    .replace(ANSWER_LABEL, '')
    .trim()
