import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import type { Judgement } from '../exact/judgement.ts'
import { levelOf, type ScoreLevel } from '../scoring/score-curve.ts'

/** What the student reads beside a criterion: what was right, and which idea is missing. */
export function feedbackFor(question: Question, criterion: Criterion, judgement: Judgement, earned: number): string {
  const { remarks } = judgement
  if (remarks.includes('empty'))
    return 'Nothing is written here. Next time, write down even a first idea: it may earn points.'
  if (remarks.includes('dont_know')) {
    return `You wrote that you do not know. ${missingHint(judgement.missing, 'Have another look at')}`.trim()
  }
  const level = levelOf(earned)
  if (question.kind !== 'text') return exactFeedback(question, judgement, level)
  if (remarks.includes('keyword_list')) {
    return 'Your answer lists keywords. Write sentences that show how they are connected.'
  }
  const named = judgement.matched.slice(0, 4)
  const said = named.length > 0 ? quotedList(named) : ''
  const part = question.criteria.length > 1 ? ` on “${shorten(criterion.text)}”` : ''
  switch (level) {
    case 'excellent':
      return said
        ? `Well done: your answer${part} has the main idea, with ${said}.`
        : `Well done: your answer${part} is what was asked for.`
    case 'good':
      return `Good work: ${said ? `you bring in ${said}` : 'you have most of the idea'}${part}. ${missingHint(judgement.missing, 'To make it complete, say something about')}`.trim()
    case 'partial':
      return `You are on the way: ${said ? `${said} ${named.length > 1 ? 'belong' : 'belongs'} to the answer` : 'part of the idea is there'}${part}. ${missingHint(judgement.missing, 'What is missing is')}`.trim()
    case 'minimal':
      return `${said ? `You mention ${said}, which is a start` : 'There is a start here'}${part}. ${missingHint(judgement.missing, 'Read up on')}`.trim()
    case 'none':
      return `This does not yet answer the question${part}. ${missingHint(judgement.missing, 'Have another look at')}`.trim()
  }
}

function exactFeedback(question: Question, { remarks, matched }: Judgement, level: ScoreLevel): string {
  if (remarks.includes('unit_missing')) return 'Your number is right, but its unit is missing.'
  if (remarks.includes('unit_wrong')) return 'Your number is right, but the unit does not fit.'
  if (remarks.includes('not_balanced')) return 'The substances are right, but their numbers do not balance.'
  if (remarks.includes('list_part')) {
    const right =
      matched.length > 0
        ? `${quotedList(matched.slice(0, 6))} ${matched.length > 1 ? 'are' : 'is'} right`
        : 'Part of your list is right'
    return question.kind === 'ordered_list'
      ? `${right}, in this order. Go through the others once more.`
      : `${right}. Something else is missing or does not belong there.`
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
  return question.kind === 'number'
    ? 'This is not the expected result. Go through your steps again, and check the units.'
    : 'This is not the right choice. Have another look at this topic.'
}

/** Names ideas, not the key's sentence: at most three of its words. */
function missingHint(missing: string[], lead: string): string {
  const words = missing.filter((word) => word.length > 2).slice(0, 3)
  return words.length > 0 ? `${lead} ${quotedList(words)}.` : ''
}

function quotedList(words: string[]): string {
  const quoted = words.map((word) => `“${word}”`)
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 57)}…` : text)
