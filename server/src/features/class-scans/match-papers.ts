import type { OwnerHint } from '../../grader/grader.ts'
import type { ProposedPaperDoc } from '../../records/submissions/class-scan.model.ts'
import { bestAssignment } from '../submissions/matching/best-assignment.ts'
import { matchClass } from '../submissions/matching/match-class.ts'
import type { RosterStudent } from '../submissions/matching/matching-roster.ts'
import { createPaperReader, LEAST_MARGIN, leastScore } from '../submissions/matching/paper-evidence.ts'

interface PaperToMatch {
  key: string
  hints: readonly OwnerHint[]
}

export type StudentMatch = Pick<ProposedPaperDoc, 'student_id' | 'student_doubt' | 'match_reason' | 'name_read'>

/** A student for whom less speaks is not proposed at all. */
const LEAST_PROPOSED = 3

const nameOf = ({ full_name, username }: RosterStudent) => full_name ?? username

/**
 * Gives the papers of a class to its students by what is written at their tops, all at once: of all ways in which no student gets two,
 * the one for which most speaks (the assignment problem; Kuhn, 1955). Whatever is not plain is said in words.
 */
export function matchPapers(
  papers: readonly PaperToMatch[],
  students: readonly RosterStudent[],
  { taken, given }: { taken: ReadonlySet<number>; given: ReadonlySet<number> },
): Map<string, StudentMatch> {
  // Those a teacher has given a paper are out of the question for others.
  const free = students.filter(({ _id }) => !given.has(_id))
  const read = createPaperReader([...students])
  const evidence = papers.map(({ hints }) => read(hints))
  const scores = evidence.map(
    (one) =>
      new Map(one.students.filter(({ fits }) => fits !== 'no').map(({ student, score }) => [student._id, score])),
  )
  const owners = assign(scores, free)
  // By the stricter rule that gives uploaded papers to students without anybody's asking.
  const plain = matchClass(new Map(evidence.map((one, i) => [i, one])), { rosterSize: students.length, taken: given })
  const least = leastScore(students.length)
  return new Map(
    papers.map(({ key, hints }, i): [string, StudentMatch] => {
      const student = owners[i] ?? null
      const own = scores[i] ?? new Map<number, number>()
      const name_read = readName(hints)
      if (!student)
        return [key, { student_id: null, student_doubt: unknown(own, students), match_reason: null, name_read }]
      const score = own.get(student._id) ?? 0
      const doubts: string[] = []
      const rivals = students.filter(
        (other) => other !== student && (own.get(other._id) ?? Number.NEGATIVE_INFINITY) > score - LEAST_MARGIN,
      )
      const isPlain = plain.get(i)?.student === student
      if (rivals.length > 0) doubts.push(`It may also be ${rivals.slice(0, 2).map(nameOf).join(' or ')}.`)
      const claims = scores.filter(
        (other, j) => j !== i && (other.get(student._id) ?? 0) > Math.max(least, score - LEAST_MARGIN),
      )
      if (claims.length > 0) doubts.push(`Another paper has the name of ${nameOf(student)} as well.`)
      if (score < least || (!isPlain && rivals.length + claims.length === 0 && student.added_by_staff))
        doubts.unshift('The name was hard to read.')
      if (!student.added_by_staff) doubts.push(`${nameOf(student)} joined by a code and chose this name.`)
      if (taken.has(student._id)) doubts.push(`${nameOf(student)} has a paper in this assignment already.`)
      const match_reason = evidence[i]?.students.find((one) => one.student === student)?.reason ?? null
      const student_doubt = doubts.length > 0 ? doubts.join(' ') : null
      return [key, { student_id: student._id, student_doubt, match_reason, name_read }]
    }),
  )
}

function unknown(scores: ReadonlyMap<number, number>, students: readonly RosterStudent[]): string {
  const likely = students.filter(({ _id }) => (scores.get(_id) ?? 0) >= LEAST_PROPOSED)
  if (likely.length === 0) return 'No name of the class was found on it.'
  const names = likely.slice(0, 2).map(nameOf).join(' or ')
  return `The name on it is like ${names}, who ${likely.length > 1 ? 'have' : 'has'} another paper here.`
}

const readName = (hints: readonly OwnerHint[]): string | null => {
  const named = hints.filter(({ kind }) => kind === 'name' || kind === 'number').map(({ text }) => text.trim())
  return named.length > 0 ? named.slice(0, 3).join(', ').slice(0, 120) : null
}

/** For each paper its student, or null. */
function assign(
  scores: readonly ReadonlyMap<number, number>[],
  students: readonly RosterStudent[],
): (RosterStudent | null)[] {
  const options = scores.flatMap((own, row) =>
    students.flatMap((column) => {
      const worth = own.get(column._id) ?? 0
      return worth >= LEAST_PROPOSED ? [{ row, column, worth }] : []
    }),
  )
  const owners: (RosterStudent | null)[] = scores.map(() => null)
  for (const { row, column } of bestAssignment(options)) owners[row] = column
  return owners
}
