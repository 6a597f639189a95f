import type { Criterion } from '@assay/shared/rubrics.ts'
import { isRootList } from '../exact/list-key.ts'
import { readPoints } from '../layout/printed-points.ts'

/** What the key says about one question. */
export interface KeyAnswer {
  expected: string
  alternatives: string[]
  /** Lines of a mark scheme, each with points of its own; empty where the key just gives the answer. */
  criteria: { text: string; points: number }[]
  /** Points the key prints for the whole question. */
  points: number | null
}

const PREFIX =
  /^\W*(?:(?:the\s+)?(?:correct|model|sample|expected|suggested|possible|example|reference)\s+)?(?:answers?|ans|solutions?|sol|responses?|key)\s*(?:key)?\s*[:.=)–-]+\s*|^a:\s+/i
const BULLET = /^\s*(?:[-–—•*·▪◦‣●]|\d{1,2}[.)])\s+/
const ALTERNATIVE =
  /^\W*(?:(?:also|or)\s+accept(?:able|ed|s)?|accept(?:able|ed)?(?:\s+also)?|alternatives?(?:\s+answers?)?|alternatively|or)\s*[:\s]\s*/i
/** “(or 25)”, “[also accept: crimson]”, “; accept crimson”. A bare “, or …” goes on with the sentence. */
const INLINE_ALTERNATIVE =
  /[([]\s*(?:(?:(?:also|or)\s+)?accept(?:able|ed)?(?:\s+also)?|or)\s*:?\s+([^)\]]+)[)\]]|[;,]\s*(?:(?:also|or)\s+)?accept(?:able|ed)?(?:\s+also)?\s*:?\s+([^)\];]+)/gi
const MARK_VERB =
  /^(?:(?:award\s+)?(?:\d+\s*(?:points?|pts?|marks?)\s*)?(?:for\s+)?)?(?:(?:the\s+)?(?:student|answer)\s+)?(?:mentions?|mentioning|states?|stating|explains?|explaining|identifies|identifying|says?|saying|names?|naming|gives?|giving|describes?|describing|notes?|noting|includes?|including|recogni[sz]es|recogni[sz]ing)\s+(?:that\s+)?/i

/** Reads what a key gives for a question, line by line. */
export function readKeyAnswer(lines: string[]): KeyAnswer {
  const expected: string[] = []
  const alternatives: string[] = []
  const criteria: KeyAnswer['criteria'] = []
  let points: number | null = null
  /** What a line that runs on belongs to. */
  let open: 'expected' | 'alternative' | 'criterion' = 'expected'
  for (const raw of lines) {
    // A remark in brackets on a line of its own: “(also accept …)”.
    const line = raw
      .replace(/_{2,}/g, ' ')
      .trim()
      .replace(/^\(([^()]*)\)$/, '$1')
    if (!/[\p{L}\p{N}]/u.test(line)) continue
    const bulleted = BULLET.test(line) && !/^\s*\d{1,2}[.)]/.test(line)
    const text = line
      .replace(bulleted ? BULLET : '', '')
      .replace(PREFIX, '')
      .trim()
    const worth = readPoints(text)
    if (worth) {
      open = 'criterion'
      if (/\p{L}{2}|\d/u.test(worth.rest)) criteria.push({ text: tidy(worth.rest), points: worth.points })
      else points = worth.points
    } else if (ALTERNATIVE.test(text)) {
      open = 'alternative'
      alternatives.push(text.replace(ALTERNATIVE, ''))
    } else if (text !== '') {
      const last = criteria.at(-1)
      if (bulleted || open === 'expected' || PREFIX.test(line)) {
        open = 'expected'
        expected.push(text)
      } else if (open === 'criterion' && last) last.text = `${last.text} ${text}`
      else if (open === 'alternative') alternatives.push(`${alternatives.pop() ?? ''} ${text}`)
      else expected.push(text)
    }
  }
  const whole = tidy(expected.join(' '))
  const { main, others } = takeInlineAlternatives(whole)
  const [first = '', ...rest] = splitAlternatives(main, false)
  return {
    expected: first,
    alternatives: [...rest, ...others, ...alternatives.flatMap((text) => splitAlternatives(text, true))].filter(
      (text) => text !== '',
    ),
    criteria,
    points,
  }
}

/** A mark scheme's words as the answer they ask for: “mentions chlorophyll” wants “chlorophyll”. */
function expectedAnswerIn(text: string): string {
  const plain = text
    .replace(MARK_VERB, '')
    .replace(/^for\s+/i, '')
    .trim()
  return plain === '' ? text : plain
}

/** A criterion from a mark scheme's text, its alternatives split off. */
export function criterionFromMarkScheme(id: string, text: string, points: number): Criterion {
  const { main, others } = takeInlineAlternatives(expectedAnswerIn(text))
  const [expected = '', ...rest] = splitAlternatives(main, false)
  return { id, text, points, expected, alternatives: [...rest, ...others] }
}

function takeInlineAlternatives(text: string): { main: string; others: string[] } {
  const others: string[] = []
  const main = text.replace(INLINE_ALTERNATIVE, (_, bracketed?: string, after?: string) => {
    others.push(...splitAlternatives(bracketed ?? after ?? '', true))
    return ' '
  })
  return { main: tidy(main), others }
}

/**
 * “colour / color”, “Paris or the capital”: short answers side by side. In a sentence “or” and “/” are just words,
 * and units (“km/h”) and fractions stay whole.
 */
function splitAlternatives(text: string, listed: boolean): string[] {
  const whole = tidy(text)
  if (whole === '') return []
  const parts = whole
    .split(listed ? /\s*[;,]\s+(?:or\s+)?|\s+or\s+|\s+\/\s+|\s+OR\s+/ : /\s+or\s+|\s+\/\s+|\s*;\s+or\s+/i)
    .map(tidy)
    .filter((part) => part !== '')
  // “x = 2 or x = -3” is one answer of two roots.
  if (isRootList(whole)) return [whole]
  const short = parts.every((part) => part.split(/\s+/).length <= 6)
  if (parts.length > 1 && short) return parts
  const slashed = /^\p{L}{3,}(?:\/\p{L}{3,})+$/u.test(whole) ? whole.split('/') : []
  return slashed.length > 1 ? slashed : [whole]
}

const tidy = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/[;,:\s]+$/, '')
    .trim()
