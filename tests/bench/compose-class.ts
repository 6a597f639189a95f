import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import type { DrawnAssignment, DrawnStudent } from '../papers/drawn-assignment.ts'
import { margin, sheetWidth, wrap } from '../papers/sheet.ts'
import type { ScoredRow, ScoredSet } from './scored-rows.ts'

const STUDENTS = 30
const QUESTIONS = 9
const POINTS = 4
const LINES = 6

export interface WrittenPaper {
  student: DrawnStudent
  answers: string[]
  share: number
}

/**
 * Questions are drawn from each set in turn, by seed; each answer is used once. Students ordered by ability get answers
 * ordered by score, both with noise, as scores correlate between questions in a real class.
 */
export function composeClass(sets: ScoredSet[], seed = 30): { assignment: DrawnAssignment; papers: WrittenPaper[] } {
  const random = seededRandom(seed)
  const chosen = sets
    .flatMap(({ name, rows }) =>
      [...Map.groupBy(rows, (row) => row.question_id).values()].map((group) => ({ name, group })),
    )
    .map(({ name, group }) => ({ name, group: group.filter(fits) }))
    .filter(
      ({ group }) => group.length >= 20 && linesOf(keyOf(group)) <= LINES && linesOf(group[0]?.question ?? '') <= 8,
    )
    .map((one) => ({ ...one, at: random() }))
    .sort((a, b) => a.at - b.at)
  const perSet = Math.ceil(QUESTIONS / sets.length)
  const groups = sets
    .flatMap(({ name }) => chosen.filter((one) => one.name === name).slice(0, perSet))
    .map(({ group }) => group)
  const ability = Array.from({ length: STUDENTS }, random)
  const dealt = groups.map((group) => assignByAbility(group, ability, random))
  return {
    assignment: {
      title: 'A class of thirty',
      course: 'Bench',
      instructions: 'Answer every question on the lines.',
      questions: groups.map((group, i) => ({
        number: String(i + 1),
        prompt: printable(group[0]?.question ?? ''),
        points: POINTS,
        lines: Math.max(2, linesOf(keyOf(group)), ...group.map((row) => linesOf(printable(row.student_answer)))),
        answer: printable(group[0]?.reference_answer ?? ''),
        alternatives: alternativesOf(group),
      })),
    },
    papers: ability.map((_, s) => ({
      student: { username: `s${s}`, full_name: `Student ${s}`, email: '', student_number: String(1000 + s) },
      answers: dealt.map((answers) => printable(answers[s]?.student_answer ?? '')),
      share: dealt.reduce((sum, answers) => sum + (answers[s]?.share ?? 0), 0) / dealt.length,
    })),
  }
}

function assignByAbility(group: ScoredRow[], ability: number[], random: () => number): (ScoredRow | undefined)[] {
  const rows = group
    .map((row) => ({ row, at: row.share + random() }))
    .sort((a, b) => b.at - a.at)
    .slice(0, STUDENTS)
  const order = ability.map((own, s) => ({ s, at: own + random() })).sort((a, b) => b.at - a.at)
  const out: (ScoredRow | undefined)[] = []
  for (const [i, { s }] of order.entries()) out[s] = rows[i]?.row
  return out
}

const fits = (row: ScoredRow) => linesOf(printable(row.student_answer)) <= LINES
const alternativesOf = (group: ScoredRow[]) =>
  [...new Set(group.flatMap((row) => row.alt_references))].slice(0, 3).map(printable)
const keyOf = (group: ScoredRow[]) =>
  [`Answer: ${group[0]?.reference_answer ?? ''}`, ...alternativesOf(group).map((one) => `or ${one}`)]
    .map(printable)
    .join('\n')
const linesOf = (text: string) => wrap(text, sheetWidth - 2 * margin - 8, 'Times-Roman', 12).length

function printable(text: string): string {
  return text
    .replace(/[ \t\r]+/g, ' ')
    .replace(/[^\n\u0020-\u007e\u00a0-\u00ff]/g, ' ')
    .replace(/\n(?!or )/g, ' ')
    .trim()
}
