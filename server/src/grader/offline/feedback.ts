import type { PerformanceLevel } from '@assay/shared/grades.ts'
import type { Criterion, Question } from '@assay/shared/rubrics.ts'
import { listOf } from '@assay/shared/rules/format-list.ts'
import type { Judgement, PointOfKey } from '../exact/judgement.ts'
import { levelOf } from '../scoring/score-curve.ts'
import { markingPointsOf } from '../text/marking-points.ts'

export function feedbackFor(question: Question, criterion: Criterion, judgement: Judgement, earned: number): string {
  const { remarks } = judgement
  if (remarks.includes('empty'))
    return 'Nothing is written here. Next time, write down even a first idea: it may earn points.'
  if (remarks.includes('keyword_list'))
    return 'Your answer lists keywords. Write sentences that show how they are connected.'
  const exact = question.kind !== 'text' || remarks.includes('exact_right') || remarks.includes('exact_wrong')
  if (exact && !remarks.includes('dont_know')) return exactFeedback(question, judgement, levelOf(earned))
  const points = judgement.points ?? markingPointsOf(criterion.expected, criterion.points).map(notFound)
  const lead = remarks.includes('dont_know') ? 'You wrote that you do not know.' : ''
  // What the teacher gave all the points for is right, whatever its words.
  const decided = remarks.includes('as_decided') && earned >= 1
  return textFeedback({ remarks, points: decided ? points.map(({ text }) => allOf(text)) : points, earned }, lead)
}

const notFound = (text: string) => ({ text, found: false, coverage: 0 })
const allOf = (text: string) => ({ text, found: true, coverage: 1 })

function exactFeedback(question: Question, { remarks, matched }: Judgement, level: PerformanceLevel): string {
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

const quotedList = (words: string[]) => listOf(words.map((word) => `“${word}”`))

/** For the marker only. */
const CODES =
  /(?:^|\s)[([]?\s*d?[MAB]\d\*?\s*[)\]]?(?=[\s:;,.]|$)\s*:?|[([]\s*(?:\d(?:\.5)?|½)\s*(?:marks?|points?|pts?)?\s*[)\]]|[✓✔]/g
const BRACKETED =
  /\s*[([][^()[\]]*\b(?:allow|accept|reject|ignore|condone|credit|not|any|ecf|owtte|oe|o\.e\.|cao|awrt|marks?|ft)\b[^()[\]]*[)\]]/gi
const ABBREVIATIONS =
  /\s*[,;(]?\s*\b(?:e\.?c\.?f\.?|o\.?w\.?t\.?t\.?e\.?|c\.?a\.?o\.?|awrt|b\.?o\.?d\.?|f\.?t\.?)(?=[\s).,;]|$)\)?/gi
const REMARK =
  /^\W*(?:(?:also|or|please)\s+)?(?:allow|accept|do\s+not|don['’]t|reject|ignore|condone|credit|award|penali[sz]e|deduct|max(?:imum)?\b|any\s+(?:valid|sensible|suitable|reasonable|relevant|appropriate|correct|example|working)|(?:\d|one|two|three)\s+marks?\b|must\s+see|follow[\s-]?through|note\s+to|see\s+mark)/i
const INLINE_REMARK =
  /(?:[;,.]?\s+do\s+not\s+(?:accept|allow|credit)\b|[;,.]\s+(?:also\s+)?(?:accept|allow|reject|ignore|condone)\b).*$/i
const MAX_LENGTH = 160
const MAX_POINTS = 4
const SAID_IN_PART = 0.3

/** Null where nothing is left, or only a part of the marker's own words. */
export function pointForStudent(point: string): string | null {
  const kept = point
    .replace(CODES, ' ')
    .replace(BRACKETED, ' ')
    .replace(ABBREVIATIONS, ' ')
    .split(/(?<=[.;!?])\s+/)
    .filter((sentence) => !REMARK.test(sentence))
    .join(' ')
    .replace(INLINE_REMARK, '')
    .replace(/^\W*(?:e\.g\.|for\s+example)[,:]?\s*/i, '')
    .replace(/^\W*(?:so|because|and|but|then|until|therefore|hence)\s+(?:that\s+)?/i, '')
    .replace(
      /,?\s+(?:with\s+no\s+errors?\s+seen|both\s+stated|(?:clearly\s+)?(?:seen|stated)|or\s+equivalent)\s*$/i,
      '',
    )
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:.–-]+|[\s,;:.–-]+$/g, '')
    .trim()
  if (!/\p{L}{2}|\d/u.test(kept) || REMARK.test(kept)) return null
  if (kept.length <= MAX_LENGTH) return kept
  return `${kept.slice(0, MAX_LENGTH).replace(/\s+\S*$/, '')} …`
}

/** Words do not tell an answer's worth, so nothing is praised or called missing. `earned` is 0..1. */
export function textFeedback(
  { points = [], remarks, earned }: Pick<Judgement, 'points' | 'remarks'> & { earned: number },
  lead = '',
): string {
  const named = points.flatMap((point) => {
    const shown = pointForStudent(point.text)
    return shown === null ? [] : [{ ...point, shown }]
  })
  if (named.length === 0) return lead
  const found = remarks.includes('dont_know') ? [] : named.filter((one) => one.found)
  const credited = found.length > 0 ? creditedInPart(named, earned) : []
  const others = named.filter((one) => !found.includes(one) && !credited.includes(one)).slice(0, MAX_POINTS)
  const sentences = [lead]
  if (found.length > 0)
    sentences.push(
      `Your answer matches the expected answer on ${quotedList(found.slice(0, MAX_POINTS).map(({ shown }) => shown))}.`,
    )
  if (others.length > 0)
    sentences.push(
      `The expected answer ${found.length > 0 ? 'also ' : ''}has ${quotedList(others.map(({ shown }) => shown))}.`,
    )
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

/** Asking for points that were credited but are not surely there would contradict the score. */
function creditedInPart<Point extends PointOfKey>(points: Point[], earned: number): Point[] {
  const credited = Math.round(earned * points.length) - points.filter(({ found }) => found).length
  return points
    .filter(({ found, coverage }) => !found && coverage >= SAID_IN_PART)
    .toSorted((a, b) => b.coverage - a.coverage)
    .slice(0, Math.max(0, credited))
}
