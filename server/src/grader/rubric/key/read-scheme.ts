import type { Level } from '@assay/shared/rubrics.ts'
import { readPoints } from '../../layout/outline/points.ts'
import { isCode } from '../../text/open-keys.ts'
import type { KeyAnswer, KeyLine, MarkingPoint } from './key-lines.ts'
import {
  GUIDANCE,
  MARK,
  memberOf,
  POOL,
  pointOf,
  poolSize,
  splitCoded,
  splitGuidance,
  takeGuidance,
  takePool,
  tidy,
} from './key-wording.ts'
import { BULLET, joinBullets, joinWrapped, onePointEach, readProse } from './read-prose.ts'
import { splitByShares } from './split-shares.ts'

const NAMED_POINTS =
  /[([]\s*(?:\d+(?:[.,]\d+)?|½)\s*(?:points?|pts?|marks?)\s*[)\]]|\b\d+\s*(?:points?|pts?|marks?)\s*$/i
const SAID_POINTS =
  /\b(?:by|of|to|than|about|is|are|was|or|and|at|from|[=≈])\s+\d+(?:[.,]\d+)?\s*(?:points?|pts?|marks?)\W*$/i
const STARTS_REMARK = /^\W*(?:half|full|partial)\s+(?:credit|marks?|points?)\b/i
const FOOT = /^\W*(?:sub-?)?total(?:\s+(?:marks?|points?))?\W*$/i

/** `worth`: the points the paper prints for the question. */
export function readScheme(printed: readonly KeyLine[], worth: number | null): KeyAnswer {
  const lines = joinBullets(printed.filter(({ text }) => !FOOT.test(text)))
  const answer: KeyAnswer = { expected: '', alternatives: [], criteria: [], points: null, levels: [], notes: [] }
  const levels = readLevels(lines)
  if (levels) return { ...answer, ...levels }
  const code = readCodeScheme(lines.map(({ text }) => text))
  if (code) return { ...answer, ...code }
  const body: KeyLine[] = []
  const inSentences = hasMarksInSentences(lines, worth)
  for (const line of lines) {
    for (const note of splitGuidance(line.guidance ?? '')) if (!takeGuidance(note, answer)) answer.notes.push(note)
    // A remark below the answers is on a line of its own.
    if (body.length > 0 && /^\W*\p{Lu}/u.test(line.text) && STARTS_REMARK.test(line.text)) {
      answer.notes.push(line.text)
      continue
    }
    body.push(inSentences ? line : worthOf(line, worth))
  }
  if (body.some(({ points }) => points !== undefined)) readColumn(body, answer, worth)
  else readProse(body, answer, worth)
  splitByShares(answer, worth)
  addMethodMarks(lines.map(({ guidance = '' }) => guidance).join(' '), answer, worth)
  return answer
}

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

const MARK_INSIDE = /\p{L}{2}.*[([]\s*(?:\d(?:\.5)?|½)\s*(?:points?|pts?|marks?)\s*[)\]][\s,;.]*\p{L}/iu

/** “… make ATP (2 points) in the / thylakoid. …”: the marks are the sentences', not the lines'. So they are where a
 * line has several. */
function hasMarksInSentences(lines: readonly KeyLine[], worth: number | null): boolean {
  if (lines.some(({ points }) => points !== undefined)) return false
  const marks = lines.map(({ text }) => text.match(MARK)?.length ?? 0)
  if (lines.some((line, i) => marks[i] === 0 && worthOf(line, worth).points !== undefined)) return false
  if (marks.some((count) => count > 1)) return true
  return lines.some(({ text }, i) => MARK_INSIDE.test(text) && /^\s*\p{Ll}/u.test(lines[i + 1]?.text ?? ''))
}

/** “mentions chlorophyll (2 points)” is a point of the scheme. */
function worthOf(line: KeyLine, worth: number | null): KeyLine {
  if ((line.text.match(MARK)?.length ?? 0) > 1) return line
  if (line.points !== undefined || !NAMED_POINTS.test(line.text) || GUIDANCE.test(line.text)) return line
  const read = readPoints(line.text)
  if (!read || !/\p{L}{2}|\d/u.test(read.rest)) return line
  // “increases by 4.1 points” is no mark.
  if (!/[)\]]\s*[.;]?\s*$/.test(line.text) && (SAID_POINTS.test(line.text) || (worth !== null && read.points > worth)))
    return line
  return { ...line, text: read.rest, points: read.points }
}

/** Each mark belongs to the point beside it, or to one that wraps over several rows. */
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
    takePool(pool[1] ?? '', members, answer)
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

/** “n = 0   # 1 counter starts at 0”, “WHERE age > 18  -- 1”. */
const MARKED_LINE =
  /^(.*?\S)\s*(?:#|\/\/|--|\/\*|%)\s*[([]?(\d(?:\.5)?)\s*(?:marks?|points?|pts?)?[)\]]?(?:\s*[:.–-]?\s+(.*?))?(?:\s*\*\/)?\s*$/i

/** A program's lines have marks in comments; a line without one belongs to the line before. Null for other schemes. */
function readCodeScheme(lines: readonly string[]): Pick<KeyAnswer, 'expected' | 'criteria' | 'notes'> | null {
  const criteria: MarkingPoint[] = []
  const notes: string[] = []
  let before = ''
  let over = false
  for (const line of lines) {
    const [, code = '', points = '', what = ''] = MARKED_LINE.exec(line) ?? []
    if (code !== '') {
      const expected = `${before} ${code}`.trim()
      criteria.push({ text: tidy(what) || expected, expected, alternatives: [], points: Number(points) })
      before = ''
    } else if (over || GUIDANCE.test(line) || /^\p{Lu}\p{Ll}+\s+\p{Ll}+\s.*[.:]?$/u.test(line)) {
      over = criteria.length > 0
      notes.push(line.trim())
    } else {
      const last = criteria.at(-1)
      if (last) last.expected = `${last.expected}\n${line.trim()}`
      else before = `${before} ${line.trim()}`
    }
  }
  if (criteria.length > 1 && isCode(criteria.map(({ expected }) => expected).join('\n')))
    return { expected: '', criteria, notes }
  return null
}

const LEVEL = /^\W*(?:level|band|grade)\s+(\d|[ivx]+)\b\s*[:–—-]?\s*/i
const RANGE = /(?:^|[\s(])(\d{1,2})(?:\s*(?:[–—-]|to)\s*(\d{1,2}))?\s*marks?\b\)?\s*[:–—-]?/i

/** “Level 2, 3–4 marks: one reason explained …”. Null where the key has no levels. */
function readLevels(lines: readonly KeyLine[]): { levels: Level[]; expected: string; notes: string[] } | null {
  const levels: { points: number; text: string }[] = []
  const notes: string[] = []
  let indicative = false
  for (const line of lines) {
    let text = line.text.trim()
    if (/^level\s+descriptor/i.test(text)) continue
    const start = LEVEL.exec(text)
    if (start) {
      levels.push({ points: 0, text: '' })
      text = text.slice(start[0].length)
      indicative = false
    } else if (/^\W*indicative\s+content/i.test(text)) indicative = true
    const last = levels.at(-1)
    if (!last || indicative) {
      if (text !== '') notes.push(text)
      continue
    }
    const range = RANGE.exec(text)
    if (range && last.points === 0) {
      last.points = Number(range[2] ?? range[1])
      text = text.replace(RANGE, ' ')
    }
    last.text = `${last.text} ${text}`.replace(/\s+/g, ' ').trim()
  }
  if (levels.length < 2 || levels.some(({ points }) => points === 0)) return null
  const sorted = levels.toSorted((a, b) => b.points - a.points)
  return { levels: sorted, expected: sorted[0]?.text ?? '', notes: notes.length > 0 ? [notes.join(' ')] : [] }
}
