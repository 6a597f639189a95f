import type {
  ClassScanDoc,
  ProposalDoc,
  ProposedPageDoc,
  ProposedPaperDoc,
} from '../../records/submissions/class-scan.model.ts'
import { loadMatchingRoster, type RosterStudent } from '../submissions/matching/matching-roster.ts'
import { createPaperReader } from '../submissions/matching/paper-evidence.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import { findPages } from './class-scan.service.ts'
import { matchPapers } from './match-papers.ts'

type ScanOfAssignment = Pick<ClassScanDoc, '_id' | 'assignment_id'>
type Hints = ReadonlyMap<number, NonNullable<Awaited<ReturnType<typeof findPages>>[number]['hints']>>

export const NAME_NOT_READ = 'The name on it was not read.'
/** The student is right for that page, but perhaps for none of the others. */
const NAME_OF_ANOTHER = 'The page with the name may belong to another paper.'
const ANOTHER_NAME =
  'The name of a student is at the top of this page. If it is another’s than the paper’s, choose “New paper from here” in its menu.'

/** Whether nobody has said or read whose paper it is. */
export const isNameless = ({ student_id, student_by, student_doubt }: ProposedPaperDoc): boolean =>
  student_id === null && student_by === null && (student_doubt === null || student_doubt === NAME_NOT_READ)

/** Matches the papers of which neither a teacher nor a code has said whose they are, as far as their tops were read. */
export async function proposeStudents(
  proposal: ProposalDoc,
  scan: ScanOfAssignment,
  courseId: number | null,
): Promise<void> {
  const read = await readHints(scan)
  const isOpen = ({ student_id, student_by, checked, pages }: ProposedPaperDoc) =>
    student_by !== 'teacher' &&
    student_by !== 'code' &&
    // A student read on a page that has lost its place at the top stays.
    (student_id === null || (!checked && (topOf(pages, read) ?? []).length > 0))
  const { roster, taken } = await match(proposal, proposal.papers.filter(isOpen), read, scan, courseId)
  doubtCoded(proposal.papers, taken)
  doubtNames(proposal.papers, read, roster)
}

/** Matches the papers that a change has made, where the names at their tops were read before. */
export async function proposeForNewPapers(
  proposal: ProposalDoc,
  scan: ScanOfAssignment,
  courseId: number | null,
): Promise<void> {
  const open = proposal.papers.filter(isNameless)
  if (open.length > 0) await match(proposal, open, await readHints(scan), scan, courseId)
}

async function readHints({ _id }: ScanOfAssignment): Promise<Hints> {
  const pages = await findPages(_id, { page: 1, hints: 1 })
  return new Map(pages.flatMap(({ page, hints }) => (hints ? [[page, hints] as const] : [])))
}

/** Undefined where it was not read. */
const topOf = ([first]: readonly ProposedPageDoc[], read: Hints) => read.get(first?.page ?? 0)

async function match(
  { papers }: ProposalDoc,
  open: readonly ProposedPaperDoc[],
  read: Hints,
  scan: ScanOfAssignment,
  courseId: number | null,
): Promise<{ roster: RosterStudent[]; taken: ReadonlySet<number> }> {
  const roster = courseId === null ? [] : await loadMatchingRoster(courseId)
  const owners = await submissionsByStudent(
    scan.assignment_id,
    roster.map(({ _id }) => _id),
  )
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
    // A teacher who checked the paper has not seen this student on it.
    if (found.student_id !== null) paper.checked = false
    if (!topOf(paper.pages, read)) paper.student_doubt = NAME_NOT_READ
    else if (found.student_id !== null && paper.pages[0]?.doubts.length)
      paper.student_doubt = [found.student_doubt, NAME_OF_ANOTHER].filter(Boolean).join(' ')
  }
  return { roster, taken }
}

/** A code leaves no doubt whose copy it is, but a student may have had two, or handed in a paper before. */
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

/** Asks about pages within a paper on which the name of another student was read for sure: two papers may lie together as one. */
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
