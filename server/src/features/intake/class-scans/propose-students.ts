import type { OwnerHint } from '../../../grader/grader.ts'
import type {
  ClassScanDoc,
  ProposalDoc,
  ProposedPageDoc,
  ProposedPaperDoc,
} from '../../../records/submissions/class-scan.model.ts'
import { bestAssignment } from '../../submissions/matching/best-assignment.ts'
import { loadMatchingRoster, type RosterStudent } from '../../submissions/matching/name-index.ts'
import { createPaperReader, LEAST_MARGIN, leastScore, matchClass } from '../../submissions/matching/paper-evidence.ts'
import { submissionsByStudent } from '../../submissions/submission-owners.ts'
import { findPages } from './class-scan.service.ts'

type ScanOfAssignment = Pick<ClassScanDoc, '_id' | 'assignment_id'>
type Hints = ReadonlyMap<number, NonNullable<Awaited<ReturnType<typeof findPages>>[number]['hints']>>

export const NAME_NOT_READ = 'The name on it was not read.'
const NAME_OF_ANOTHER = 'The page with the name may belong to another paper.'
const ANOTHER_NAME =
  'The name of a student is at the top of this page. If it is another’s than the paper’s, choose “New paper from here” in its menu.'

export const isNameless = ({ student_id, student_by, student_doubt }: ProposedPaperDoc): boolean =>
  student_id === null && student_by === null && (student_doubt === null || student_doubt === NAME_NOT_READ)

export async function proposeStudents(proposal: ProposalDoc, scan: ScanOfAssignment, courseId: number | null) {
  const read = await readHints(scan)
  const isOpen = ({ student_id, student_by, checked, pages }: ProposedPaperDoc) =>
    student_by !== 'teacher' &&
    student_by !== 'code' &&
    // A student read on a page that is no longer at the top stays.
    (student_id === null || (!checked && (topOf(pages, read) ?? []).length > 0))
  const { roster, taken } = await match(proposal, proposal.papers.filter(isOpen), read, scan, courseId)
  doubtCoded(proposal.papers, taken)
  doubtNames(proposal.papers, read, roster)
}

export async function proposeForNewPapers(proposal: ProposalDoc, scan: ScanOfAssignment, courseId: number | null) {
  const open = proposal.papers.filter(isNameless)
  if (open.length > 0) await match(proposal, open, await readHints(scan), scan, courseId)
}

async function readHints({ _id }: ScanOfAssignment): Promise<Hints> {
  const pages = await findPages(_id, { page: 1, hints: 1 })
  return new Map(pages.flatMap(({ page, hints }) => (hints ? [[page, hints] as const] : [])))
}

const topOf = ([first]: readonly ProposedPageDoc[], read: Hints) => read.get(first?.page ?? 0)

async function match(
  { papers }: ProposalDoc,
  open: readonly ProposedPaperDoc[],
  read: Hints,
  scan: ScanOfAssignment,
  courseId: number | null,
): Promise<{ roster: RosterStudent[]; taken: ReadonlySet<number> }> {
  const roster = await loadMatchingRoster(courseId)
  const ids = roster.map(({ _id }) => _id)
  const owners = await submissionsByStudent(scan.assignment_id, ids)
  const taken = new Set(owners.keys())
  const given = new Set(papers.flatMap((paper) => (open.includes(paper) ? [] : (paper.student_id ?? []))))
  const matches = matchPapers(
    open.map(({ key, pages }) => ({ key, hints: topOf(pages, read) ?? [] })),
    roster,
    { taken, given },
  )
  for (const paper of open) {
    const found = matches.get(paper.key)
    if (!found) continue
    Object.assign(paper, found, { student_by: found.student_id === null ? null : 'match' })
    if (found.student_id !== null) paper.checked = false
    if (!topOf(paper.pages, read)) paper.student_doubt = NAME_NOT_READ
    else if (found.student_id !== null && paper.pages[0]?.doubts.length)
      paper.student_doubt = [found.student_doubt, NAME_OF_ANOTHER].filter(Boolean).join(' ')
  }
  return { roster, taken }
}

/** The copy's owner is certain, but a student may have two, or have handed in a paper before. */
function doubtCoded(papers: readonly ProposedPaperDoc[], taken: ReadonlySet<number>): void {
  const coded = papers.filter(({ student_by }) => student_by === 'code')
  for (const paper of coded) {
    const { student_id } = paper
    if (coded.some((other) => other !== paper && other.student_id === student_id))
      paper.student_doubt = 'Another copy printed for the same student is in this scan.'
    else if (student_id !== null && taken.has(student_id))
      paper.student_doubt = 'This student has a paper in this assignment already.'
  }
}

/** Another student's name, read for sure: two papers may have become one. */
function doubtNames(papers: readonly ProposedPaperDoc[], read: Hints, roster: RosterStudent[]): void {
  const readPaper = createPaperReader(roster)
  for (const { student_id, pages } of papers)
    for (const page of pages.slice(1)) {
      const { places } = readPaper(read.get(page.page) ?? [])
      const another = places.some(
        ({ sure, student_ids }) => sure && (student_id === null || !student_ids.includes(student_id)),
      )
      if (another && !page.doubts.includes(ANOTHER_NAME)) page.doubts.push(ANOTHER_NAME)
    }
}

type StudentMatch = Pick<ProposedPaperDoc, 'student_id' | 'student_doubt' | 'match_reason' | 'name_read'>

const LEAST_PROPOSED = 3

const nameOf = ({ full_name, username }: RosterStudent) => full_name ?? username

/** Of all one-to-one assignments, the one with the most evidence (the assignment problem; Kuhn, 1955). */
export function matchPapers(
  papers: readonly { key: string; hints: readonly OwnerHint[] }[],
  students: readonly RosterStudent[],
  { taken, given }: { taken: ReadonlySet<number>; given: ReadonlySet<number> },
): Map<string, StudentMatch> {
  const free = students.filter(({ _id }) => !given.has(_id))
  const read = createPaperReader([...students])
  const evidence = papers.map(({ hints }) => read(hints))
  const scores = evidence.map(
    (one) =>
      new Map(one.students.filter(({ fits }) => fits !== 'no').map(({ student, score }) => [student._id, score])),
  )
  const owners = assign(scores, free)
  // By the stricter rule that assigns uploaded papers without asking anybody.
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

function assign(scores: readonly ReadonlyMap<number, number>[], students: readonly RosterStudent[]) {
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
