import type { Evidence } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import type { Answer } from '../grader.ts'
import { answerSpaces } from './pages/page-order.ts'

type Place = Pick<Evidence, 'page' | 'box'>

const INSET = 7 // points; spaces reach into the printed lines they are between

const insetOf = (box: Place['box']): Place['box'] =>
  box.height > 6 * INSET ? { ...box, y: box.y + INSET, height: box.height - 2 * INSET } : box

function isIn({ page, box }: Place, space: Place): boolean {
  const middle = box.y + box.height / 2
  const overlaps = box.x < space.box.x + space.box.width && box.x + box.width > space.box.x
  return page === space.page && overlaps && middle >= space.box.y && middle <= space.box.y + space.box.height
}

/** At most four: the whole answer space, as words of a drawing or handwriting may be missed, and lines outside it. */
export function regionsToGrade(
  question: Pick<Question, 'regions'>,
  { evidence, sheet }: Pick<Answer, 'evidence' | 'sheet'>,
  order?: readonly number[],
): Evidence[] {
  // An answer sheet's circles lie in no space of the blank's.
  if (sheet) return evidence.slice(0, 4)
  const spaces = answerSpaces(question, order).map((space) => {
    const lines = evidence.filter((line) => isIn(line, space))
    return { lines, place: { ...space, box: insetOf(space.box), quote: lines.map(({ quote }) => quote).join(' ') } }
  })
  const used = evidence.length === 0 ? spaces : spaces.filter(({ lines }) => lines.length > 0)
  const outside = evidence.filter((line) => !spaces.some(({ lines }) => lines.includes(line)))
  return [...used.map(({ place }) => place), ...outside].slice(0, 4)
}
