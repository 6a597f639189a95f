import { bottomOf } from './paper-lines.ts'
import type { Row } from './rows.ts'

/** What stands over a label's words starts at least so far right of the label, in points. */
const RIGHT_OF_LABEL = 8
/** Rows of brackets touch those below them, give or take, in points. */
const TOUCHING = 3

/**
 * Puts what reaches above the words of a numbered row behind that row: the upper rows of a matrix, the limit of an integral, whose
 * letters stand higher than the number they belong to.
 */
export function withTallFormulas<R extends Row>(rows: readonly R[]): R[] {
  const ordered: R[] = []
  for (const row of rows) {
    const over: R[] = []
    if (row.labels.length > 0) {
      for (let last = ordered.at(-1); last && reachesInto(last, row, over[0] ?? row); last = ordered.at(-1)) {
        ordered.pop()
        over.unshift(last)
      }
    }
    ordered.push(row, ...over)
  }
  return ordered
}

function reachesInto(above: Row, labelled: Row, below: Row): boolean {
  // “2 1 1 −1” is a row of a matrix, “2.” and “(b)” are labels.
  const numbered = above.explicit || above.labels.some(({ style }) => style.length > 1)
  if (numbered || above.line.page !== labelled.line.page) return false
  if (above.line.box.x < labelled.line.box.x + RIGHT_OF_LABEL || !isFormulaPart(above.text)) return false
  const gap = below.line.box.y - bottomOf(above.line)
  return gap < 0 || (gap < TOUCHING && !/[\p{L}\p{N}]/u.test(above.text))
}

/** No words: numbers, signs, brackets and single letters. */
const isFormulaPart = (text: string): boolean => !/\p{L}{3}/u.test(text)
