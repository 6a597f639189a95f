import type { MarkingPoint } from './key-answer.ts'
import { pointOf, tidy } from './key-wording.ts'

/** “(1)”, “[1]” and “(1 pt)”, and “(1 OF)” or “(1 ecf)”, which is given for the student's own figure too. */
export const MARK = /[([](\d(?:\.5)?|½)\s*(?:points?|pts?|marks?|,?\s*(?:OF|CF|E\.?C\.?F\.?|F\.?T\.?))?[)\]]/gi
/** “Advantage [1]: lower overhead.”: a mark beside the name of what follows. */
const NAMED_MARK =
  /(\p{L}[\p{L} ]{2,30}?)\s*([([](?:\d|½)(?:\s*(?:points?|pts?|marks?))?[)\]])\s*:\s*([^[(]+?)(?=[.;]?\s*(?:$|\p{Lu}[\p{L} ]{2,30}?\s*[([](?:\d|½)(?:\s*(?:points?|pts?|marks?))?[)\]]\s*:))/gu
/** “…; OR long roots (1)”: from here on another way to the same marks. */
const OTHER_WAY = /^(?:[\s.;,:]*OR\b|\s*[;.]\s*or\b)\s*:?\s*/

interface Marked {
  text: string
  points: number
  /** Another way to earn the marks begins here. */
  otherWay: boolean
}

/** “… (1) … (1)”: each mark in brackets ends a point. */
export function splitMarked(written: string): Marked[] {
  const found: Marked[] = []
  let from = 0
  let otherWay = false
  const text = written.replace(NAMED_MARK, '$1: $3 $2')
  for (const match of text.matchAll(MARK)) {
    const raw = text.slice(from, match.index)
    otherWay ||= OTHER_WAY.test(raw)
    const part = tidy(raw.replace(OTHER_WAY, '').replace(/^[\s.,;:]+(?=\S)/, ''))
    from = match.index + match[0].length
    if (part === '') continue
    found.push({ text: part, points: match[1] === '½' ? 0.5 : Number(match[1]), otherWay })
    otherWay = false
  }
  const rest = tidy(text.slice(from).replace(/^[\s.,;:]+/, ''))
  const last = found.at(-1)
  if (last && /\p{L}{3}/u.test(rest)) last.text = `${last.text}. ${rest}`
  return found
}

/**
 * The points of a scheme that gives more marks than the question is worth: several ways to all of them (“…; OR …”) are alternatives
 * of each other, point by point. Null where it is not so.
 */
export function alternativeWays(marked: readonly Marked[], worth: number): MarkingPoint[] | null {
  const ways: Marked[][] = []
  for (const one of marked) {
    if (one.otherWay || ways.length === 0) ways.push([])
    ways.at(-1)?.push(one)
  }
  const [first = [], ...others] = ways
  const sameMarks = (way: Marked[]) =>
    way.length === first.length && way.every((one, i) => one.points === first[i]?.points)
  if (others.length === 0 || sumOf(first) !== worth || !others.every(sameMarks)) return null
  return first.map((one, i) => {
    const point = pointOf(one.text, one.points)
    const elsewhere = others.flatMap((way) => {
      const other = pointOf(way[i]?.text ?? '', one.points)
      return [other.expected, ...other.alternatives]
    })
    return { ...point, alternatives: [...point.alternatives, ...elsewhere] }
  })
}

/** How many of a scheme's points earn all the marks; null where the scheme gives no more than the question is worth. */
export function poolSize(points: readonly { points: number; code?: string }[], worth: number | null): number | null {
  const each = points[0]?.points ?? 0
  if (worth === null || points.some((one) => one.points !== each || one.code !== undefined)) return null
  const needed = worth / each
  return sumOf(points) > worth && Number.isInteger(needed) ? needed : null
}

const sumOf = (points: readonly { points: number }[]) => points.reduce((sum, one) => sum + one.points, 0)
