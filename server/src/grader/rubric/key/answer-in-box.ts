import type { Box, Paper } from '@assay/shared/papers.ts'
import { removePrintedText } from '../../extraction/print/remove-printed-text.ts'
import { printPairs } from '../../layout/match-printed-lines.ts'
import { visibleLines } from '../../layout/paper-lines.ts'
import { joinWords, linesInBox, type WordOfLine } from '../../layout/words-in-box.ts'
import { answerStyles, cellsInStyles } from './repeated-key.ts'

const ANSWER_LABEL = /^\W*(?:(?:model|correct|sample|expected)\s+)?(?:answer|ans|solution|sol)\s*[:.]\s*/i
const RULES_ONLY = /^[\s_.…–—-]*$/

/** For a box that a person drew: words the blank does not print, else those in the answers' colour, else all. */
export function answerInBox(blank: Paper, key: Paper, page: number, box: Box): string {
  const lines = visibleLines(key)
  const pairs = new Map(printPairs(visibleLines(blank), lines).map((pair) => [pair.line, pair]))
  const onPage = lines.filter((line) => line.page === page)
  const framed = linesInBox(onPage, box)
  const inside = framed.map(({ line, words }) => {
    const pair = pairs.get(line)
    if (!pair) return words.filter((word) => word.inside)
    const added = removePrintedText(line.text, pair.printed.text, pair.kind, line.source !== 'text')
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
