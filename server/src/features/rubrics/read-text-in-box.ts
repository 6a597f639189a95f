import type { Box, Line } from '@assay/shared/papers.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { Services } from '../../services.ts'
import { RubricUnavailableError, readBlankOrKey } from './assignment-rubric.ts'

/** The words in a rectangle of a page of the blank or the key, a line each; of a table only the cells in it. */
export async function readTextInBox(
  assignment: AssignmentDoc,
  which: 'blank' | 'key',
  { page, box }: { page: number; box: Box },
  services: Services,
  signal: AbortSignal,
): Promise<string> {
  try {
    const { paper } = await readBlankOrKey(which, assignment, services, signal, null)
    const lines = paper.pages.find(({ number }) => number === page)?.lines ?? []
    return textInBox(lines, box)
  } catch (error) {
    if (!(error instanceof RubricUnavailableError)) throw error
    throw new AppError('bad_request', error.message, { cause: error })
  }
}

export function textInBox(lines: readonly Line[], box: Box): string {
  return lines
    .filter((line) => !line.hidden && isBetween(line.box.y + line.box.height / 2, box.y, box.height))
    .map((line) => wordsInside(line, box))
    .filter((text) => text !== '')
    .join('\n')
}

const isBetween = (value: number, from: number, length: number) => value >= from && value <= from + length

/** A line's cells in the box; of a cell wider than the box the words that stand there, by their share of its width. */
function wordsInside({ text, box: own, cells = [{ text, x: own.x, width: own.width }] }: Line, box: Box): string {
  return cells
    .map((cell) => {
      const perLetter = cell.width / Math.max(1, cell.text.length)
      const words = [...cell.text.matchAll(/\S+/g)].filter(({ 0: word, index }) =>
        isBetween(cell.x + (index + word.length / 2) * perLetter, box.x, box.width),
      )
      return words.map(([word]) => word).join(' ')
    })
    .filter((words) => words !== '')
    .join(' ')
}
