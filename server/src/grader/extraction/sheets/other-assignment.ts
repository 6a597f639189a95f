import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Answer, ReviewReason } from '../../grader.ts'
import { normalizeText, type PlacedLine } from '../../layout/paper-lines.ts'
import type { OwnSheets } from './own-sheets.ts'

/** Titles of a key, never of a student's paper. */
const KEY_TITLE =
  /\b(?:answer\s*key|mark(?:ing)?[\s-]*scheme|marking\s+(?:guide|guidelines|key|notes)|scoring\s+(?:guide|key)|model\s+answers|teacher['’]?s?\s+(?:copy|version|edition)|for\s+(?:teachers|examiners|instructors))\b/i
const LINES_OF_TITLE = 6
const LONGEST_TITLE = 12

/** Such a paper has no score and goes to a person. Null where it belongs. */
export function otherAssignment(
  { foreign, otherVersion }: { foreign: OwnSheets['foreign']; otherVersion: boolean },
  lines: readonly PlacedLine[],
  blankText: string,
): ReviewReason | null {
  const because = (reason: string): ReviewReason => ({
    code: 'other_assignment',
    message: `${reason} Nothing on it was graded.`,
  })
  if (foreign.all) return because('This looks like a different assignment: it prints other questions.')
  if (otherVersion)
    return because('This looks like another version of this assignment: some questions differ from the blank’s.')
  const title = lines
    .slice(0, LINES_OF_TITLE)
    .find(({ text }) => KEY_TITLE.test(text) && text.split(/\s+/).length <= LONGEST_TITLE)
  return title && !blankText.includes(normalizeText(title.text)) ? because('This looks like an answer key.') : null
}

export const foreignPage = (page: number): ReviewReason => ({
  code: 'other_assignment',
  message: `Page ${page} looks like a page of a different assignment. It was not graded.`,
})

export const noAnswers = ({ questions }: Rubric): Answer[] =>
  questions.map(({ id }) => ({ question_id: id, text: '', found: false, evidence: [], reading: 1 }))
