import { findOwnerHints } from '../../grader/extraction/owner/owner-hints.ts'
import { visibleLines } from '../../grader/layout/paper-lines.ts'
import type { PageCodeOfFile } from '../../papers/codes/printed-copy.ts'
import type { QuarterTurns } from '../../papers/geometry/quarter-turns.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  type ClassScanDoc,
  type ClassScanPageDoc,
  ClassScanPageModel,
  type ProposalDoc,
  type ProposedPaperDoc,
} from '../../records/submissions/class-scan.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { filledNumber } from '../printing/filled-number.ts'
import { hasPrints } from '../printing/print.service.ts'
import { loadMatchingRoster } from '../submissions/matching/matching-roster.ts'
import { readStoredPaper } from '../submissions/pages/paper-reading.service.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import {
  changeState,
  deleteScanDetails,
  findClassScan,
  findPages,
  isStill,
  storeProgress,
} from './class-scan.service.ts'
import { matchPapers } from './match-papers.ts'
import { chooseSplit, proposePapers } from './propose-papers.ts'
import { emptyPicture, readTogetherOrAlone } from './read-pages.ts'
import { findScannedCopies } from './scanned-copies.ts'

/** So many pages are looked at, or read, before what was found is stored. */
const PAGES_AT_ONCE = 20
const TOPS_AT_ONCE = 8

const degrees = [0, 90, 180, 270] as const

/** The code knows better than the print which way up a page lies. */
const uprightBy = (code: PageCodeOfFile | undefined) => code && degrees[(4 - Math.round(code.rotation / 90)) % 4]
const said = (code: PageCodeOfFile | undefined) => (code ? { copy_id: code.copyId, page: code.page } : null)

/** Looks at every page that nobody has looked at yet, proposes papers, and reads whose they are. */
export async function analyseScan(scan: ClassScanDoc, services: Services, signal: AbortSignal): Promise<void> {
  const assignment = await findAssignment(scan.assignment_id)
  if (!assignment) return
  const blank = await services.files.localPath(assignment.blank.hash)
  await lookAtPages(scan, { blank, coded: await hasPrints(assignment._id) }, services, signal)
  const proposal = await proposeAndReadNumbers(scan, assignment, blank, services, signal)
  await readNames(scan, proposal, assignment.blank.hash, services, signal)
  await proposeStudents(proposal, scan, assignment.course_id)
  signal.throwIfAborted()
  await changeState(scan._id, ['analysing'], { state: 'ready', failure: null, proposal })
}

/** What was written on 2,000 pages is in memory only as long as papers are proposed. */
async function proposeAndReadNumbers(
  scan: ClassScanDoc,
  assignment: AssignmentDoc,
  blank: string,
  services: Services,
  signal: AbortSignal,
): Promise<ProposalDoc> {
  const blankPages = await services.papers.countPages(blank)
  const pages = await findPages(scan._id, { picture: 0 })
  const copies = await findScannedCopies(pages, assignment)
  const proposal = await proposePapers(pages, chooseSplit(scan.proposal.split, pages, blankPages), blankPages, copies)
  await readNumbers(scan, proposal, pages, copies, services, signal)
  return proposal
}

/** @param coded whether there are printed copies, with codes to be read */
async function lookAtPages(
  scan: ClassScanDoc,
  { blank, coded }: { blank: string; coded: boolean },
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const seen = new Set((await findPages(scan._id, { page: 1 })).map(({ page }) => page))
  const total = scan.files.reduce((sum, { pages }) => sum + pages, 0)
  let before = 0
  for (const [file, { hash, pages }] of scan.files.entries()) {
    const path = await services.files.localPath(hash)
    for (let from = 1; from <= pages; from += PAGES_AT_ONCE) {
      const to = Math.min(pages, from + PAGES_AT_ONCE - 1)
      const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
      if (numbers.every((number) => seen.has(before + number))) continue
      signal.throwIfAborted()
      const { found, failed } = await readTogetherOrAlone(numbers, (some) =>
        services.papers.scanPages(path, { from: some[0] ?? from, to: some.at(-1) ?? to }, { blank, signal }),
      )
      const codes = coded
        ? await readTogetherOrAlone(numbers, (some) => services.papers.readPageCodes(path, some, { signal }))
        : { found: [] }
      const codeOf = new Map(codes.found.map((code) => [code.filePage, code]))
      const place = (number: number) => ({
        _id: `${scan._id}/${before + number}`,
        scan_id: scan._id,
        page: before + number,
        file,
        number,
        code: said(codeOf.get(number)),
      })
      const docs = found.map(
        ({ number, turns, empty, separator, blankPage, sure, picture, written }): ClassScanPageDoc => ({
          ...place(number),
          turn: uprightBy(codeOf.get(number)) ?? degrees[turns],
          empty,
          separator,
          blank_page: blankPage,
          sure,
          // From another process they come as plain bytes.
          picture: Buffer.from(picture),
          written: written && { ...written, bits: Buffer.from(written.bits) },
        }),
      )
      for (const [number, { message }] of failed)
        docs.push({
          ...place(number),
          ...{ turn: 0, empty: false, blank_page: null, sure: false, written: null },
          picture: await emptyPicture(),
          problem: message,
        })
      for (const doc of docs) seen.add(doc.page)
      await ClassScanPageModel.bulkWrite(
        docs.map((doc) => ({ replaceOne: { filter: { _id: doc._id }, replacement: doc, upsert: true } })),
      )
      if (!(await isStill(scan._id, 'analysing'))) return leave(scan._id)
      await storeProgress(scan._id, { step: 'pages', done: seen.size, total })
    }
    before += pages
  }
  if (seen.size < total) throw new PaperError('damaged')
}

/** Whatever was stored after a deletion goes with it; what a stopped scan has stays. */
async function leave(scanId: number): Promise<never> {
  if (!(await findClassScan(scanId))) await deleteScanDetails([scanId])
  throw new PaperError('cancelled')
}

/** Reads the student numbers filled in on answer sheets that were printed for nobody in particular. */
async function readNumbers(
  scan: ClassScanDoc,
  proposal: ProposalDoc,
  pages: readonly ClassScanPageDoc[],
  copies: Awaited<ReturnType<typeof findScannedCopies>>,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const firsts = new Set(
    proposal.papers.flatMap(({ student_by, pages: [first] }) => (student_by === 'code' ? [] : (first?.page ?? []))),
  )
  const open = pages.flatMap(({ _id, file, number, page, code, hints }) => {
    const design = copies.get(code?.copy_id ?? '')?.design
    if (!code || !design || hints || !firsts.has(page)) return []
    return [{ _id, file, toRead: { filePage: number, copyId: code.copy_id, page: code.page, design } }]
  })
  for (const [file, own] of Map.groupBy(open, (one) => one.file)) {
    const path = await services.files.localPath(scan.files[file]?.hash ?? '')
    for (let from = 0; from < own.length; from += PAGES_AT_ONCE) {
      signal.throwIfAborted()
      if (!(await isStill(scan._id, 'analysing'))) return leave(scan._id)
      const some = own.slice(from, from + PAGES_AT_ONCE)
      const { found } = await readTogetherOrAlone(
        some.map(({ toRead }) => toRead),
        (few) => services.papers.readAnswerSheets(path, [...few], { signal }),
      )
      for (const { _id, toRead } of some) {
        const read = found.find(({ filePage }) => filePage === toRead.filePage)
        const hint = filledNumber(read?.groups ?? [], 1)
        // Without one, the name on it is read with the others.
        if (hint) await ClassScanPageModel.updateOne({ _id }, { $set: { hints: [hint] } })
      }
    }
  }
}

/** Reads the tops of first pages that nobody has read yet, of papers whose student no code tells. */
async function readNames(
  scan: ClassScanDoc,
  proposal: ProposalDoc,
  blankHash: string,
  services: Services,
  signal: AbortSignal,
): Promise<void> {
  const pages = await findPages(scan._id, { page: 1, file: 1, number: 1, turn: 1, hints: 1 })
  const byNumber = new Map(pages.map((one) => [one.page, one]))
  const firsts = proposal.papers.flatMap(({ student_by, pages: [first] }) =>
    student_by === 'code' ? [] : (byNumber.get(first?.page ?? 0) ?? []),
  )
  const hints = new Map(firsts.flatMap(({ page, hints: read }) => (read ? [[page, read] as const] : [])))
  const unread = firsts.filter(({ hints: read }) => !read)
  const blankLines = unread.length > 0 ? visibleLines(await readStoredPaper(blankHash, services, signal)) : []
  for (const [file, own] of Map.groupBy(unread, (one) => one.file)) {
    const path = await services.files.localPath(scan.files[file]?.hash ?? '')
    for (let from = 0; from < own.length; from += TOPS_AT_ONCE) {
      await storeProgress(scan._id, { step: 'names', done: hints.size, total: firsts.length })
      signal.throwIfAborted()
      if (!(await isStill(scan._id, 'analysing'))) return leave(scan._id)
      const some = own.slice(from, from + TOPS_AT_ONCE)
      const wanted = some.map(({ number, turn }) => ({ number, turns: (turn / 90) as QuarterTurns }))
      const tops = await readTogetherOrAlone(wanted, (few) => services.papers.readTops(path, [...few], { signal }))
      for (const { number, lines, width, height } of tops.found) {
        const page = some.find((one) => one.number === number)
        if (!page) continue
        const read = findOwnerHints(visibleLines({ pages: [{ number: 1, width, height, lines }] }), blankLines)
        hints.set(page.page, read)
        await ClassScanPageModel.updateOne({ _id: page._id }, { $set: { hints: read } })
      }
    }
  }
}

/** Matches the papers that neither a teacher nor a code has given to a student. */
export async function proposeStudents(
  proposal: ProposalDoc,
  scan: Pick<ClassScanDoc, '_id' | 'assignment_id'>,
  courseId: number | null,
): Promise<void> {
  const roster = courseId === null ? [] : await loadMatchingRoster(courseId)
  const read = new Map((await findPages(scan._id, { page: 1, hints: 1 })).map(({ page, hints }) => [page, hints ?? []]))
  const owners = await submissionsByStudent(
    scan.assignment_id,
    roster.map(({ _id }) => _id),
  )
  const isOpen = ({ student_by }: ProposedPaperDoc) => student_by !== 'teacher' && student_by !== 'code'
  const open = proposal.papers.filter(isOpen)
  const given = proposal.papers.flatMap((paper) => (isOpen(paper) ? [] : (paper.student_id ?? [])))
  doubtCoded(proposal.papers, new Set(owners.keys()))
  const matches = matchPapers(
    open.map(({ key, pages: [first] }) => ({ key, hints: read.get(first?.page ?? 0) ?? [] })),
    roster,
    { taken: new Set(owners.keys()), given: new Set(given) },
  )
  for (const paper of open) {
    const match = matches.get(paper.key)
    if (match) Object.assign(paper, match, { student_by: match.student_id === null ? null : 'match' })
  }
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
