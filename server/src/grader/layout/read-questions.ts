import { findChoiceOptions } from './choice-options.ts'
import { bottomOf, findPageFurniture, isNameFieldLine, normalizeText, type PlacedLine } from './paper-lines.ts'
import { readPoints, readPointsEach, readTotal } from './printed-points.ts'
import { type QuestionLabel, readPartLabel, readQuestionLabel } from './question-labels.ts'

/** A question, or a part of one, as a paper prints it. */
export interface PrintedQuestion {
  id: string
  number: string
  /** The whole question's number; parts share it. */
  mainNumber: number
  part: string | null
  /** What leads into all the parts; empty for a question without parts. */
  stem: PlacedLine[]
  /** Its own lines in order, the label and points still in them. */
  lines: PlacedLine[]
  points: number | null
}

export interface PrintedPaper {
  lines: PlacedLine[]
  furniture: Set<PlacedLine>
  questions: PrintedQuestion[]
  total: number | null
  /** Points printed for a question whose parts carry none, or other points; by main number and section. */
  stemPoints: Map<string, number>
}

interface Start {
  at: number
  label: QuestionLabel
  section: number
  pointsEach: number | null
}

const SECTION = /^\W*(?:section|part|teil)\s+(?:[A-Z]|[IVX]+|\d+)\b/i
const QUESTION_WORDS =
  /\?|\b(?:explain|state|describe|name|give|calculate|find|define|list|draw|sketch|why|what|how|when|where|who|which|prove|show|compute|determine|discuss|compare|write|solve|outline|identify|label|complete|evaluate|derive|justify|suggest|estimate)\b/i

/** Reads the questions a paper prints. Lines must be visible ones in reading order. */
export function readQuestions(all: PlacedLine[]): PrintedPaper {
  const loose = findPageFurniture(all)
  const lines = all.filter((line) => !loose.has(line))
  const starts = findStarts(lines)
  const questions: PrintedQuestion[] = []
  const stemPoints = new Map<string, number>()
  starts.forEach((start, i) => {
    const end = starts[i + 1]?.at ?? lines.length
    const own = lines.slice(start.at, end).filter((line, k) => k === 0 || !SECTION.test(line.text))
    questions.push(...splitParts(own, start, stemPoints))
  })
  const before = lines.slice(0, starts[0]?.at ?? 0)
  const total = [...before, ...all.filter((line) => loose.has(line))]
    .map((line) => readTotal(line.text) ?? totalPointsIn(line))
    .find((x) => x !== null)
  return {
    lines: all,
    furniture: loose,
    questions: withUniqueIds(questions),
    total: total ?? null,
    stemPoints,
  }
}

/** “Biology test (40 points)” above the questions is the whole paper's total. */
function totalPointsIn(line: PlacedLine): number | null {
  return readPointsEach(line.text) === null && !isNameFieldLine(line.text)
    ? (readPoints(line.text)?.points ?? null)
    : null
}

/** Where each question starts: the numbers that count up, in the paper's own style. */
function findStarts(lines: PlacedLine[]): Start[] {
  const labels = lines.map((line) => readQuestionLabel(line.text))
  const explicit = labels.filter((label) => label?.explicit && label.number <= 200)
  // “Question 1” in words is the paper's style: then plain numbers are lists within a question.
  const wordsOnly = explicit.length >= 2 || (explicit.length === 1 && explicit[0]?.number === 1)
  let starts: Start[] = []
  let section = 1
  let sectionLine = false
  let pointsEach: number | null = null
  lines.forEach((line, at) => {
    const label = labels[at] ?? null
    if (SECTION.test(line.text) && !label) sectionLine = true
    const each = readPointsEach(line.text)
    if (each !== null && (!label || starts.length === 0)) pointsEach = each
    if (!label || (wordsOnly && !label.explicit)) return
    const last = starts.at(-1)
    const previous = last?.label.number ?? 0
    const samePart = last && label.number === previous && label.part !== null && label.part !== last.label.part
    const continued = /^\W*(?:continued|cont\b)/i.test(label.rest) || (last && label.number === previous && !samePart)
    if (continued && last) return
    if (samePart || (label.number > previous && (label.number <= previous + 2 || last === undefined))) {
      starts.push({ at, label, section, pointsEach })
    } else if (label.number === 1 && last) {
      const worth = readPoints(line.text) !== null
      const instructions = starts.every((start) => !linesAskOrGivePoints(lines, start.at, at))
      if (!sectionLine && !worth && !instructions) return
      // Numbered instructions above the questions are no questions.
      if (instructions) starts = []
      else section++
      starts.push({ at, label, section, pointsEach })
      sectionLine = false
    }
  })
  return starts
}

function linesAskOrGivePoints(lines: PlacedLine[], from: number, to: number): boolean {
  const text = lines.slice(from, to).map((line) => line.text)
  return text.some((line) => line.includes('?') || readPoints(line) !== null)
}

function splitParts(lines: PlacedLine[], start: Start, stemPoints: Map<string, number>): PrintedQuestion[] {
  const { number: main, part, rest } = start.label
  const section = start.section > 1 ? `s${start.section}` : ''
  const base = { mainNumber: main, stem: [] as PlacedLine[] }
  const numbered = start.section > 1 ? `${main} (part ${start.section})` : `${main}`
  const pointsOf = (own: PlacedLine[]) =>
    own.map((line) => readPoints(line.text)?.points ?? null).find((points) => points !== null) ?? null
  if (part) {
    const id = `${section}q${main}${part}`
    return [
      {
        ...base,
        id,
        number: `${numbered} ${part}`,
        part,
        lines,
        points: pointsOf(lines) ?? start.pointsEach,
      },
    ]
  }
  const parts = findParts(lines, rest)
  const [first] = parts
  if (!first)
    return [
      {
        ...base,
        id: `${section}q${main}`,
        number: numbered,
        part: null,
        lines,
        points: pointsOf(lines) ?? start.pointsEach,
      },
    ]
  const stem = lines.slice(0, first.at)
  const worth = pointsOf(stem)
  if (worth !== null) stemPoints.set(`${section}q${main}`, worth)
  return parts.map(({ at, part }, i) => {
    const own = lines.slice(at, parts[i + 1]?.at ?? lines.length)
    return {
      ...base,
      id: `${section}q${main}${part}`,
      number: `${numbered} ${part}`,
      part,
      stem,
      lines: own,
      points: pointsOf(own) ?? (worth === null ? start.pointsEach : null),
    }
  })
}

/**
 * Parts (a), (b) … of a question, as against the options of a multiple choice question: parts have points of their
 * own, or ask something, or leave room below.
 */
function findParts(lines: PlacedLine[], firstRest: string): { at: number; part: string }[] {
  const found: { at: number; part: string; upper: boolean; rest: string }[] = []
  lines.forEach((line, at) => {
    // “1. (a) Define …”: the first part is on the question's own line.
    const label = readPartLabel(at === 0 ? firstRest : line.text)
    if (!label || label.part.charCodeAt(0) - 97 !== found.length) return
    // Several labels on one line (“A. 3  B. 4”) are options.
    if (findChoiceOptions(line.text).length > 1) return
    found.push({ at, ...label })
  })
  if (found.length < 2) return []
  const own = found.map(({ at }, i) => lines.slice(at, found[i + 1]?.at ?? lines.length))
  if (own.some((part) => part.some((line) => readPoints(line.text) !== null))) return found
  if (found.some((part) => part.upper)) return []
  const asking = found.filter(({ rest }) => QUESTION_WORDS.test(rest)).length
  if (asking * 2 > found.length) return found
  const wordy = found.some(({ rest }) => normalizeText(rest).split(' ').length > 14)
  return own.slice(0, -1).every((part, i) => leavesAnswerSpace(part, own[i + 1])) && !wordy ? found : []
}

/** Room to write between a part and the next: three lines of its height, or a rule to write on. */
function leavesAnswerSpace(part: PlacedLine[], next: PlacedLine[] | undefined): boolean {
  const last = part.at(-1)
  const following = next?.[0]
  if (!last || !following) return false
  if (part.some((line) => /_{4,}|\.{6,}/.test(line.text))) return true
  return following.page !== last.page || following.box.y - bottomOf(last) > 3 * last.box.height
}

/** Papers number carelessly; ids must not. */
function withUniqueIds(questions: PrintedQuestion[]): PrintedQuestion[] {
  const seen = new Map<string, number>()
  return questions.map((question) => {
    const times = (seen.get(question.id) ?? 0) + 1
    seen.set(question.id, times)
    return times === 1 ? question : { ...question, id: `${question.id}_${times}` }
  })
}
