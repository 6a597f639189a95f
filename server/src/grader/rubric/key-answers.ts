import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { assignLines } from '../extraction/assign-lines.ts'
import { findPageFurniture, isNameFieldLine, type PlacedLine, visibleLines } from '../layout/paper-lines.ts'
import { printedLinesOf } from '../layout/printed-lines.ts'
import type { PrintedQuestion } from '../layout/read-questions.ts'
import { toRow } from '../layout/rows.ts'
import type { KeyLine } from './key/key-lines.ts'
import { readLabelledKey } from './key/labelled-key.ts'
import { type KeyAnswer, readScheme } from './key/read-scheme.ts'
import { answerStyles, readColouredKey, repeatedShare } from './key/repeated-key.ts'

/** A key that prints so much of the blank again is the blank with the answers written in. */
const REPEATED = 0.5
/** An answer's colour must give answers to so many of the questions. */
const COLOURED = 0.6

/** What the key gives for each question: written into the blank, or listed under the questions' numbers. */
export function keyAnswers(
  rubric: Rubric,
  printed: PrintedQuestion[],
  blank: Paper,
  key: Paper,
): Map<string, KeyAnswer> {
  const lines = keyLines(rubric, printed, blank, key)
  return new Map(
    rubric.questions.map((question) => {
      const own = (lines.get(question.id) ?? []).filter(({ text }) => !isNameFieldLine(text))
      return [question.id, readScheme(own, question.printed_points ?? null)]
    }),
  )
}

function keyLines(rubric: Rubric, questions: PrintedQuestion[], blank: Paper, key: Paper): Map<string, KeyLine[]> {
  const print = printedLinesOf(rubric, blank)
  if (repeatedShare(print, key) >= REPEATED) {
    const styles = answerStyles(blank, key)
    const coloured = styles.size > 0 ? readColouredKey(print, key, styles) : new Map<string, KeyLine[]>()
    return coloured.size >= COLOURED * questions.length ? coloured : writtenIn(rubric, blank, key)
  }
  const visible = visibleLines(key)
  const furniture = findPageFurniture(visible)
  const rows = visible
    .filter((line) => !furniture.has(line))
    .flatMap(splitList)
    .map(toRow)
  return readLabelledKey(questions, rows) ?? writtenIn(rubric, blank, key)
}

/** What is left of the key without the blank's print. */
function writtenIn(rubric: Rubric, blank: Paper, key: Paper): Map<string, KeyLine[]> {
  const lines = visibleLines(key).flatMap(splitList)
  const { pieces } = assignLines(printedLinesOf(rubric, blank), lines)
  return new Map(
    [...pieces].map(([id, own]) => [
      id,
      own.map(({ text, line }): KeyLine => ({ text, right: line.box.x + line.box.width })),
    ]),
  )
}

const ENTRY = /(?:^|\s)(\d{1,3})\s*[.):]\s+(?=\S)/g

/** “1. B  2. True  3. 42” on one line, or “1 B” in a table, as lines of their own. */
function splitList(line: PlacedLine): PlacedLine[] {
  const entries = [...line.text.matchAll(ENTRY)]
  const counts = entries.every((entry, i) => i === 0 || Number(entry[1]) === Number(entries[i - 1]?.[1]) + 1)
  if (entries.length >= 2 && counts && entries[0]?.index === 0) {
    const { cells: _, ...plain } = line
    return entries.map((entry, i) => ({
      ...plain,
      text: line.text.slice(entry.index, entries[i + 1]?.index).trim(),
    }))
  }
  return [line]
}
