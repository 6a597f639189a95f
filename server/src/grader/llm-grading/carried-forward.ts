import type { Question } from '@assay/shared/rubrics.ts'
import type { Answer } from '../grader.ts'
import { criterionTexts } from '../rubric/rubric-text.ts'

const CARRIED =
  /\becf\b|\be\.c\.f\.|\berrors? carried|\bcarried forward|\bfollow(?:s|ing)?[ -]through|\bconsequential (?:error|mark)|\b(?:their|candidate['’]s|student['’]s) (?:own )?(?:answer|value|result|figure|\(?[a-h]\)?(?![\p{L}]))/iu
/** Not “ft”, which is feet. */
const FOLLOW_THROUGH = /\bFT\b/

const MOST = 5

export interface EarlierAnswer {
  number: string
  expected: string
  text: string
}

const mainNumber = ({ number }: Pick<Question, 'number'>) => /^\D*\d+/.exec(number)?.[0] ?? ''

/** Parts before this one, where its scheme carries errors forward. */
export function earlierAnswers(
  question: Question,
  questions: readonly Question[],
  answers: readonly Answer[],
): EarlierAnswer[] {
  const { notes = '', criteria } = question
  const scheme = [notes, ...criterionTexts(criteria)].join('\n')
  if (!CARRIED.test(scheme) && !FOLLOW_THROUGH.test(scheme)) return []
  const before = questions.slice(
    0,
    questions.findIndex(({ id }) => id === question.id),
  )
  const parts = before.filter((one) => mainNumber(one) === mainNumber(question))
  return (parts.length > 0 ? parts : before.slice(-1)).slice(-MOST).flatMap((one) => {
    const answer = answers.find(({ question_id }) => question_id === one.id)
    if (!answer || answer.unreadable || answer.text.trim() === '') return []
    const expected = one.criteria.map((criterion) => criterion.expected).join('; ')
    return [{ number: one.number, expected, text: answer.text }]
  })
}
