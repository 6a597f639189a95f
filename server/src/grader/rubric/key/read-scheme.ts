import { readPoints } from '../../layout/printed-points.ts'
import { bracketedCodes } from './bracketed-codes.ts'
import { BULLET, isListHead, joinBullets, joinWrapped, onePointEach } from './bullet-points.ts'
import { readCodeScheme } from './code-scheme.ts'
import type { KeyAnswer, MarkingPoint } from './key-answer.ts'
import type { KeyLine } from './key-lines.ts'
import {
  ACCEPT,
  GUIDANCE,
  pointOf,
  splitAlternatives,
  splitGuidance,
  splitListed,
  splitSentences,
  takeGuidance,
  takeInline,
  tidy,
} from './key-wording.ts'
import { alternativeWays, MARK, poolSize, splitMarked } from './marked-points.ts'
import { readLevels } from './read-levels.ts'

const PREFIX =
  /^\W*(?:(?:the\s+)?(?:correct|model|sample|expected|suggested|possible|example|reference|indicative)\s+)?(?:answers?|ans|solutions?|sol|responses?|key|content)\s*(?:key)?\s*[:.=–-]+\s*|^a:\s+/i
const TOTAL = /\s*\[\s*(\d{1,3}(?:\.5)?)\s*\]\s*$/
/** “PTS: 3” behind an answer */
const NAMED_TOTAL = /\s*\b(?:pts|points?|marks?)\s*:\s*(\d{1,3}(?:\.5)?)\W*$/i
/** “any two from:”, “Any 3:”, “two of” */
const POOL =
  /^\W*(?:any|either)\s+(one|two|three|four|five|six|\d)\b\s*(?:of|from)?(?:\s+(?:the\s+following|these))?\s*:?\s*/i
/** “…; … (any two)” */
const POOL_AFTER = /\s*[([]\s*any\s+(one|two|three|four|five|six|\d)(?:\s+of\s+(?:these|them))?\s*[)\]]\W*$/i
const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six']
const NAMED_POINTS =
  /[([]\s*(?:\d+(?:[.,]\d+)?|½)\s*(?:points?|pts?|marks?)\s*[)\]]|\b\d+\s*(?:points?|pts?|marks?)\s*$/i
const SAID_POINTS =
  /\b(?:by|of|to|than|about|is|are|was|or|and|at|from|[=≈])\s+\d+(?:[.,]\d+)?\s*(?:points?|pts?|marks?)\W*$/i
const STARTS_REMARK = /^\W*(?:half|full|partial)\s+(?:credit|marks?|points?)\b/i
const OR_LINE = /^\W*or\b\s*:?\s*/i
const CODED = /(?:^|[\s;.])(d?[MAB])(\d)\s+(?:for\s+|(?=[a-z(]))(?=\S)/g
/** “2 marks for two details, 1 for the style” */
const WORTH_FOR = /(?:^|[;.,]\s+)(?:up\s+to\s+)?(\d)(?:\s+marks?)?\s+for\s+(?=\S)/gi
const LABELS = /^(\W*(?:up\s+to\s+)?\d\s+marks?\s+for\s[^.:()]{3,120}[.:])\s+(.+)$/is
const EACH =
  /^\W*(?:award\s+)?(?:one|1)\s+(?:marks?|points?|pts?)\s+(?:for|per)\s+(?:(?:each|every|any)\s+)?[^:.;]{0,70}?(?::;?|,?\s+(?:e\.\s?g\.|such\s+as)[,:]?)\s+/i
/** The foot of a table of marks. */
const FOOT = /^\W*(?:sub-?)?total(?:\s+(?:marks?|points?))?\W*$/i
/** “formulae 1, balancing 1, states 1” */
const SHARES = /(?:\s+[\p{L} ]{3,24}\s\d,?){2,}\s*$/u

/** Reads what a key gives for a question. `worth`: the points the paper prints for it. */
export function readScheme(printed: readonly KeyLine[], worth: number | null): KeyAnswer {
  const lines = joinBullets(printed.filter(({ text }) => !FOOT.test(text)))
  const answer: KeyAnswer = { expected: '', alternatives: [], criteria: [], points: null, levels: [], notes: [] }
  const levels = readLevels(lines)
  if (levels) return { ...answer, ...levels }
  const code = readCodeScheme(lines.map(({ text }) => text))
  if (code) return { ...answer, ...code }
  const body: KeyLine[] = []
  for (const line of lines) {
    for (const note of splitGuidance(line.guidance ?? '')) if (!takeGuidance(note, answer)) answer.notes.push(note)
    // A remark below the answers is on a line of its own.
    if (body.length > 0 && /^\W*\p{Lu}/u.test(line.text) && STARTS_REMARK.test(line.text)) {
      answer.notes.push(line.text)
      continue
    }
    body.push(worthOf(line, worth))
  }
  if (body.some(({ points }) => points !== undefined)) readColumn(body, answer, worth)
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
function worthOf(line: KeyLine, worth: number | null): KeyLine {
  if ((line.text.match(MARK)?.length ?? 0) > 1) return line
  if (line.points !== undefined || !NAMED_POINTS.test(line.text) || GUIDANCE.test(line.text)) return line
  const read = readPoints(line.text)
  if (!read || !/\p{L}{2}|\d/u.test(read.rest)) return line
  // “increases by 4.1 points” is what is said, not what it earns.
  if (!/[)\]]\s*[.;]?\s*$/.test(line.text) && (SAID_POINTS.test(line.text) || (worth !== null && read.points > worth)))
    return line
  return { ...line, text: read.rest, points: read.points }
}

/** A table's rows: each mark belongs to the point beside it, or to one that wraps over several rows. */
function readColumn(lines: KeyLine[], answer: KeyAnswer, worth: number | null): void {
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
  const [only, other] = marks
  const single = only && !other && !only.code
  const each = single
    ? onePointEach(
        written.map(({ text }) => text),
        only.points,
      )
    : null
  if (each) {
    answer.criteria.push(...each.map((text) => pointOf(text, 1)))
    return
  }
  for (const [i, text] of joinWrapped(written, marks.length).entries()) {
    const mark = marks[i]
    if (mark) answer.criteria.push(pointOf(text.replace(BULLET, ''), mark.points, mark.code))
  }
  const needed = poolSize(answer.criteria, worth)
  if (needed === null) return
  takePool(String(needed), answer.criteria.map(memberOf), answer)
  answer.criteria = []
}

function readProse(lines: readonly KeyLine[], answer: KeyAnswer, worth: number | null): void {
  const texts = lines.map(({ text }) => text.replace(/_{2,}/g, ' ').trim()).filter((text) => /[\p{L}\p{N}]/u.test(text))
  takeAlternativeLines(texts, answer)
  const each = splitMarked(texts.join(' ')).length > 0 ? null : onePointEach(texts, worth)
  if (each) {
    answer.criteria.push(...each.map((text) => pointOf(text, 1)))
    return
  }
  const listed =
    texts.length > 1 && texts.every((text, i) => BULLET.test(text) || POOL.test(text) || (i === 0 && isListHead(text)))
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
    (whole.match(/\[\s*\d{1,3}(?:\.5)?\s*\]/g)?.length === 1 ? TOTAL.exec(whole) : null) ??
    (whole.match(MARK)?.length === 1 && /\(\s*\d+\s*(?:marks?|points?|pts?)\s*\)\s*$/i.test(whole)
      ? /$/.exec(whole)
      : null)
  if (total) {
    const read = readPoints(whole)
    answer.points = read?.points ?? null
    whole = read?.rest ?? whole
  }
  whole = takeInline(whole.replace(/^\(\s*\d+\s*(?:marks?|points?|pts?)\s*\)\s*/i, ''), answer)
  whole = withoutLabels(whole, answer)
  const bracketed = bracketedCodes(whole, worth ?? answer.points)
  if (bracketed) {
    answer.notes.push(...bracketed.notes)
    answer.criteria.push(...bracketed.criteria)
    if (bracketed.criteria.length > 0) return
    whole = bracketed.answer
  }
  const allocated = readAllocation(whole, worth ?? answer.points)
  if (allocated) {
    answer.criteria.push(...allocated)
    return
  }
  const { body, rest } = splitCoded(whole)
  for (const { text, points, code } of rest) answer.criteria.push(pointOf(text, points, code))
  const perPoint = EACH.exec(body)
  if (perPoint && worth !== null) {
    const inner = body.slice(perPoint[0].length).replace(/[.\s]+$/, '')
    const members = inner.split(inner.includes(';') ? /\s*;\s+/ : /\s*,\s+/)
    takePool(
      String(worth),
      members.map(tidy).filter((member) => member !== ''),
      answer,
    )
    return
  }
  // “Reject H0” is an answer where nothing else is.
  const verb = /^\W*(?:reject|ignore)\b/i.test(body) ? splitSentences(body)[0] : undefined
  const kept = splitSentences(body).filter((sentence) => sentence === verb || !takeGuidance(sentence, answer))
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
    const ways = worth === null ? null : alternativeWays(marked, worth)
    const needed = poolSize(marked, worth)
    if (ways) answer.criteria = ways
    else if (needed !== null) takePool(String(needed), marked.map(memberOf), answer)
    if (ways || needed !== null) return
    for (const { text: point, points } of marked) answer.criteria.push(pointOf(point, points))
    return
  }
  const plain = tidy(marked.length > 0 ? text.replace(MARK, ' ') : text.replace(/\((\d(?:\.5)?|½)\)/g, ' '))
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

/** “1 mark for a feature, 1 for a detail. Children under nine were banned (1), …”: the points are those after the labels. */
function withoutLabels(text: string, answer: KeyAnswer): string {
  const [labels = '', rest = ''] = LABELS.exec(text)?.slice(1) ?? []
  if ((labels.match(WORTH_FOR)?.length ?? 0) < 2 || splitMarked(rest).length < 2) return text
  answer.notes.push(labels)
  return rest
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

/** “B1 for two correct”: less of the same answer, and no other. */
const PARTLY =
  /\b(?:one|two|three|four|\d)\s+(?:\w+\s+)?(?:correct|right|wrong|errors?|slips?)\b|\ball\s+but\b|\bseen\W*$/i

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
    return code === 'A' || PARTLY.test(own) ? [] : [{ text: own, points: Number(match[2]), code }]
  })
  return { body, rest }
}

/** In a pool a semicolon parts the members. */
const memberOf = ({ text }: { text: string }) => text.replaceAll(';', ',')

function takePool(count: string, members: string[], answer: KeyAnswer): void {
  const named = NUMBERS.indexOf(count.toLowerCase()) + 1
  const word = NUMBERS[(named || Number(count)) - 1] ?? count
  answer.expected = `any ${word} of: ${members.join('; ')}`
}
