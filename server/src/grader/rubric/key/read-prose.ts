import { readPoints } from '../../layout/outline/points.ts'
import type { KeyAnswer, KeyLine, MarkingPoint } from './key-lines.ts'
import {
  ACCEPT,
  alternativeWays,
  GUIDANCE,
  MARK,
  memberOf,
  POOL,
  pointOf,
  poolSize,
  readAllocation,
  readOnePerPoint,
  readPool,
  splitAlternatives,
  splitCoded,
  splitListed,
  splitMarked,
  splitSentences,
  takeGuidance,
  takeInline,
  takePool,
  tidy,
  withoutLabels,
} from './key-wording.ts'
import { takeShares } from './split-shares.ts'

const PREFIX =
  /^\W*(?:(?:the\s+)?(?:correct|model|sample|expected|suggested|possible|example|reference|indicative)\s+)?(?:answers?|ans|solutions?|sol|responses?|key|content)\s*(?:key)?\s*[:.=–-]+\s*|^a:\s+/i
const TOTAL = /\s*\[\s*(\d{1,3}(?:\.5)?)\s*\]\s*$/
const NAMED_TOTAL = /\s*\b(?:pts|points?|marks?)\s*:\s*(\d{1,3}(?:\.5)?)\W*$/i
const LEADING_TOTAL = /^\(\s*\d+\s*(?:marks?|points?|pts?)\s*\)\s*/i
const OR_LINE = /^\W*or\b\s*:?\s*/i
const SHARES = /(?:\s+[\p{L} ]{3,24}\s\d,?){2,}\s*$/u

export function readProse(lines: readonly KeyLine[], answer: KeyAnswer, worth: number | null): void {
  const texts = lines.map(({ text }) => text.replace(/_{2,}/g, ' ').trim()).filter((text) => /[\p{L}\p{N}]/u.test(text))
  takeAlternativeLines(texts, answer)
  const each = splitMarked(texts.join(' ')).length > 0 ? null : onePointEach(texts, worth)
  if (each) {
    answer.criteria.push(...each.map((text) => pointOf(text, 1)))
    return
  }
  const inline = takeInline(takeTotal(takeShares(joinLines(texts), answer), answer).replace(LEADING_TOTAL, ''), answer)
  const whole = readBracketed(withoutLabels(inline, answer), answer, worth)
  if (whole === null) return
  const allocated = readAllocation(whole, worth ?? answer.points)
  if (allocated) {
    answer.criteria.push(...allocated)
    return
  }
  const { body, rest } = splitCoded(whole)
  for (const { text, points, code } of rest) answer.criteria.push(pointOf(text, points, code))
  if (readOnePerPoint(body, answer, worth)) return
  const text = withoutGuidance(body, answer)
  if (readPool(text, answer) || readMarked(text, answer, worth)) return
  readResult(text, answer, worth)
}

function joinLines(texts: readonly string[]): string {
  const listed =
    texts.length > 1 &&
    texts.every((text, i) => BULLET.test(text) || POOL.test(text) || (i === 0 && LIST_HEAD.test(text)))
  return texts
    .map((text, i) => (i === 0 ? text.replace(PREFIX, '') : listed ? `; ${text.replace(BULLET, '')}` : text))
    .join(' ')
    .replace(/\s+;/g, ';')
    .replace(/(\p{Ll})- (?=\p{Ll})/gu, '$1')
}

function takeTotal(text: string, answer: KeyAnswer): string {
  const named = NAMED_TOTAL.exec(text)
  if (named) answer.points = Number(named[1])
  const whole = named ? text.slice(0, named.index) : text
  const isBracketed = whole.match(/\[\s*\d{1,3}(?:\.5)?\s*\]/g)?.length === 1 && TOTAL.test(whole)
  const isNamed = whole.match(MARK)?.length === 1 && /\(\s*\d+\s*(?:marks?|points?|pts?)\s*\)\s*$/i.test(whole)
  if (isBracketed) {
    answer.points = Number(TOTAL.exec(whole)?.[1])
    return whole.replace(TOTAL, '')
  }
  if (!isNamed) return whole
  const read = readPoints(whole)
  answer.points = read?.points ?? null
  return read?.rest ?? whole
}

/** @returns what else is to be read; null where the codes in brackets say all */
function readBracketed(text: string, answer: KeyAnswer, worth: number | null): string | null {
  const bracketed = bracketedCodes(text, worth ?? answer.points)
  if (!bracketed) return text
  answer.notes.push(...bracketed.notes)
  answer.criteria.push(...bracketed.criteria)
  return bracketed.criteria.length > 0 ? null : bracketed.answer
}

function withoutGuidance(body: string, answer: KeyAnswer): string {
  const sentences = splitSentences(body)
  // “Reject H0” is an answer where nothing else is.
  const verb = /^\W*(?:reject|ignore)\b/i.test(body) ? sentences[0] : undefined
  return sentences
    .filter((sentence) => sentence === verb || !takeGuidance(sentence, answer))
    .join(' ')
    .replace(PREFIX, '')
    .replace(SHARES, (note) => {
      answer.notes.push(note.trim())
      return ''
    })
    .trim()
}

function readMarked(text: string, answer: KeyAnswer, worth: number | null): boolean {
  const marked = splitMarked(text)
  if (marked.length < 2) return false
  const best = marked.find(({ points }) => points === worth)
  if (best) {
    // “Revenue minus costs (2). What is earned (1).”: lesser answers are for a person to weigh.
    for (const one of marked) if (one !== best) answer.notes.push(`${one.text} (${one.points})`)
    takeExpected(best.text, answer)
    return true
  }
  if (answer.criteria.length > 0) return false
  const ways = worth === null ? null : alternativeWays(marked, worth)
  const needed = poolSize(marked, worth)
  if (ways) answer.criteria = ways
  else if (needed !== null) takePool(String(needed), marked.map(memberOf), answer)
  else for (const { text: point, points } of marked) answer.criteria.push(pointOf(point, points))
  return true
}

function readResult(text: string, answer: KeyAnswer, worth: number | null): void {
  const marks = splitMarked(text).length > 0 ? MARK : /\((\d(?:\.5)?|½)\)/g
  const result = takeExpected(tidy(text.replace(marks, ' ')), answer)
  if (result === '' || answer.criteria.length === 0) return
  const left = (worth ?? answer.points ?? 0) - answer.criteria.reduce((sum, { points }) => sum + points, 0)
  // Method marks lead to the result, which earns what is left.
  if (left > 0) {
    const alternatives = [...answer.alternatives]
    answer.criteria.push({ text: result, expected: result, alternatives, points: left, code: 'A' })
  } else answer.criteria = []
}

function takeExpected(text: string, answer: KeyAnswer): string {
  const [first = '', ...others] = splitAlternatives(text)
  answer.expected = first
  answer.alternatives.push(...others)
  return first
}

/** Takes lines that begin with “or” or “also accept”, with those they run on to, out of `texts`. */
function takeAlternativeLines(texts: string[], answer: KeyAnswer): void {
  const at = texts.findIndex(
    (text, i) =>
      i > 0 && (OR_LINE.test(text) ? /[.;:]$/.test(texts[i - 1] ?? '') : ACCEPT.test(text) && !GUIDANCE.test(text)),
  )
  if (at < 0) return
  const taken: string[] = []
  for (const text of texts.splice(at)) {
    if (taken.length === 0 || OR_LINE.test(text) || ACCEPT.test(text))
      taken.push(text.replace(ACCEPT, '').replace(OR_LINE, ''))
    else taken.push(`${taken.pop() ?? ''} ${text}`)
  }
  for (const text of taken)
    answer.alternatives.push(...(text.split(/\s+/).length > 8 ? [tidy(text)] : splitListed(text)))
}

/** “6.7 cm (M1 2 × (8.4 + 5) = 26.8, M1 ÷ 4, A1 6.7)” */
const BRACKETED = /^(.*\S)\s*[([]\s*(d?[MAB]\d\b\s.*)[)\]]\s*\.?$/s
const PARTS = /\s*[;,]\s+(?=d?[MAB]\d\b|[-–−]\s?\d|ecf\b|ft\b)/i
const CODED = /^(d?[MAB])(\d)\s+(?:for\s+)?(.*)$/s

interface BracketedScheme {
  answer: string
  /** Empty where the marks do not add up to the question's. */
  criteria: MarkingPoint[]
  notes: string[]
}

/** Null where no marks stand behind an answer. `worth`: the question's points. */
function bracketedCodes(text: string, worth: number | null): BracketedScheme | null {
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
    pointOf(i === last && code !== 'M' ? answer : what, points, code),
  )
  return { answer, criteria, notes }
}

export const BULLET = /^\s*(?:[-–—•*·▪◦‣●\uF0B7\uF0A7\uF0D8]\s*|\d{1,2}[.)]\s+)/
const SYMBOL = /^\s*[•●▪◦‣∙·*–\uF0B7\uF0A7\uF0D8-]\s+(?=\S)/
const LIST_HEAD =
  /^\W*(?:(?:any|either)\s+(?:one|two|three|four|five|six|\d)\b|(?:award\s+)?(?:one|1)\s+(?:marks?|points?|pts?)\s+(?:for|per)\b).*:\s*$/i
const NEAR_EDGE = 60 // points; a line that ends this near to the right edge may go on in the next
const LONG_LINE = 60

/** Joins wrapped lines, and gives bullets to points below a head. */
export function joinBullets(lines: readonly KeyLine[]): KeyLine[] {
  const edge = Math.max(...lines.map(({ right }) => right))
  const isFull = ({ text, right }: KeyLine) => right > edge - NEAR_EDGE && text.length > LONG_LINE
  const bulleted = lines.filter(({ text }) => SYMBOL.test(text)).length >= 2
  const headed = !bulleted && lines.length > 2 && LIST_HEAD.test(lines[0]?.text ?? '')
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

/** Null unless the list has as many points as there are marks. */
export function onePointEach(texts: readonly string[], worth: number | null): string[] | null {
  if (worth === null || texts.length < 2 || texts.length !== worth) return null
  return texts.every((text) => SYMBOL.test(text)) ? texts.map((text) => text.replace(SYMBOL, '').trim()) : null
}

/** Joins the lines that look most like wrapped ones until there are `count`. */
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
