import type { Question } from '@assay/shared/rubrics.ts'
import type { SuggestedCriterion } from '../grader.ts'

/** Two or three sentences on a whole paper: what went well, what to work on. */
export function summariseGrade(questions: Question[], criteria: SuggestedCriterion[]): string {
  const shares = questions.map((question) => {
    const own = criteria.filter((criterion) => criterion.question_id === question.id)
    const score = own.reduce((sum, one) => sum + one.score, 0)
    const most = own.reduce((sum, one) => sum + one.max_score, 0)
    return {
      number: question.number,
      share: most > 0 ? score / most : 0,
      known: own.some((one) => one.confidence > 0),
    }
  })
  const known = shares.filter((one) => one.known)
  if (known.length === 0) return 'This paper could not be graded automatically. Your teacher will look at it.'
  const strong = known.filter((one) => one.share >= 0.75)
  const weak = known.filter((one) => one.share < 0.5).sort((a, b) => a.share - b.share)
  const middling = known.filter((one) => one.share >= 0.5 && one.share < 0.75)
  const sentences: string[] = []
  if (strong.length === known.length) sentences.push('A strong paper: every answer has the main ideas.')
  else if (strong.length > 0)
    sentences.push(
      `Your ${strong.length === 1 ? 'answer' : 'answers'} to ${questionsOf(strong)} ${strong.length === 1 ? 'is' : 'are'} strong.`,
    )
  else if (criteria.some(({ score }) => score > 0)) sentences.push('This paper makes some good starts.')
  else sentences.push('None of the answers has earned points yet.')
  if (weak.length > 0)
    sentences.push(`Work most on ${questionsOf(weak.slice(0, 3))}: the feedback there names what is missing.`)
  if (middling.length > 0 && sentences.length < 3)
    sentences.push(`With a little more detail, ${questionsOf(middling.slice(0, 3))} would earn full points.`)
  if (shares.length > known.length) sentences.push('Some answers are left for your teacher to grade.')
  return sentences.slice(0, 3).join(' ')
}

function questionsOf(list: { number: string }[]): string {
  const numbers = list.map((one) => one.number)
  if (numbers.length === 1) return `question ${numbers[0]}`
  return `questions ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}
