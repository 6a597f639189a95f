import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { assignLines } from '../extraction/assign-lines.ts'
import { isNameFieldLine, type PlacedLine, visibleLines } from '../layout/paper-lines.ts'
import { printedLinesOf } from '../layout/printed-lines.ts'
import { type KeyAnswer, readKeyAnswer } from './mark-scheme.ts'

/** What the key gives for each question: the key is extracted against the blank as a student's paper is. */
export function keyAnswers(rubric: Rubric, blank: Paper, key: Paper): Map<string, KeyAnswer> {
  const lines = visibleLines(key).flatMap(splitList)
  const { pieces } = assignLines(printedLinesOf(rubric, blank), lines)
  const answers = new Map<string, KeyAnswer>()
  for (const question of rubric.questions) {
    const own = (pieces.get(question.id) ?? []).map((piece) => piece.text).filter((text) => !isNameFieldLine(text))
    answers.set(question.id, readKeyAnswer(own))
  }
  return answers
}

const ENTRY = /(?:^|\s)(\d{1,3})\s*[.):]\s+(?=\S)/g

/** “1. B  2. True  3. 42” on one line, or “1 B” in a table, as lines of their own. */
function splitList(line: PlacedLine): PlacedLine[] {
  const entries = [...line.text.matchAll(ENTRY)]
  const counts = entries.every((entry, i) => i === 0 || Number(entry[1]) === Number(entries[i - 1]?.[1]) + 1)
  if (entries.length >= 2 && counts && entries[0]?.index === 0) {
    return entries.map((entry, i) => ({
      ...line,
      text: line.text.slice(entry.index, entries[i + 1]?.index).trim(),
    }))
  }
  const row = /^(\d{1,2})\s+([A-Ha-h]|true|false|T|F)\s*$/i.exec(line.text)
  return row ? [{ ...line, text: `${row[1]}. ${row[2]}` }] : [line]
}
