import type { Page, Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { capitalized, numberedList } from '@assay/shared/rules/format-list.ts'
import { findNameRegions } from '../../grader/anonymizer/cover-names.ts'
import { noAnswers } from '../../grader/extraction/sheets/other-assignment.ts'
import type { ExtractedSubmission, ReviewReason } from '../../grader/grader.ts'
import { LlmError } from '../../grader/llm/errors/llm-error.ts'
import { applyReadAnswers } from '../../grader/transcribe/apply-read-answers.ts'
import { pagesToRead } from '../../grader/transcribe/read-answers.ts'
import { toTransform } from '../../lib/plane-transform.ts'
import { layOutSheet } from '../../papers/answer-sheet/sheet-design.ts'
import { pageToBlank } from '../../papers/codes/blank-on-page.ts'
import type { QuarterTurns } from '../../papers/geometry/quarter-turns.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { StoredCode, StoredPlace } from '../../records/submissions/reading.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { type AnswersDoc, AnswersModel } from '../../records/submissions/transcription.model.ts'
import type { Services } from '../../services.ts'
import { findPrintedCopies, hasPrints, type KnownCopy } from '../intake/printing/print.service.ts'
import { cachedCourseStudents } from '../submissions/matching/course-students.ts'
import { tellOfSeveral } from '../submissions/matching/paper-evidence.ts'
import {
  readStoredCodes,
  readStoredPaper,
  readStoredSheets,
  storeCodes,
} from '../submissions/pages/paper-reading.service.ts'
import type { SubmissionIdentity } from '../submissions/submission-grading.ts'
import { answerReaderName, findReading, readAndStore, unreadPages } from './answer-readings.ts'
import { ownerHintsOf } from './answers.service.ts'
import { cachedCourseNames, createPictureMask } from './privacy/create-hidden-names.ts'
import { type SheetOnPaper, sheetNumbers, withoutSheets, withSheetAnswers } from './sheet-answers.ts'
import { withCorrections } from './transcription.service.ts'

type SubmissionToRead = Pick<SubmissionDoc, '_id' | 'file'> & SubmissionIdentity

interface ExtractionInput {
  assignment: Pick<AssignmentDoc, '_id' | 'course_id' | 'blank'>
  blank: Paper
  rubric: Rubric
}

interface ReadSubmission {
  paper: Paper
  answers: {
    extracted: ExtractedSubmission
    as_read: ExtractedSubmission | null
    read_by: string | null
    printed_for: CodesOnPaper['printedFor']
  }
}

/** Null if an LLM must read it and `llmAccess` is missing. @throws {PaperError}; {LlmError} when not available now */
export async function extractSubmissionAnswers(
  submission: SubmissionToRead,
  against: ExtractionInput,
  services: Services,
  signal: AbortSignal,
  llmAccess: { run_id: number; guard: <T>(work: () => Promise<T>) => Promise<T> } | null,
): Promise<ReadSubmission | null> {
  const { file } = submission
  const byRules = await extractByRules(file.hash, against, services, signal)
  const toRead = { ...against, ...byRules, assignmentId: against.assignment._id, file }
  const lookAt = pagesToRead(byRules.paper, byRules.extracted, file.handwritten).length > 0
  const chosen = lookAt ? await services.llm.chosenFor(against.assignment.course_id) : null
  if (!chosen?.pictures) return completed(submission, against, byRules, null)
  const readBy = answerReaderName(chosen)
  const missing = unreadPages(toRead, await findReading(toRead, readBy))
  const warnings: ReviewReason[] = []
  if (missing.length > 0) {
    if (!llmAccess) return null
    const { _id: assignment_id, course_id } = against.assignment
    const context = { course_id, assignment_id, run_id: llmAccess.run_id, submission_id: submission._id }
    const around = await cachedCourseNames(`read/${llmAccess.run_id}`, against.assignment)
    const mask = await createPictureMask(submission, { ...against, paper: byRules.paper, around })
    const task = {
      coveredAreas: findNameRegions(byRules.paper, against.blank, mask.identifyingLines),
      readBy,
      client: services.llm.clientFor(chosen, context),
    }
    try {
      await llmAccess.guard(() => readAndStore(toRead, missing, task, services, signal))
    } catch (error) {
      if (!(error instanceof LlmError) || error.scope !== 'request') throw error
      warnings.push(unreadWarning(missing, error.message))
    }
  }
  const reading = warnings.length > 0 ? null : await findReading(toRead, readBy)
  const read = reading
    ? applyReadAnswers(byRules.extracted, reading.answers, { ...toRead, pages: reading.pages })
    : null
  const extracted = read ?? byRules.extracted
  return completed(
    submission,
    against,
    { ...byRules, extracted: { ...extracted, warnings: [...extracted.warnings, ...warnings] } },
    read ? readBy : null,
  )
}

function unreadWarning(pages: readonly Page[], message: string): ReviewReason {
  const numbers = pages.map(({ number }) => number)
  const which = numbers.length === 1 ? `Page ${numbers[0]}` : `Pages ${numbers.join(', ')}`
  return {
    code: 'poor_reading',
    message: `${which} could not be read by the AI model. The OCR text may be wrong. ${message}`,
  }
}

export async function reextractSubmissionAnswers(
  submission: Pick<SubmissionDoc, '_id' | 'file'>,
  against: ExtractionInput,
  services: Services,
  signal: AbortSignal,
): Promise<ReadSubmission['answers']> {
  const { file, _id } = submission
  const byRules = await extractByRules(file.hash, against, services, signal)
  const toRead = { ...against, ...byRules, assignmentId: against.assignment._id, file }
  const readBy = (await AnswersModel.findById(_id, { read_by: 1 }).lean())?.read_by ?? null
  const reading = readBy ? await findReading(toRead, readBy) : null
  const extracted = reading
    ? applyReadAnswers(byRules.extracted, reading.answers, { ...toRead, pages: reading.pages })
    : byRules.extracted
  return (await completed(submission, against, { ...byRules, extracted }, readBy)).answers
}

interface ExtractedPaper {
  paper: Paper
  whole: Paper
  sheets: SheetOnPaper[]
  printedFor: CodesOnPaper['printedFor']
  extracted: ExtractedSubmission
}

async function extractByRules(
  hash: string,
  { assignment, blank, rubric }: ExtractionInput,
  services: Services,
  signal: AbortSignal,
): Promise<ExtractedPaper> {
  const codes = await codesOnPaper(hash, assignment, services, signal).catch(async (error) => {
    // Reading the file reports better what is wrong with it.
    await readStoredPaper(hash, services, signal)
    throw error
  })
  const sheetCodes = codes.sheets.map(({ code }) => code)
  const read = await readStoredPaper(hash, services, signal, sheetCodes)
  if (codes.codes.length > 0) await storeCodes(hash, codes.codes)
  const sheets = await readSheets(hash, read, codes, services, signal)
  const paper = withoutSheets(withPrintedPages(read, codes, blank), sheetNumbers(sheets))
  const extracted: ExtractedSubmission =
    paper.pages.length === 0
      ? { answers: noAnswers(rubric), warnings: [], name_on_paper: null }
      : await services.grader.extractAnswers(rubric, blank, paper)
  signal.throwIfAborted()
  return {
    paper,
    whole: read,
    sheets,
    extracted: { ...extracted, warnings: [...extracted.warnings, ...codes.warnings] },
    printedFor: codes.printedFor,
  }
}

async function readSheets(
  hash: string,
  { pages }: Paper,
  { sheets }: CodesOnPaper,
  services: Services,
  signal: AbortSignal,
): Promise<SheetOnPaper[]> {
  if (sheets.length === 0) return []
  const wanted = sheets.map(({ code, sheet }) => ({
    ...{ filePage: code.page, copyId: code.copy_id, page: code.blank_page },
    design: sheet.design,
  }))
  const read = await readStoredSheets(hash, wanted, services, signal)
  return sheets.flatMap(({ code, sheet }) => {
    const own = read.find(({ page, copy_id }) => page === code.page && copy_id === code.copy_id)
    const upright = pages.find(({ number }) => number === code.page)
    if (!own || !upright) return []
    // A page read before its codes were is turned as OCR found it.
    const turns = ((upright.turned ?? 0) / 90) as QuarterTurns
    const { width, height } = upright
    const size = turns % 2 ? { width: height, height: width } : { width, height }
    const groups = layOutSheet(sheet.design)[code.blank_page - 1]?.groups ?? []
    const asked = groups.flatMap(({ kind, id }) => (kind === 'question' ? [id] : []))
    return [{ ...own, printed: sheet.printed, asked, size, turns }]
  })
}

async function completed(
  submission: Pick<SubmissionDoc, '_id' | 'file'>,
  { assignment, rubric }: ExtractionInput,
  { whole, sheets, extracted: written, printedFor }: ExtractedPaper,
  readBy: string | null,
): Promise<ReadSubmission> {
  // Last, so that no reading of other pages replaces them.
  const extracted = withSheetAnswers(written, sheets, rubric)
  const warnings = await twoStudentsWarning(extracted, assignment)
  const corrected = await withCorrections(submission, { ...extracted, warnings: [...extracted.warnings, ...warnings] })
  return { paper: whole, answers: { ...corrected, read_by: readBy, printed_for: printedFor } }
}

/** Two papers scanned into one file: one of the two would get a grade for both, or for the other's. */
async function twoStudentsWarning(
  read: ExtractedSubmission,
  { _id, course_id }: Pick<AssignmentDoc, '_id' | 'course_id'>,
): Promise<ReviewReason[]> {
  if (course_id === null) return []
  const { told, places } = (await cachedCourseStudents(course_id, _id)).readPaper(ownerHintsOf(read))
  if (!tellOfSeveral(places)) return []
  const names = told.map(({ student, page }) => `${student.full_name ?? student.username} (page ${page})`)
  const message = `This file names more than one student: ${names.join(', ')}. It may hold two papers.`
  return [{ code: 'two_students', message }]
}

interface CodesOnPaper {
  /** By page of the file: the blank's page. */
  printedPages: ReadonlyMap<number, number>
  /** By page of the file, for the present blank. */
  places: ReadonlyMap<number, StoredPlace>
  /** Null unless the codes are of one student alone. */
  printedFor: NonNullable<AnswersDoc['printed_for']> | null
  codes: StoredCode[]
  sheets: { code: StoredCode; sheet: NonNullable<KnownCopy['sheet']> }[]
  warnings: ReviewReason[]
}

const none: CodesOnPaper = {
  printedPages: new Map(),
  places: new Map(),
  printedFor: null,
  codes: [],
  sheets: [],
  warnings: [],
}

/** Nothing where no copies were printed. */
async function codesOnPaper(
  hash: string,
  { _id: assignmentId, blank }: Pick<AssignmentDoc, '_id' | 'blank'>,
  services: Services,
  signal: AbortSignal,
): Promise<CodesOnPaper> {
  if (!(await hasPrints(assignmentId))) return none
  const codes = await readStoredCodes(hash, services, signal)
  if (codes.length === 0) return none
  const copies = await findPrintedCopies(codes.map(({ copy_id }) => copy_id))
  const own = codes.filter(({ copy_id }) => copies.get(copy_id)?.assignment_id === assignmentId)
  const others = codes.filter(({ copy_id }) => (copies.get(copy_id)?.assignment_id ?? assignmentId) !== assignmentId)
  const students = new Set(own.flatMap(({ copy_id }) => copies.get(copy_id)?.student_id ?? []))
  const isSheet = ({ copy_id }: StoredCode) => copies.get(copy_id)?.sheet != null
  // A student has a copy of the blank and an answer sheet.
  const isSeveral = (some: StoredCode[]) => new Set(some.map(({ copy_id }) => copy_id)).size > 1
  const ofBlank = own.filter((code) => !isSheet(code))
  const severalCopies = students.size > 1 || isSeveral(ofBlank) || isSeveral(own.filter(isSheet))
  const [student = null] = students
  // The pages of two copies have no common order.
  const inOrder = severalCopies ? [] : ofBlank
  const current = inOrder.filter(({ copy_id }) => copies.get(copy_id)?.blank_hash === blank.hash)
  return {
    printedPages: new Map(inOrder.map(({ page, blank_page }) => [page, blank_page])),
    places: new Map(current.flatMap(({ page, lies }) => (lies ? [[page, lies]] : []))),
    printedFor: student !== null && !severalCopies ? { student_id: student, pages: own.map(({ page }) => page) } : null,
    codes,
    sheets: own.flatMap((code) => {
      const sheet = copies.get(code.copy_id)?.sheet
      return sheet ? [{ code, sheet }] : []
    }),
    warnings: [
      ...(severalCopies ? [SEVERAL_COPIES] : []),
      ...(others.length > 0 ? [ofAnotherAssignment(others.map(({ page }) => page))] : []),
    ],
  }
}

const SEVERAL_COPIES: ReviewReason = {
  code: 'two_students',
  message: 'The codes on its pages are of more than one printed copy. It may hold two papers.',
}

const ofAnotherAssignment = (pages: number[]): ReviewReason => ({
  code: 'other_assignment',
  message: `${capitalized(numberedList('page', pages))} ${pages.length === 1 ? 'has the code' : 'have codes'} of a copy printed for another assignment.`,
})

export const withPrintedPages = ({ pages }: Paper, { printedPages, places }: CodesOnPaper, blank: Paper): Paper => ({
  pages: pages.map((page) => {
    const printed_page = printedPages.get(page.number)
    if (printed_page === undefined) return page
    const place = places.get(page.number)
    const of = blank.pages.find(({ number }) => number === printed_page)
    // A blank that was itself turned was printed as it lies in its file.
    if (!place || !of || of.turned) return { ...page, printed_page }
    const { to_sheet, format, reduction, exact } = place
    const transform = pageToBlank(page, { toSheet: toTransform(to_sheet), format, reduction }, of)
    return { ...page, printed_page, to_blank: { transform: [...transform], exact } }
  }),
})
