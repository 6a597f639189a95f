import { normalNumber, numberLevels } from '@assay/shared/rules/question-numbers.ts'
import { isLater } from './rubric-draft.ts'
import { nextNumber } from './rubric-parts.ts'

export interface PastedAnswer {
  /** Of the question: `3 a`. */
  number: string
  answer: string
  points: number | null
}

export interface PastedKey {
  answers: PastedAnswer[]
  /** `line` counts from 1. */
  rejected: { line: number; text: string; reason: string }[]
}

/**
 * Reads “1 B 2 C”, “1. B”, “3 (a) True”, or rows of number, answer and points. `numbers`, the questions', tell “3 a”
 * the part from “3 a” the answer.
 */
export function parsePastedKey(text: string, numbers: readonly string[]): PastedKey {
  const known = numbers.map(normalNumber).filter((one) => one !== '')
  const answers = new Map<string, PastedAnswer>()
  const rejected: PastedKey['rejected'] = []
  let columns: Columns | null = null
  let worded: PastedAnswer | null = null
  for (const [i, line] of linesOf(text).entries()) {
    const header = headerOf(line)
    columns = header ?? columns
    if (line.trim() === '') worded = null
    if (header || line.trim() === '') continue
    const found = readLine(line, columns, known)
    // An answer in words may go on below, in the middle of its sentence.
    if (!found && worded && /^\s*\p{Ll}(?!\s*[).])/u.test(line)) {
      worded.answer = `${worded.answer} ${line.trim()}`
      continue
    }
    worded = !columns && found?.length === 1 && / /.test(found[0]?.answer ?? '') ? (found[0] ?? null) : null
    const doubled = found?.find(({ number }) => answers.has(normalNumber(number)))
    const reason = doubled ? `Number ${doubled.number} is there twice` : 'Not understood'
    if (!found || doubled) rejected.push({ line: i + 1, text: line, reason })
    else for (const one of found) answers.set(normalNumber(one.number), one)
  }
  return { answers: [...answers.values()], rejected }
}

const linesOf = (text: string) => text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)

function readLine(line: string, columns: Columns | null, known: readonly string[]): PastedAnswer[] | null {
  if (columns) return rowOf(cellsOf(line, columns.delimiter), columns, known, true)
  const run = readRange(line) ?? readRun(line, known)
  if (run) return run
  const delimiter = delimiterOf(line)
  const cells = delimiter ? cellsOf(line, delimiter) : []
  if (delimiter && isNumberCell(cells, delimiter, known)) {
    const row = cells.length > 3 && delimiter !== '\t' ? null : rowOf(cells, { delimiter, ...usualColumns }, known)
    // Other commas belong to the answer: “2, red, green and blue”.
    if (row || delimiter === '\t') return row
  }
  const found = readLabel(line, known)
  return found && [{ number: found.number, ...answerAndPoints(found.rest) }]
}

interface Columns {
  delimiter: string
  number: number
  answer: number
  points: number
}

const usualColumns = { number: 0, answer: 1, points: 2 }
const NUMBER_TITLE = /^(?:no|nr|number|question|item|q|#)\b\.?(?:\s*(?:no|nr|number|#))?\.?$|^#$/i

function headerOf(line: string): Columns | null {
  const delimiter = delimiterOf(line)
  if (!delimiter) return null
  const titles = cellsOf(line, delimiter)
  const number = titles.findIndex((title) => NUMBER_TITLE.test(title))
  const answer = titles.findIndex((title) => /\b(?:answers?|key|correct|expected|solution)\b/i.test(title))
  const points = titles.findIndex((title) => /\b(?:points?|pts|marks?|max|score|worth)\b/i.test(title))
  return number >= 0 && (answer >= 0 || points >= 0) ? { delimiter, number, answer, points } : null
}

const delimiterOf = (line: string) => (line.includes('\t') ? '\t' : /[;,]/.exec(line)?.[0])

/** In quotation marks a cell may hold the delimiter, and "" for one mark. */
function cellsOf(line: string, delimiter: string): string[] {
  const cells = line.matchAll(
    new RegExp(`(?:^|${delimiter})(?:\\s*"((?:[^"]|"")*)"\\s*(?=${delimiter}|$)|([^${delimiter}]*))`, 'g'),
  )
  return [...cells].map(([, quoted, plain = '']) => (quoted?.replaceAll('""', '"') ?? plain).trim())
}

/** “3 a” is a number in a table; elsewhere it may be number and answer. */
function isNumberCell(cells: readonly string[], delimiter: string, known: readonly string[]): boolean {
  const [cell = '', , points = ''] = cells
  // The commas of “2 c (1, -1, 1)” are its answer's.
  if (cells.some((one) => /[([][^)\]]*$/.test(one))) return false
  if (/^[\w\s.()#]*$/.test(cell) && known.includes(normalNumber(cell))) return true
  const isTable = delimiter === '\t' || (cells.length === 3 && parsePoints(points) !== undefined)
  return isTable ? /^\W*(?:q\w*|[A-Z])?\W*\d[\w\s.()]{0,12}$/i.test(cell) : readLabel(`${cell} ?`, known)?.rest === '?'
}

function rowOf(
  cells: readonly string[],
  columns: Columns,
  known: readonly string[],
  titled = false,
): PastedAnswer[] | null {
  const number = (cells[columns.number] ?? '')
    .replace(/^\W*(?:(?:q(?:uestion)?|no|nr)(?![a-z])\.?\s*)?/i, '')
    .replace(/[\s.):]+$/, '')
  const [answer = '', pointsText = ''] = [cells[columns.answer], cells[columns.points]]
  const points = pointsText === '' ? null : parsePoints(pointsText)
  // Under a title that says so, “EC” is a number, too.
  const isNumber = /\d/.test(number) || known.includes(normalNumber(number)) || (titled && /^[A-Z]{1,4}$/.test(number))
  if (!isNumber || (answer === '' && points === null) || points === undefined) return null
  return [{ number: spaced(number), answer: withoutMarks(answer), points }]
}

/** undefined: not a number of points. */
function parsePoints(text: string): number | undefined {
  const [, digits] = /^\W*(\d+(?:[.,]\d+)?)\s*(?:points?|pts?|marks?|p)?\W*$/i.exec(text) ?? []
  const points = Number(digits?.replace(',', '.'))
  return points > 0 ? points : undefined
}

const CHOICE_OR_TRUTH = /^(?:[a-z]|true|false|t|f|yes|no)$/i
const SHORT_NUMBER = /^[-−+]?\d[\d.,/]*[a-zµ°%²³/]{0,4}$/i
const isShort = (answer: string) => CHOICE_OR_TRUTH.test(withoutMarks(answer)) || SHORT_NUMBER.test(answer)

/** “1-5: B C A D E” */
function readRange(line: string): PastedAnswer[] | null {
  const [, from, to, rest = ''] = /^\W*(\d{1,3})\s*[-–—]\s*(\d{1,3})\s*[.:)=]\s*(.+)$/.exec(line) ?? []
  const answers = rest.split(/[\s,;]+/).filter((one) => one !== '')
  if (!from || Number(to) - Number(from) + 1 !== answers.length || !answers.every(isShort)) return null
  return answers.map((one, i) => ({ number: String(Number(from) + i), answer: withoutMarks(one), points: null }))
}

/** Several on one line: “1 B 2 C”, “1. B, 2. C”, “1b 2c”. Null for another line. */
function readRun(line: string, known: readonly string[]): PastedAnswer[] | null {
  // “3 a” is a part where there is no question 3.
  const joined = line.replace(/\b(\d{1,3}) \(?([a-z])\)?(?=[\s.:)]+\S)/gi, (whole, digits: string, part: string) =>
    known.includes(normalNumber(digits + part)) && !known.includes(normalNumber(digits)) ? digits + part : whole,
  )
  const tokens = joined.split(line.includes('\t') ? /\t/ : /[\s;]+|(?<!\d),|,(?!\d)/).map((token) => token.trim())
  const run: RunItem[] = []
  for (const token of tokens.filter((one) => /[\p{L}\p{N}]/u.test(one))) {
    const label = labelOfToken(token, known)
    const last = run.at(-1)
    if (label && (!last || (last.answer !== '' && follows(last, label, known)))) run.push(label)
    else if (last) last.answer = `${last.answer} ${token}`.trim()
    else return null
  }
  const isRun =
    run.length > 1 &&
    run.every(({ answer }) => answer !== '') &&
    (run.every(({ hasStop }) => hasStop) || run.every(({ answer }) => isShort(answer)))
  return isRun ? run.map(({ number, answer }) => ({ number, answer: withoutMarks(answer), points: null })) : null
}

/** “3”, “3.”, “(3)”, “3a” of a part or with its answer, “3-B”. */
function labelOfToken(token: string, known: readonly string[]): RunItem | null {
  const [, open, digits, part = '', stop, answer = ''] =
    /^(\()?(\d{1,3}(?:\.\d{1,2})*)(?:\(?([a-z])\)?)?([).:=–-]*)([a-z]|true|false|yes|no)?$/i.exec(token) ?? []
  if (!digits) return null
  const isPart = part !== '' && (answer !== '' || known.includes(normalNumber(digits + part)))
  const hasStop = isPart || Boolean(open ?? stop)
  return isPart
    ? { number: `${digits} ${part.toLowerCase()}`, answer, hasStop }
    : { number: digits, answer: part || answer, hasStop }
}

interface RunItem {
  number: string
  answer: string
  hasStop: boolean
}

/** After a letter or with a stop any later number, after a number only the very next. */
function follows(last: RunItem, { number, hasStop }: RunItem, known: readonly string[]): boolean {
  const [before = -1, at = -1] = [last.number, number].map((one) => known.indexOf(normalNumber(one)))
  if (nextNumber(last.number) === number || (before !== -1 && at === before + 1)) return true
  if (!hasStop && !CHOICE_OR_TRUTH.test(withoutMarks(last.answer))) return false
  const [depth, depthBefore] = [number, last.number].map((one) => numberLevels(one).levels.length)
  return at === -1 ? depth === depthBefore && isLater(number, last.number) : at > before
}

/** As far as questions have it or it is written as one: “3a”, “3 (a)”, “1.2”. */
function readLabel(line: string, known: readonly string[]): { number: string; rest: string } | null {
  const [, digits, section = '', tail = ''] =
    /^\W*(?:(?:q(?:uestion)?|no|nr)\.?\s*)?(\d{1,3})(?!\d)(\s*\(part \d+\))?(.*)$/i.exec(line) ?? []
  if (!digits) return readKnownName(line, known)
  let number = digits + section
  let [left, best] = [tail, { number, rest: afterLabel(tail) }]
  // A level that may be the answer’s first word ends what is written as one number.
  let isOne = true
  for (;;) {
    const [, gap = '', name, close = '', next = ''] =
      /^([\s.()]*)([a-z]|[ivx]{2,4}|\d{1,2})(?![\p{L}\p{N}])(\)?)(.*)$/iu.exec(left) ?? []
    if (!name || afterLabel(next) === '') break
    number = /\d/.test(name) ? `${number}.${name}` : `${number} ${name.toLowerCase()}`
    left = next
    const isWritten = /^\d+$/.test(name)
      ? gap === '.'
      : name === name.toLowerCase() && (gap === '' || (/^\s*\($/.test(gap) && close !== ''))
    const isKnown = known.includes(normalNumber(number))
    isOne = isKnown || (isOne && isWritten)
    if (isOne) best = { number, rest: afterLabel(next) }
  }
  return best.rest === '' ? null : best
}

/** Of questions without a number, or with a letter first: “EC”, “A 1”. */
function readKnownName(line: string, known: readonly string[]): { number: string; rest: string } | null {
  for (const [, ...levels] of known.map((one) => one.split('/'))) {
    const [, rest = ''] = new RegExp(`^\\W*${levels.join('[\\s.()]*')}(?![\\p{L}\\p{N}])(.*)$`, 'iu').exec(line) ?? []
    if (afterLabel(rest) !== '') return { number: levels.join(' '), rest: afterLabel(rest) }
  }
  // “A1: 4” of a section that has no questions yet.
  const [, section = '', digits, rest = ''] = /^\W*([A-Z])\s?(\d{1,2})[).:]+\s+(\S.*)$/.exec(line) ?? []
  return digits && isShort(rest) ? { number: `${section} ${digits}`, rest } : null
}

/** Without the dots or dash that lead to the answer; “.5” and “-5” stay. */
const afterLabel = (text: string) =>
  text
    .replace(/^(?:[).:=\]]+|[-–—](?=[a-z])|\s+[).:=](?=\s))?\s*(?:(?:[.·…_]\s*){2,}|[-–—](?=\s)|[,;])?\s*/i, '')
    .trim()

/** “4 (2 points)”, “B [2]”. */
function answerAndPoints(text: string): Pick<PastedAnswer, 'answer' | 'points'> {
  const [, words, worded] = /^(.*\S)\s*[([]\s*(\d+(?:[.,]\d+)?)\s*(?:points?|pts?|marks?)\s*[)\]]$/i.exec(text) ?? []
  const [, short = '', open, plain] = /^(\S+)\s+([([])?(\d+(?:[.,]\d+)?)[)\]]?$/.exec(text) ?? []
  const points = parsePoints(worded ?? plain ?? '')
  const answer = words ?? short
  const isSure = Boolean(worded) || CHOICE_OR_TRUTH.test(withoutMarks(short)) || (Boolean(open) && isShort(short))
  return points !== undefined && isSure
    ? { answer: withoutMarks(answer), points }
    : { answer: withoutMarks(text), points: null }
}

/** “(c)”, “c)”. */
const withoutMarks = (answer: string) => answer.trim().replace(/^[([]?([a-z])[)\].]?$/i, '$1')

/** “3a”, “3 (a) (ii)” and “3aii” as shown: “3 a ii”. */
function spaced(number: string): string {
  if (/^[A-Z]\d{1,2}$/.test(number)) return `${number[0]} ${number.slice(1)}`
  const [, main, rest = ''] = /^(\d[\d.]*)((?:[\s.()]*(?:[a-z]+|\d+))+[\s.()]*)$/i.exec(number) ?? []
  if (!main || /\(part/i.test(rest)) return number
  const names = rest.toLowerCase().match(/[a-z]+|\d+/g) ?? []
  return [main, ...names.flatMap((name) => PART_OF_PART.exec(name)?.slice(1) ?? [name])].join(' ')
}

/** “aii” */
const PART_OF_PART = /^([a-h])(i{1,3}|iv|vi{0,3}|ix|x)$/
