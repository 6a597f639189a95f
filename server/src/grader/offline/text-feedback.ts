import { listOf } from '@assay/shared/rules/format-list.ts'
import type { Judgement, PointOfKey } from '../exact/judgement.ts'

/** What only the marker reads: codes, bracketed marks, and remarks on what to allow. */
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

/** Words do not tell an answer's worth, so nothing is praised or called missing. `earned` is 0..1 of the points. */
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
    sentences.push(`Your answer matches the expected answer on ${quotedList(found.slice(0, MAX_POINTS))}.`)
  if (others.length > 0)
    sentences.push(`The expected answer ${found.length > 0 ? 'also ' : ''}has ${quotedList(others)}.`)
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

/** Credited but not surely there, those said most first: asking for them would contradict the score. */
function creditedInPart<Point extends PointOfKey>(points: Point[], earned: number): Point[] {
  const credited = Math.round(earned * points.length) - points.filter(({ found }) => found).length
  return points
    .filter(({ found, coverage }) => !found && coverage >= SAID_IN_PART)
    .toSorted((a, b) => b.coverage - a.coverage)
    .slice(0, Math.max(0, credited))
}

function quotedList(points: { shown: string }[]): string {
  return listOf(points.map(({ shown }) => `“${shown}”`))
}
