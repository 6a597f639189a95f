import type { Question, RubricProblem } from '../rubrics.ts'
import { questionPoints } from './edited-rubric.ts'

/** “2 b ii” is 2, b, ii; “1 (part 2)” begins again in the paper's second part. */
export function numberLevels(number: string): { section: string; levels: string[] } {
  const section = /\(part (\d+)\)/i.exec(number)?.[1] ?? ''
  const levels =
    number
      .toLowerCase()
      .replace(/\(part \d+\)/i, '')
      .match(/\d+|[a-z]+/g) ?? []
  return { section, levels }
}

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']

type Count = { values: number[]; write: (value: number) => string }

/** 1, 2, 3; a, b, c; i, ii, iii; else null. */
function countOf(siblings: readonly string[]): Count | null {
  if (siblings.every((name) => /^\d{1,3}$/.test(name))) return { values: siblings.map(Number), write: String }
  // A lone “i” may be either; a sibling tells.
  const roman = siblings.every((name) => ROMAN.includes(name)) && siblings.some((name) => name.length > 1)
  if (roman || (siblings.length === 1 && siblings[0] === 'i'))
    return { values: siblings.map((name) => ROMAN.indexOf(name) + 1), write: (value) => ROMAN[value - 1] ?? '' }
  if (siblings.every((name) => /^[a-z]$/.test(name)))
    return {
      values: siblings.map((name) => name.charCodeAt(0) - 96),
      write: (value) => String.fromCharCode(96 + value),
    }
  return null
}

/** More is another count rather than a gap. */
const LARGEST_GAP = 3

export interface NumberGap {
  missing: string
  at: Question
  before: Question | null
}

/** As in 1, 2, 4; 3 a, 3 c. */
export function numberGaps(questions: readonly Question[]): NumberGap[] {
  const parsed = questions.map((question) => ({ question, ...numberLevels(question.number) }))
  const families = Map.groupBy(
    parsed.flatMap((one) => one.levels.map((_, depth) => ({ ...one, depth }))),
    ({ section, levels, depth }) => [section, depth, ...levels.slice(0, depth)].join('/'),
  )
  return [...families.values()].flatMap((family) => {
    // The parts of 2 share their “2”.
    const distinct = family.filter((one, i) => i === 0 || one.levels[one.depth] !== family[i - 1]?.levels[one.depth])
    const count = countOf(distinct.map(({ levels, depth }) => levels[depth] ?? ''))
    if (!count) return []
    return count.values.flatMap((value, i): NumberGap[] => {
      const one = distinct[i]
      const from = i === 0 ? 0 : (count.values[i - 1] ?? 0)
      const gap = value - from - 1
      if (!one || gap < 1 || gap > LARGEST_GAP) return []
      const prefix = one.levels.slice(0, one.depth)
      const dotted = one.question.number.includes('.') ? '.' : ' '
      return Array.from({ length: gap }, (_, k) => ({
        missing: [...prefix, count.write(from + 1 + k)].join(dotted),
        at: one.question,
        before: questions[questions.indexOf(one.question) - 1] ?? null,
      }))
    })
  })
}

/** Closes the gap: 1, 2, 4 a, 4 b, 5 become 1, 2, 3 a, 3 b, 4. */
export function numbersWithoutGap(questions: readonly Question[], gap: NumberGap): string[] {
  const missing = numberLevels(gap.missing).levels
  const depth = missing.length - 1
  const here = numberLevels(gap.at.number)
  const family = (number: string) => {
    const { section, levels } = numberLevels(number)
    return (
      levels.length > depth && section === here.section && levels.slice(0, depth).every((one, i) => one === missing[i])
    )
  }
  const levelOf = (number: string) => numberLevels(number).levels[depth] ?? ''
  const from = questions.indexOf(gap.at)
  const names = [...new Set(questions.flatMap(({ number }) => (family(number) ? [levelOf(number)] : [])))]
  const count = countOf(names)
  const places = new Map(names.map((name, i) => [name, count?.values[i] ?? 0]))
  const wanted = countOf([missing[depth] ?? ''])
  const value = (name: string) => places.get(name) ?? 0
  const by = value(levelOf(gap.at.number)) - (wanted?.values[0] ?? 0)
  return questions.map(({ number }, i) => {
    if (i < from || !family(number) || !count) return number
    return replaceLevel(number, depth, count.write(value(levelOf(number)) - by))
  })
}

export function replaceLevel(number: string, depth: number, name: string): string {
  let level = -1
  return number.replace(/\(part \d+\)|\d+|[a-z]+/gi, (found) => {
    if (found.startsWith('(')) return found
    level += 1
    return level === depth ? name : found
  })
}

/** “2 b” and “2(b)” are the same. */
export const normalNumber = (number: string) => {
  const { section, levels } = numberLevels(number)
  return [section, ...levels].join('/')
}

export function numberProblems(questions: readonly Question[]): RubricProblem[] {
  const gaps = numberGaps(questions).map(({ missing, at, before }) => ({
    id: `number_missing/${missing}/${at.id}`,
    code: 'number_missing' as const,
    question_id: at.id,
    message: before
      ? `Number ${missing} is missing: question ${at.number} comes after question ${before.number}.`
      : `Number ${missing} is missing: the first question is ${at.number}.`,
    points: questionPoints(before ?? at),
  }))
  const doubled = questions.flatMap((question, i) => {
    const number = normalNumber(question.number)
    const first = questions.slice(0, i).find((other) => normalNumber(other.number) === number)
    if (!first || number === '') return []
    return [
      {
        id: `number_doubled/${question.id}/${number}`,
        code: 'number_doubled' as const,
        question_id: question.id,
        message: `Two questions have the number ${question.number}.`,
        points: questionPoints(first) + questionPoints(question),
      },
    ]
  })
  return [...gaps, ...doubled]
}
