import type { Level } from '@assay/shared/rubrics.ts'
import { isRootList } from '../../exact/list-key.ts'
import { readPoints } from '../../layout/printed-points.ts'
import type { KeyLine } from './key-lines.ts'
import { readLevels } from './read-levels.ts'

/** One thing marks are given for. */
export interface MarkingPoint {
  text: string
  expected: string
  alternatives: string[]
  points: number
  /** `M` for a method, `A` for a result, `B` for a statement; absent where the key has no codes. */
  code?: string
}

/** What a key says about one question. */
export interface KeyAnswer {
  expected: string
  alternatives: string[]
  /** Empty where the key just gives the answer. */
  criteria: MarkingPoint[]
  /** Points the key prints for the whole question. */
  points: number | null
  levels: Level[]
  /** For the marker: what to ignore, what not to accept. Students never see it. */
  notes: string[]
}

const PREFIX =
  /^\W*(?:(?:the\s+)?(?:correct|model|sample|expected|suggested|possible|example|reference|indicative)\s+)?(?:answers?|ans|solutions?|sol|responses?|key|content)\s*(?:key)?\s*[:.=–-]+\s*|^a:\s+/i
const BULLET = /^\s*(?:[-–—•*·▪◦‣●]\s*|\d{1,2}[.)]\s+)/
const MARK = /\((\d(?:\.5)?|½)\)/g
const TOTAL = /\s*\[\s*(\d{1,3}(?:\.5)?)\s*\]\s*$/
/** “PTS: 3” behind an answer */
const NAMED_TOTAL = /\s*\b(?:pts|points?|marks?)\s*:\s*(\d{1,3}(?:\.5)?)\W*$/i
/** “any two from:”, “Any 3:”, “two of” */
const POOL =
  /^\W*(?:any|either)\s+(one|two|three|four|five|six|\d)\b\s*(?:of|from)?(?:\s+(?:the\s+following|these))?\s*:?\s*/i
/** “…; … (any two)” */
const POOL_AFTER = /\s*[([]\s*any\s+(one|two|three|four|five|six|\d)(?:\s+of\s+(?:these|them))?\s*[)\]]\W*$/i
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six']
const ACCEPT =
  /^\W*(?:(?:also|or|but|please)\s+)?(?:accept(?:able|ed|s)?(?:\s+also)?|allow|condone|credit|alternatives?(?:\s+answers?)?|alternatively)\b\s*(?:answers?\s+such\s+as\s+)?[:\s]\s*/i
const NAMED_POINTS =
  /[([]\s*(?:\d+(?:[.,]\d+)?|½)\s*(?:points?|pts?|marks?)\s*[)\]]|\b\d+\s*(?:points?|pts?|marks?)\s*$/i
const MARK_VERB =
  /^(?:(?:award\s+)?(?:\d+\s*(?:points?|pts?|marks?)\s*)?(?:for\s+)?)?(?:(?:the\s+)?(?:student|answer)\s+)?(?:mentions?|mentioning|states?|stating|explains?|explaining|identifies|identifying|says?|saying|names?|naming|gives?|giving|describes?|describing|notes?|noting|includes?|including|recogni[sz]es|recogni[sz]ing)\s+(?:that\s+)?/i
const OR_LINE = /^\W*or\b\s*:?\s*/i
/** Guidance to the marker: nothing of it is an answer. */
const GUIDANCE =
  /^\W*(?:do\s+not|don['’]t|not\b|no\s+(?:credit|marks?)|reject|ignore|penali[sz]e|deduct|follow[\s-]?through|ecf\b|ft\b|must\s+see|owtte|any\s+(?:working|sensible|valid|reasonable|correct)|an\s+answer\s+of|\d+\s*marks?\s+(?:for|if|each)|(?:one|two|three|up\s+to|max(?:imum)?)\s+(?:\w+\s+)?marks?\b|award\b|using\s+.{1,60}\bscores?\b|if\s+.{1,80}\b(?:scores?|marks?)\b)|\bscores?\s+\d\s+marks?\b|\bgets?\s+[MAB]\d/i
const CODED = /(?:^|[\s;.])(d?[MAB])(\d)\s+(?:for\s+|(?=[a-z(]))(?=\S)/g
/** “2 marks for two details, 1 for the style” */
const WORTH_FOR = /(?:^|[;.,]\s+)(?:up\s+to\s+)?(\d)(?:\s+marks?)?\s+for\s+(?=\S)/gi
const EACH = /^\W*(?:one|1)\s+marks?\s+(?:for|per)\s+(?:each\s+)?[^:.]{0,70}:\s+/i
/** “formulae 1, balancing 1, states 1” */
const SHARES = /(?:\s+[\p{L} ]{3,24}\s\d,?){2,}\s*$/u

/** Reads what a key gives for a question. `worth`: the points the paper prints for it. */
export function readScheme(lines: readonly KeyLine[], worth: number | null): KeyAnswer {
  const answer: KeyAnswer = { expected: '', alternatives: [], criteria: [], points: null, levels: [], notes: [] }
  const levels = readLevels(lines)
  if (levels) return { ...answer, ...levels }
  const body: KeyLine[] = []
  for (const line of lines) {
    for (const note of splitGuidance(line.guidance ?? '')) if (!takeGuidance(note, answer)) answer.notes.push(note)
    body.push(worthOf(line))
  }
  if (body.some(({ points }) => points !== undefined)) readColumn(body, answer)
  else readProse(body, answer, worth)
  addMethodMarks(lines.map(({ guidance = '' }) => guidance).join(' '), answer, worth)
  return answer
}

/** Notes beside one result may give marks for the way to it: “M1 for 5x = 25”. */
function addMethodMarks(guidance: string, answer: KeyAnswer, worth: number | null): void {
  const method = splitCoded(guidance).rest
  const [result, second] = answer.criteria
  const points = result?.points ?? answer.points ?? worth ?? 0
  const left = points - method.reduce((sum, one) => sum + one.points, 0)
  const expected = result?.expected ?? answer.expected
  if (method.length === 0 || second || left <= 0 || expected === '') return
  answer.criteria = [
    ...method.map((one) => pointOf(one.text, one.points, one.code)),
    { text: result?.text ?? expected, expected, alternatives: result?.alternatives ?? [], points: left, code: 'A' },
  ]
}

/** “mentions chlorophyll (2 points)”: a line with points of its own is a point of the scheme. */
function worthOf(line: KeyLine): KeyLine {
  if (line.points !== undefined || !NAMED_POINTS.test(line.text) || GUIDANCE.test(line.text)) return line
  const read = readPoints(line.text)
  if (!read || !/\p{L}{2}|\d/u.test(read.rest)) return line
  return { ...line, text: read.rest, points: read.points }
}

/** A table's rows: each mark belongs to the point beside it, or to one that wraps over several rows. */
function readColumn(lines: KeyLine[], answer: KeyAnswer): void {
  const marks = lines.flatMap(({ points, code }) =>
    points === undefined ? [] : [{ points, ...(code ? { code } : {}) }],
  )
  const written = lines.filter(({ text }) => text.trim() !== '')
  const pool = POOL.exec(written[0]?.text ?? '')
  if (pool) {
    const members = written.flatMap(({ text }, i) =>
      (i === 0 ? text.replace(POOL, '') : text).split(/\s*;\s*/).map((member) => member.replace(BULLET, '').trim()),
    )
    takePool(
      pool[1] ?? '',
      members.filter((text) => text !== ''),
      answer,
    )
    answer.points = marks.reduce((sum, { points }) => sum + points, 0)
    return
  }
  for (const [i, text] of joinWrapped(written, marks.length).entries()) {
    const mark = marks[i]
    if (mark) answer.criteria.push(pointOf(text.replace(BULLET, ''), mark.points, mark.code))
  }
}

/** As many points as there are marks: the lines that look most like the end of the one before are joined to it. */
function joinWrapped(lines: readonly KeyLine[], count: number): string[] {
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
    if (joined.has(i)) texts.push(`${texts.pop() ?? ''} ${text.trim()}`)
    else texts.push(text.trim())
  }
  return texts
}

function readProse(lines: readonly KeyLine[], answer: KeyAnswer, worth: number | null): void {
  const texts = lines.map(({ text }) => text.replace(/_{2,}/g, ' ').trim()).filter((text) => /[\p{L}\p{N}]/u.test(text))
  takeAlternativeLines(texts, answer)
  const listed = texts.length > 1 && texts.every((text) => BULLET.test(text) || POOL.test(text))
  let whole = texts
    .map((text, i) => (i === 0 ? text.replace(PREFIX, '') : listed ? `; ${text.replace(BULLET, '')}` : text))
    .join(' ')
    .replace(/\s+;/g, ';')
    .replace(/(\p{Ll})- (?=\p{Ll})/gu, '$1')
  const named = NAMED_TOTAL.exec(whole)
  if (named) {
    answer.points = Number(named[1])
    whole = whole.slice(0, named.index)
  }
  const total =
    TOTAL.exec(whole) ?? (/\(\s*\d+\s*(?:marks?|points?|pts?)\s*\)\s*$/i.test(whole) ? /$/.exec(whole) : null)
  if (total) {
    const read = readPoints(whole)
    answer.points = read?.points ?? null
    whole = read?.rest ?? whole
  }
  whole = takeInline(whole.replace(/^\(\s*\d+\s*(?:marks?|points?|pts?)\s*\)\s*/i, ''), answer)
  const allocated = readAllocation(whole, worth ?? answer.points)
  if (allocated) {
    answer.criteria.push(...allocated)
    return
  }
  const { body, rest } = splitCoded(whole)
  for (const { text, points, code } of rest) answer.criteria.push(pointOf(text, points, code))
  const each = EACH.exec(body)
  if (each && worth !== null) {
    const members = body.slice(each[0].length).split(/\s*[,;]\s+/)
    takePool(
      String(worth),
      members.map(tidy).filter((member) => member !== ''),
      answer,
    )
    return
  }
  const kept = splitSentences(body).filter((sentence) => !takeGuidance(sentence, answer))
  const text = kept
    .join(' ')
    .replace(PREFIX, '')
    .replace(SHARES, (note) => {
      answer.notes.push(note.trim())
      return ''
    })
    .trim()
  const pool = POOL.exec(text) ?? POOL_AFTER.exec(text)
  if (pool) {
    const inner = text.replace(POOL, '').replace(POOL_AFTER, '')
    const members =
      inner.split(/\s*;\s*/).length > 1
        ? inner.split(/\s*;\s*/)
        : inner.split(inner.includes(' / ') ? /\s+\/\s+/ : /\s*,\s*(?:or\s+)?/)
    takePool(
      pool[1] ?? '',
      members.map(tidy).filter((member) => member !== ''),
      answer,
    )
    return
  }
  const marked = splitMarked(text)
  const best = marked.find(({ points }) => points === worth)
  if (best && marked.length > 1) {
    // “Revenue minus costs (2). What is earned (1).”: lesser answers are for a person to weigh.
    for (const one of marked) if (one !== best) answer.notes.push(`${one.text} (${one.points})`)
    const [first = '', ...others] = splitAlternatives(best.text)
    answer.expected = first
    answer.alternatives.push(...others)
    return
  }
  if (marked.length > 1 && answer.criteria.length === 0) {
    for (const { text: point, points } of marked) answer.criteria.push(pointOf(point, points))
    return
  }
  const plain = tidy(text.replace(MARK, ' '))
  const [first = '', ...others] = splitAlternatives(plain)
  answer.expected = first
  answer.alternatives.push(...others)
  if (answer.criteria.length > 0) {
    const rest = (worth ?? answer.points ?? 0) - answer.criteria.reduce((sum, { points }) => sum + points, 0)
    // Method marks lead to the result, which earns what is left.
    if (first !== '' && rest > 0)
      answer.criteria.push({
        text: first,
        expected: first,
        alternatives: [...answer.alternatives],
        points: rest,
        code: 'A',
      })
    else if (first !== '') answer.criteria = []
  }
}

/** Lines that begin with “or” or “also accept”, with those they run on to; they are taken out of `texts`. */
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

/** “Up to 2 marks for …, 1 for …”, where that is all the marks there are. */
function readAllocation(text: string, worth: number | null): MarkingPoint[] | null {
  const found = [...text.matchAll(WORTH_FOR)]
  const sum = found.reduce((total, match) => total + Number(match[1]), 0)
  if (found.length < 2 || sum !== worth || (found[0]?.index ?? 1) > 0) return null
  return found.map((match, i) => {
    const own = tidy(text.slice(match.index + match[0].length, found[i + 1]?.index ?? text.length))
    return { text: own, expected: own, alternatives: [], points: Number(match[1]) }
  })
}

/** “… (1) … (1)”: each mark in brackets ends a point. */
function splitMarked(text: string): { text: string; points: number }[] {
  const found: { text: string; points: number }[] = []
  let from = 0
  for (const match of text.matchAll(MARK)) {
    const part = tidy(text.slice(from, match.index).replace(/^[\s.,;:]+(?=\S)/, ''))
    from = match.index + match[0].length
    if (part === '') continue
    found.push({ text: part, points: match[1] === '½' ? 0.5 : Number(match[1]) })
  }
  const rest = tidy(text.slice(from).replace(/^[\s.,;:]+/, ''))
  const last = found.at(-1)
  if (last && /\p{L}{3}/u.test(rest)) last.text = `${last.text}. ${rest}`
  return found
}

/** “M1 for 3x < 18; A1 for each root”, “formulae 1, balancing 1, states 1”. */
function splitCoded(text: string): { body: string; rest: { text: string; points: number; code: string }[] } {
  const codes = [...text.matchAll(CODED)]
  if (codes.length === 0) return { body: text, rest: [] }
  const body = text.slice(0, codes[0]?.index ?? 0)
  const rest = codes.flatMap((match, i) => {
    const end = codes[i + 1]?.index ?? text.length
    const own = tidy(text.slice(match.index + match[0].length, end))
    const code = (match[1] ?? '').replace('d', '')
    // The result is in the answer itself; what its mark is for says no more.
    return code === 'A' ? [] : [{ text: own, points: Number(match[2]), code }]
  })
  return { body, rest }
}

function takePool(count: string, members: string[], answer: KeyAnswer): void {
  const named = NUMBERS.indexOf(count.toLowerCase()) + 1
  const word = NUMBERS[(named || Number(count)) - 1] ?? count
  answer.expected = `any ${word} of: ${members.join('; ')}`
}

/** “(accept metaphor)”, “; also accept rationing, lottery”. */
const INLINE_ACCEPT =
  /[([]\s*(?:(?:also|or)\s+)?(?:accept(?:able|ed)?|allow|or)(?:\s+also)?\s*:?\s+([^)\]]+)[)\]]|[;,]\s*(?:(?:also|or)\s+)?(?:accept(?:able|ed)?|allow)(?:\s+also)?\s*:?\s+([^)\];.]+)/gi

function takeInline(text: string, answer: KeyAnswer): string {
  return text
    .replace(INLINE_ACCEPT, (_, bracketed?: string, after?: string) => {
      answer.alternatives.push(...splitListed(bracketed ?? after ?? ''))
      return ' '
    })
    .replace(/\((\d+\s*marks?\s+(?:if|for)[^)]*|moles[^)]*=\s*1[^)]*)\)/gi, (_, note: string) => {
      answer.notes.push(note)
      return ' '
    })
}

/** Puts a remark where it belongs; false where it is no remark but part of the answer. */
function takeGuidance(sentence: string, answer: KeyAnswer): boolean {
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
const splitGuidance = (text: string): string[] =>
  text.split(/(?<!\bnot)(?<!\balso)\s+(?=(?:allow|accept|ignore|reject|do\s+not|an\s+answer\s+of|using\s+\d|ecf)\b)/i)

/** Sentences; a remark to the marker is one even in the middle of another. */
const splitSentences = (text: string): string[] =>
  text.split(
    /\s+(?=\d+\s+marks?\s+(?:for|each|per)\s)|(?<=[.;)!?])\s+(?=(?:accept|also|allow|ignore|reject|do\s+not|any\s+working|award|\d+\s+marks?\s+(?:for|each)|e\.?c\.?f)\b)|(?<=(?:marks?|detail|each|two)[^.]{0,60}[.;])\s+(?=\p{Lu})/iu,
  )

function pointOf(text: string, points: number, code?: string): MarkingPoint {
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
/** In a formula a slash divides. */
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

const splitListed = (text: string): string[] =>
  text
    .split(/\s*[;,]\s+(?:or\s+)?|\s+or\s+|\s+\/\s+/)
    .map(tidy)
    .filter((part) => part !== '')

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .replace(/^[;,:]\s*|[;,:\s]+$/g, '')
    .trim()
