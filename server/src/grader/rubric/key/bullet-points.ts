import type { KeyLine } from './key-lines.ts'
import { ACCEPT, GUIDANCE } from './key-wording.ts'

/** Any sign or number before a point. */
export const BULLET = /^\s*(?:[-–—•*·▪◦‣●\uF0B7\uF0A7\uF0D8]\s*|\d{1,2}[.)]\s+)/
const SYMBOL = /^\s*[•●▪◦‣∙·*–\uF0B7\uF0A7\uF0D8-]\s+(?=\S)/
/** “Any two from:”, “Award 1 point for each right, up to 2:” on a line of its own: a list follows. */
const HEAD =
  /^\W*(?:(?:any|either)\s+(?:one|two|three|four|five|six|\d)\b|(?:award\s+)?(?:one|1)\s+(?:marks?|points?|pts?)\s+(?:for|per)\b).*:\s*$/i
/** Text that ends so near to the right edge, in points, goes on in the next line. */
const NEAR_EDGE = 60
const LONG_LINE = 60

export const isListHead = (text: string): boolean => HEAD.test(text)

/** A list's lines with each point on one: wrapped lines are joined, and points below a head get bullets. */
export function joinBullets(lines: readonly KeyLine[]): KeyLine[] {
  const edge = Math.max(...lines.map(({ right }) => right))
  const isFull = ({ text, right }: KeyLine) => right > edge - NEAR_EDGE && text.length > LONG_LINE
  const bulleted = lines.filter(({ text }) => SYMBOL.test(text)).length >= 2
  const headed = !bulleted && lines.length > 2 && isListHead(lines[0]?.text ?? '')
  if (!bulleted && !headed) return [...lines]
  const joined: KeyLine[] = []
  for (const [i, line] of lines.entries()) {
    const last = joined.at(-1)
    const above = lines[i - 1]
    const starts = SYMBOL.test(line.text) || GUIDANCE.test(line.text) || ACCEPT.test(line.text)
    const inList = last !== undefined && SYMBOL.test(last.text)
    const goesOn = bulleted ? /^\s*[\p{Ll}\d(]/u.test(line.text) || (above && isFull(above)) : above && isFull(above)
    if (last && above && inList && !starts && goesOn) {
      joined[joined.length - 1] = { ...line, ...last, text: `${last.text} ${line.text.trim()}`, right: line.right }
    } else joined.push(headed && i > 0 ? { ...line, text: `• ${line.text}` } : line)
  }
  return joined
}

/** The points of a list that has as many as there are marks, without their bullets; null for any other list. */
export function onePointEach(texts: readonly string[], worth: number | null): string[] | null {
  if (worth === null || texts.length < 2 || texts.length !== worth) return null
  return texts.every((text) => SYMBOL.test(text)) ? texts.map((text) => text.replace(SYMBOL, '').trim()) : null
}

/** As many points as there are marks: the lines that look most like the end of the one before are joined to it. */
export function joinWrapped(lines: readonly KeyLine[], count: number): string[] {
  const right = Math.max(...lines.map((line) => line.right))
  const wraps = lines
    .map((line, i) => {
      const before = lines[i - 1]
      if (!before) return { i, likely: -1 }
      const full = before.right > right - 45 ? 2 : 0
      const goesOn = /^[\p{Ll}(]/u.test(line.text.trim()) && !BULLET.test(line.text) ? 1 : 0
      return { i, likely: full + goesOn + (line.points === undefined ? 0.5 : 0) + 1 / (10 + line.text.length) }
    })
    .filter(({ likely }) => likely >= 0)
    .toSorted((a, b) => b.likely - a.likely)
  const joined = new Set(wraps.slice(0, Math.max(0, lines.length - Math.max(1, count))).map(({ i }) => i))
  const texts: string[] = []
  for (const [i, { text }] of lines.entries()) {
    texts.push(joined.has(i) ? `${texts.pop() ?? ''} ${text.trim()}` : text.trim())
  }
  return texts
}
