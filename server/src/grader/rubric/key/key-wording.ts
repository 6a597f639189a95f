import { isRootList } from '../../exact/list-members.ts'
import type { KeyAnswer, MarkingPoint } from './key-lines.ts'

export const ACCEPT =
  /^\W*(?:(?:also|or|but|please)\s+)?(?:accept(?:able|ed|s)?(?:\s+also)?|allow|condone|credit|alternatives?(?:\s+answers?)?|alternatively)\b(?!\s+(?:missing|omissions?|omitted|lack|absence|poor|incorrect|wrong|slips?|errors?)\b)\s*(?:answers?\s+such\s+as\s+)?[:\s]\s*/i
const MARK_VERB =
  /^(?:(?:award\s+)?(?:\d+\s*(?:points?|pts?|marks?)\s*)?(?:for\s+)?)?(?:(?:the\s+)?(?:student|answer)\s+)?(?:mentions?|mentioning|states?|stating|explains?|explaining|identifies|identifying|says?|saying|names?|naming|gives?|giving|describes?|describing|notes?|noting|includes?|including|recogni[sz]es|recogni[sz]ing)\s+(?:that\s+)?/i
export const GUIDANCE =
  /^\W*(?:do\s+not|don['’]t|not\b|no\s+(?:credit|marks?)|reject|ignore|penali[sz]e|deduct|follow[\s-]?through|ecf\b|ft\b|must\s+see|owtte|any\s+(?:working|sensible|valid|reasonable|correct)|an\s+answer\s+of|\d+\s*(?:marks?|points?|pts?)\s+(?:for|if|each|off)\b|(?:half|full|partial|no)\s+(?:credit|marks?|points?)\b|(?:condone|allow|accept)\s+(?:missing|omissions?|omitted|lack|absence|poor|incorrect|wrong|slips?|errors?)\b|minus\s+\d\b|(?:one|two|three|up\s+to|max(?:imum)?)\s+(?:\w+\s+)?marks?\b|award\b|using\s+.{1,60}\bscores?\b|if\s+.{1,80}\b(?:scores?|marks?)\b)|\bscores?\s+\d\s+marks?\b|\b(?:gets?|scores?)\s+[MAB]\d/i
/** “(accept metaphor)”, “; also accept rationing, lottery”. */
const INLINE_ACCEPT =
  /[([]\s*(?:(?:also|or)\s+)?(?:accept(?:able|ed)?|allow|or)(?:\s+also)?\s*:?\s+([^)\]]+)[)\]]|[;,]\s*(?:(?:also|or)\s+)?(?:accept(?:able|ed)?|allow)(?:\s+also)?\s*:?\s+([^)\];.]+)/gi

export function takeInline(text: string, answer: KeyAnswer): string {
  return text
    .replace(INLINE_ACCEPT, (_, bracketed?: string, after?: string) => {
      answer.alternatives.push(...splitListed(bracketed ?? after ?? ''))
      return ' '
    })
    .replace(
      /\(((?:\d+|one|two)\s*(?:marks?|points?|pts?)\s+(?:if|for|each|per|off)\b[^)]*|(?:mark|accept)\s+(?:only\s+)?(?:the\s+)?first\s[^)]*|[^()]*\bfor\s+(?:half|partial|some|full)\s+(?:credit|marks?|points?)|moles[^)]*=\s*1[^)]*)\)/gi,
      (_, note: string) => {
        answer.notes.push(note)
        return ' '
      },
    )
}

/** False where the sentence is part of the answer. */
export function takeGuidance(sentence: string, answer: KeyAnswer): boolean {
  const text = sentence.trim()
  if (text === '') return true
  if (ACCEPT.test(text)) {
    const forMarks = /\s+for\s+(?:\w+\s+)?(?:\d+|one|two|three|the\s+\w+)\s+marks?(?:\s+only)?\b.*$|\s+if\s+.{3,60}$/i
    const plain = text.replace(ACCEPT, '').replace(forMarks, '')
    // What earns only some of the marks is for a person to weigh.
    if (forMarks.test(text)) answer.notes.push(text)
    else answer.alternatives.push(...splitListed(plain))
    return true
  }
  if (!GUIDANCE.test(text)) return false
  answer.notes.push(text)
  return true
}

/** Notes in the margin run on over several lines; each begins with a word of its own. */
export const splitGuidance = (text: string): string[] =>
  text.split(
    /(?<!\bnot)(?<!\balso)\s+(?=(?:allow|accept|ignore|reject|do\s+not|an\s+answer\s+of|using\s+\d|ecf)\b|\S+\s+scores?\s+[MAB]\d)/i,
  )

export const splitSentences = (text: string): string[] =>
  text.split(
    /(?<=\b\d+\s+(?:marks?|points?|pts?)\s+for\s+each\b[^.:;]{0,60}:;?)\s+|\s+(?=\d+\s+(?:marks?|points?|pts?)\s+(?:for|each|per)\s)|(?<=[.;)!?])\s+(?=(?:accept|also|allow|ignore|reject|do\s+not|any\s+working|award|\d+\s+(?:marks?|points?|pts?)\s+(?:for|if|each|off)|(?:half|full|partial)\s+credit|follow[\s-]?through|e\.?c\.?f)\b)|(?<=(?:marks?|detail|each|two)[^.]{0,60}[.;])\s+(?=\p{Lu})/iu,
  )

export function pointOf(text: string, points: number, code?: string): MarkingPoint {
  const notes: KeyAnswer = { expected: '', alternatives: [], criteria: [], points: null, levels: [], notes: [] }
  const plain = tidy(takeInline(text, notes))
  const [expected = '', ...others] = splitAlternatives(plain.replace(MARK_VERB, '').replace(/^for\s+/i, '') || plain)
  return {
    text: plain,
    expected,
    alternatives: [...others, ...notes.alternatives],
    points,
    ...(code ? { code: code.slice(0, 1).toUpperCase() } : {}),
  }
}

const OR_WORD = /(?<!\b(?:plus|more|whether|one))\s+or\s+(?!(?:minus|less|not|more)\b)/i
const OR_OR_SLASH = new RegExp(String.raw`${OR_WORD.source}|\s+\/\s+(?!\d)`, 'i')

/** “fizzes / floats”, “friction or air resistance”; “x = 2 or x = −3” is one answer of two roots. */
export function splitAlternatives(text: string): string[] {
  if (isRootList(text)) return [text]
  const either = text.split(/\s+OR:?\s+|\s*;\s+or\s+/).map(tidy)
  if (either.length > 1) return either.filter((part) => part !== '')
  // “plus or minus” and “more or less” say one thing.
  const parts = text.split(text.includes('=') ? OR_WORD : OR_OR_SLASH).map(tidy)
  const short = parts.every((part) => part.split(/\s+/).length <= 6 && part !== '')
  if (parts.length > 1 && short) return parts
  const slashed = /^\p{L}{3,}(?:\/\p{L}{3,})+$/u.test(text) ? text.split('/') : []
  return slashed.length > 1 ? slashed : [text]
}

export const splitListed = (text: string): string[] =>
  text
    .split(/\s*[;,]\s+(?:or\s+)?|\s+or\s+|\s+\/\s+/)
    .map(tidy)
    .filter((part) => part !== '')

export const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/^[;,:]\s*|[;,:\s]+$/g, '')
    .trim()

/** “f (1) = …”, “… = g(1)”, “a = (½)(r + p)” and “2 × (1)” are no marks. */
const NO_MARK = String.raw`(?<!=\s?)(?<![=+*∗×·−-]\s?[fghpquvxy]['′″’]?)(?<![\p{L}\p{N})]\s?[*∗×·⋅/^]\s?)(?!(?<=(?<![\p{L}\p{N}])\p{L}['′″’]?\s?)\(\d\)\s*[=≈])`
const FOR_OWN = String.raw`,?\s*(?:OF|CF|E\.?C\.?F\.?|F\.?T\.?)`
/** “(1)”, “[1]”, “(1 pt)”; “(1 OF)” and “(1 ecf)” are given for the student's own figure, too. */
export const MARK = new RegExp(
  String.raw`${NO_MARK}[([](\d(?:\.5)?|½)\s*(?:points?|pts?|marks?|${FOR_OWN})?[)\]]`,
  'giu',
)
const NAMED_MARK =
  /(\p{L}[\p{L} ]{2,30}?)\s*([([](?:\d|½)(?:\s*(?:points?|pts?|marks?))?[)\]])\s*:\s*([^[(]+?)(?=[.;]?\s*(?:$|\p{Lu}[\p{L} ]{2,30}?\s*[([](?:\d|½)(?:\s*(?:points?|pts?|marks?))?[)\]]\s*:))/gu
/** “…; OR long roots (1)”. */
const OTHER_WAY = /^(?:[\s.;,:]*OR\b|\s*[;.]\s*or\b)\s*:?\s*/

interface Marked {
  text: string
  points: number
  otherWay: boolean
}

const GOES_ON = /^,?\s+\p{Ll}/u
const SENTENCE_END = /^(.*?[.;!?])\s+(?=\p{Lu})/su

/** “… (1) … (1)”; “… (1) in leaves. … (1) in roots.” */
export function splitMarked(written: string): Marked[] {
  const found: Marked[] = []
  let from = 0
  let otherWay = false
  const text = written.replace(NAMED_MARK, '$1: $3 $2')
  const marks = [...text.matchAll(MARK)]
  const after = ({ 0: mark, index }: RegExpExecArray) => text.slice(index + mark.length)
  const last = marks.at(-1)
  const insideSentences = last !== undefined && GOES_ON.test(after(last))
  for (const match of marks) {
    let raw = text.slice(from, match.index)
    const before = found.at(-1)
    const end = insideSentences && before && GOES_ON.test(raw) ? SENTENCE_END.exec(raw) : null
    if (before && end) {
      before.text = tidy(`${before.text}${end[1]}`)
      raw = raw.slice(end[0].length)
    }
    otherWay ||= OTHER_WAY.test(raw)
    const part = tidy(raw.replace(OTHER_WAY, '').replace(/^[\s.,;:]+(?=\S)/, ''))
    from = match.index + match[0].length
    if (part === '') continue
    found.push({ text: part, points: match[1] === '½' ? 0.5 : Number(match[1]), otherWay })
    otherWay = false
  }
  const rest = text.slice(from)
  const final = found.at(-1)
  if (final && /\p{L}{3}/u.test(rest))
    final.text = tidy(final.text + (insideSentences ? rest : `. ${rest.replace(/^[\s.,;:]+/, '')}`))
  return found
}

/** “…; OR …”: alternatives of each other, point by point; null for other schemes. */
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

/** Null where the scheme gives no more than the question is worth. */
export function poolSize(points: readonly { points: number; code?: string }[], worth: number | null): number | null {
  const each = points[0]?.points ?? 0
  if (worth === null || points.some((one) => one.points !== each || one.code !== undefined)) return null
  const needed = worth / each
  return sumOf(points) > worth && Number.isInteger(needed) ? needed : null
}

const sumOf = (points: readonly { points: number }[]) => points.reduce((sum, one) => sum + one.points, 0)

export const POOL =
  /^\W*(?:any|either)\s+(one|two|three|four|five|six|\d)\b\s*(?:of|from)?(?:\s+(?:the\s+following|these))?\s*:?\s*/i
const POOL_AFTER = /\s*[([]\s*any\s+(one|two|three|four|five|six|\d)(?:\s+of\s+(?:these|them))?\s*[)\]]\W*$/i
const EACH =
  /^\W*(?:award\s+)?(?:one|1)\s+(?:marks?|points?|pts?)\s+(?:for|per)\s+(?:(?:each|every|any)\s+)?[^:.;]{0,70}?(?::;?|,?\s+(?:e\.\s?g\.|such\s+as)[,:]?)\s+/i
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six']

export function readPool(text: string, answer: KeyAnswer): boolean {
  const pool = POOL.exec(text) ?? POOL_AFTER.exec(text)
  if (!pool) return false
  const inner = text.replace(POOL, '').replace(POOL_AFTER, '')
  const bySemicolon = inner.split(/\s*;\s*/)
  const members =
    bySemicolon.length > 1 ? bySemicolon : inner.split(inner.includes(' / ') ? /\s+\/\s+/ : /\s*,\s*(?:or\s+)?/)
  takePool(pool[1] ?? '', members.map(tidy), answer)
  return true
}

/** “One mark for each …: …; …”: as many count as the question has points. */
export function readOnePerPoint(text: string, answer: KeyAnswer, worth: number | null): boolean {
  const head = EACH.exec(text)
  if (!head || worth === null) return false
  const inner = text.slice(head[0].length).replace(/[.\s]+$/, '')
  takePool(String(worth), inner.split(inner.includes(';') ? /\s*;\s+/ : /\s*,\s+/).map(tidy), answer)
  return true
}

export const memberOf = ({ text }: { text: string }) => text.replaceAll(';', ',')

/** `count`: as a word or in digits. */
export function takePool(count: string, members: string[], answer: KeyAnswer): void {
  const named = NUMBERS.indexOf(count.toLowerCase()) + 1
  const word = NUMBERS[(named || Number(count)) - 1] ?? count
  answer.expected = `any ${word} of: ${members.filter((member) => member !== '').join('; ')}`
}

const CODED = /(?:^|[\s;.])(d?[MAB])(\d)\s+(?:for\s+|(?=[a-z(]))(?=\S)/g
const WORTH_FOR = /(?:^|[;.,]\s+)(?:up\s+to\s+)?(\d)(?:\s+marks?)?\s+for\s+(?=\S)/gi
const LABELS = /^(\W*(?:up\s+to\s+)?\d\s+marks?\s+for\s[^.:()]{3,120}[.:])\s+(.+)$/is

/** “1 mark for a feature, 1 for a detail. Children were banned (1), …”: the points are those after the labels. */
export function withoutLabels(text: string, answer: KeyAnswer): string {
  const [labels = '', rest = ''] = LABELS.exec(text)?.slice(1) ?? []
  if ((labels.match(WORTH_FOR)?.length ?? 0) < 2 || splitMarked(rest).length < 2) return text
  answer.notes.push(labels)
  return rest
}

export function readAllocation(text: string, worth: number | null): MarkingPoint[] | null {
  const found = [...text.matchAll(WORTH_FOR)]
  const sum = found.reduce((total, match) => total + Number(match[1]), 0)
  if (found.length < 2 || sum !== worth || (found[0]?.index ?? 1) > 0) return null
  return found.map((match, i) => {
    const own = tidy(text.slice(match.index + match[0].length, found[i + 1]?.index ?? text.length))
    return { text: own, expected: own, alternatives: [], points: Number(match[1]) }
  })
}

/** “B1 for two correct”: less of the same answer, and no other. */
const PARTLY =
  /\b(?:one|two|three|four|\d)\s+(?:\w+\s+)?(?:correct|right|wrong|errors?|slips?)\b|\ball\s+but\b|\bseen\W*$/i

/** “M1 for 3x < 18; A1 for each root”, “formulae 1, balancing 1, states 1”. */
export function splitCoded(text: string): { body: string; rest: { text: string; points: number; code: string }[] } {
  const codes = [...text.matchAll(CODED)]
  if (codes.length === 0) return { body: text, rest: [] }
  const body = text.slice(0, codes[0]?.index ?? 0)
  const rest = codes.flatMap((match, i) => {
    const end = codes[i + 1]?.index ?? text.length
    const own = tidy(text.slice(match.index + match[0].length, end))
    const code = (match[1] ?? '').replace('d', '')
    // The answer has the result already.
    return code === 'A' || PARTLY.test(own) ? [] : [{ text: own, points: Number(match[2]), code }]
  })
  return { body, rest }
}
