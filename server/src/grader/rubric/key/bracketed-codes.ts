import type { MarkingPoint } from './key-answer.ts'
import { pointOf, tidy } from './key-wording.ts'

/** “6.7 cm (M1 2 × (8.4 + 5) = 26.8, M1 ÷ 4, A1 6.7)”: the answer, and behind it what its marks are for. */
const BRACKETED = /^(.*\S)\s*[([]\s*(d?[MAB]\d\b\s.*)[)\]]\s*\.?$/s
const PARTS = /\s*[;,]\s+(?=d?[MAB]\d\b|[-–−]\s?\d|ecf\b|ft\b)/i
const CODED = /^(d?[MAB])(\d)\s+(?:for\s+)?(.*)$/s

export interface BracketedScheme {
  /** The answer without its marks. */
  answer: string
  /** Empty where the marks are not those of the question. */
  criteria: MarkingPoint[]
  notes: string[]
}

/** Marks in brackets behind an answer; null where there are none. `worth`: the question's points. */
export function bracketedCodes(text: string, worth: number | null): BracketedScheme | null {
  const [, answer = '', inner = ''] = BRACKETED.exec(text) ?? []
  if (answer === '') return null
  const parts = inner.split(PARTS).map((part) => part.trim())
  const coded = parts.flatMap((part) => {
    const [, code, points, what] = CODED.exec(part) ?? []
    return code && points && what ? [{ code: code.replace('d', ''), points: Number(points), what: tidy(what) }] : []
  })
  const notes = parts.filter((part) => !CODED.test(part))
  const sum = coded.reduce((total, { points }) => total + points, 0)
  if (coded.length < 2 || (worth !== null && sum !== worth)) return { answer, criteria: [], notes: [inner] }
  const last = coded.length - 1
  const criteria = coded.map(({ code, points, what }, i) =>
    // The last mark is for the answer itself.
    pointOf(i === last && code !== 'M' ? answer : what, points, code),
  )
  return { answer, criteria, notes }
}
