import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import type { Judgement } from '../exact/judgement.ts'
import { levelOf, type ScoreLevel } from '../scoring/score-curve.ts'
import { markingPointsOf } from '../text/marking-points.ts'
import { pointForStudent, textFeedback } from './text-feedback.ts'

/** What was right, and which idea is missing. */
export function feedbackFor(question: Question, criterion: Criterion, judgement: Judgement, earned: number): string {
  const { remarks } = judgement
  if (remarks.includes('empty'))
    return 'Nothing is written here. Next time, write down even a first idea: it may earn points.'
  if (remarks.includes('keyword_list'))
    return 'Your answer lists keywords. Write sentences that show how they are connected.'
  const exact = question.kind !== 'text' || remarks.includes('exact_right') || remarks.includes('exact_wrong')
  if (exact && !remarks.includes('dont_know')) return exactFeedback(question, judgement, levelOf(earned))
  const points = judgement.points ?? markingPointsOf(criterion.expected, criterion.points).points.map(notFound)
  const lead = remarks.includes('dont_know') ? 'You wrote that you do not know.' : ''
  // What the teacher gave all the points for is right, whatever its words.
  const decided = remarks.includes('as_decided') && earned >= 1
  return textFeedback({ remarks, points: decided ? points.map(({ text }) => allOf(text)) : points, earned }, lead)
}

const notFound = (text: string) => ({ text, found: false, coverage: 0 })
const allOf = (text: string) => ({ text, found: true, coverage: 1 })

function exactFeedback(question: Question, { remarks, matched }: Judgement, level: ScoreLevel): string {
  if (remarks.includes('unit_missing')) return 'Your number is right, but its unit is missing.'
  if (remarks.includes('unit_wrong')) return 'Your number is right, but the unit does not fit.'
  if (remarks.includes('not_balanced')) return 'The substances are right, but their numbers do not balance.'
  if (remarks.includes('list_part')) {
    const named = matched.map(pointForStudent).filter((text) => text !== null)
    const right =
      named.length > 0
        ? `${quotedList(named.slice(0, 6))} ${named.length > 1 ? 'are' : 'is'} right`
        : 'Part of your list is right'
    return question.kind === 'ordered_list'
      ? `${right}, in this order. Go through the others once more.`
      : `${right}. The question asks for more, or for something else beside it.`
  }
  if (remarks.includes('unclear')) {
    if (question.kind === 'number' && level !== 'none')
      return 'The right number is among what you wrote, but it is not clear which one is your answer. Underline your result.'
    if (question.kind === 'formula')
      return 'No formula could be recognized with certainty in your answer, so your teacher will look at it.'
    return question.kind === 'number'
      ? 'No number could be recognized in your answer, so your teacher will look at it.'
      : 'It is not clear which answer you chose, so your teacher will look at it.'
  }
  if (question.kind === 'formula' && level !== 'excellent')
    return 'This is not the expected formula. Go through your steps again.'
  if ((question.kind === 'set' || question.kind === 'ordered_list') && level !== 'excellent')
    return 'This is not the expected list. Have another look at this topic.'
  if (level === 'excellent') return question.kind === 'number' ? 'Correct: that is the right result.' : 'Correct.'
  if (question.kind === 'text') return 'This is not the expected answer. Have another look at this topic.'
  return question.kind === 'number'
    ? 'This is not the expected result. Go through your steps again, and check the units.'
    : 'This is not the right choice. Have another look at this topic.'
}

function quotedList(words: string[]): string {
  return listOf(words.map((word) => `“${word}”`))
}
