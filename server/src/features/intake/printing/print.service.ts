import { randomBytes } from 'node:crypto'
import type { AnswerSheetQuestions, LeftOutReason, NewPrint, Print } from '@assay/shared/printing.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { hasVersions, optionsOf, truthLettersOf } from '@assay/shared/rules/sheet-options.ts'
import { recordAudit } from '../../../audit/audit.service.ts'
import { judgeChoice, readChoice } from '../../../grader/exact/choices/judge-choice.ts'
import type { OwnerHint } from '../../../grader/grader.ts'
import { nextId, nextIds, raiseIds } from '../../../lib/database/database.ts'
import { AppError, orNotFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { shuffled } from '../../../lib/seeded-random.ts'
import {
  FEWEST_OPTIONS,
  fitsLabel,
  layOutSheet,
  MOST_DIGITS,
  MOST_OPTIONS,
  type SheetDesign,
} from '../../../papers/answer-sheet/sheet-design.ts'
import { ID_BYTES, NEWEST_LAYOUT } from '../../../papers/codes/page-code.ts'
import { type CopyToPrint, MOST_PRINTED_PAGES } from '../../../papers/codes/printed-copy.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import {
  type PrintDoc,
  type PrintedCopyDoc,
  type PrintedSheetDoc,
  PrintModel,
} from '../../../records/assignments/print.model.ts'
import type { StoredSheetPage } from '../../../records/submissions/reading.model.ts'
import type { Services } from '../../../services.ts'
import { loadMatchingRoster, type RosterStudent } from '../../submissions/matching/name-index.ts'
import { usersById } from '../../users/user.service.ts'

export async function storePrint(
  assignment: AssignmentDoc,
  { kind, students, spares, names, double_sided }: NewPrint,
  actor: Actor,
  { files, papers, clock }: Pick<Services, 'files' | 'papers' | 'clock'>,
): Promise<PrintDoc> {
  const roster = await loadMatchingRoster(assignment.course_id)
  if (students && roster.length === 0)
    throw new AppError('bad_request', 'This course has no students yet. Add them to the roster, or print spare copies.')
  const nameOf = ({ full_name, username }: (typeof roster)[number]) => full_name ?? username
  const owners = [
    ...(students ? roster : []).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))).map(({ _id }) => _id),
    ...Array.from({ length: spares }, () => null),
  ]
  if (owners.length === 0) throw new AppError('bad_request', 'Choose copies for students, or how many spare copies.')
  const sheet = kind === 'answer_sheets' ? newSheet(assignment, digitsOf(roster)) : null
  const pages = sheet
    ? Math.max(...owners.map((student_id) => pagesOfSheet(designOf(sheet, { student_id }))))
    : (await papers.check(await files.localPath(assignment.blank.hash))).pages
  const sheets = owners.length * (pages + (double_sided ? pages % 2 : 0))
  if (sheets > MOST_PRINTED_PAGES)
    throw new AppError(
      'bad_request',
      `That makes ${sheets} pages, and one PDF has at most ${MOST_PRINTED_PAGES}. Print fewer copies at a time.`,
    )
  const numbers = await drawCopyNumbers(assignment._id, owners.length)
  const print = await PrintModel.create({
    _id: await nextId('prints'),
    assignment_id: assignment._id,
    blank_hash: assignment.blank.hash,
    pages,
    names,
    double_sided,
    copies: owners.map((student_id, i) => ({
      id: randomBytes(ID_BYTES).toString('hex'),
      number: numbers[i] ?? 0,
      student_id,
    })),
    ...(sheet ? { sheet } : {}),
    made_by: actor.id,
    at: clock.now(),
  })
  await recordAudit(actor, 'assignment.printed', { assignment_id: assignment._id }, clock.now(), {
    after: { copies: owners.length, spares, kind },
  })
  return print.toObject()
}

function newSheet({ rubric }: AssignmentDoc, digits: number): PrintedSheetDoc {
  const questions = choiceQuestions(rubric).flatMap(({ question, why }) => (why === null ? [question] : []))
  if (!rubric)
    throw new AppError(
      'conflict',
      'Make the rubric first: an answer sheet has circles for its choice and true-or-false questions.',
    )
  if (questions.length === 0)
    throw new AppError(
      'bad_request',
      `The rubric has no true-or-false question, and no choice question with ${FEWEST_OPTIONS} to ${MOST_OPTIONS} options, so there is nothing to put on an answer sheet.`,
    )
  const versions = hasVersions(rubric)
  return { layout: NEWEST_LAYOUT, format: 'a4', questions, digits, ...(versions ? { versions } : {}) }
}

/** Random within a print: the order of names would reveal whose is whose. */
async function drawCopyNumbers(assignmentId: number, count: number): Promise<number[]> {
  const counter = `copies of assignment ${assignmentId}`
  // Earlier prints were numbered without a counter.
  await raiseIds(counter, await highestCopyNumber(assignmentId))
  const first = await nextIds(counter, count)
  return shuffled(Array.from({ length: count }, (_, i) => first + i))
}

async function highestCopyNumber(assignmentId: number): Promise<number> {
  const prints = await PrintModel.find({ assignment_id: assignmentId }, { copies: 1 }).lean()
  return prints.flatMap(({ copies }) => copies).reduce((highest, { number }) => Math.max(highest, number), 0)
}

export const hasPrints = async (assignmentId: number): Promise<boolean> =>
  (await PrintModel.exists({ assignment_id: assignmentId })) !== null

export const requirePrint = (ids: { assignmentId: number; printId: number }): Promise<PrintDoc> =>
  orNotFound(
    PrintModel.findOne({ _id: ids.printId, assignment_id: ids.assignmentId }).lean(),
    'This print does not exist.',
  )

/** Copies for students reveal whose number is whose. */
export const isForStudents = ({ copies }: PrintDoc): boolean => copies.some(({ student_id }) => student_id !== null)

export async function drawPrint(
  assignment: AssignmentDoc,
  print: PrintDoc,
  { files, papers }: Pick<Services, 'files' | 'papers'>,
  signal: AbortSignal,
): Promise<Buffer> {
  const { sheet } = print
  if (!sheet && print.blank_hash !== assignment.blank.hash)
    throw new AppError('conflict', 'The blank has been replaced since. Print the new one.')
  const users = await usersById(print.copies.flatMap(({ student_id }) => student_id ?? []))
  const copies = print.copies.map(({ id, number, student_id }): CopyToPrint => {
    const user = student_id === null ? undefined : users.get(student_id)
    const name = print.names && user ? (user.full_name ?? user.username) : ''
    return { copyId: id, name, label: `${sheet ? 'Sheet' : 'Copy'} ${number}` }
  })
  if (sheet) {
    const designs = [...Map.groupBy(copies, (_, i) => print.copies[i]?.student_id == null)].map(([spare, own]) => ({
      design: designOf(sheet, { student_id: spare ? null : 0 }),
      copies: own,
    }))
    return papers.printAnswerSheets(designs, { title: assignment.title, doubleSided: print.double_sided, signal })
  }
  return papers.printCopies(await files.localPath(print.blank_hash), copies, {
    doubleSided: print.double_sided,
    signal,
  })
}

export interface KnownCopy extends PrintedCopyDoc, Pick<PrintDoc, 'assignment_id' | 'blank_hash' | 'pages'> {
  /** Null: a copy of the blank. */
  sheet: { design: SheetDesign; printed: PrintedSheetDoc } | null
}

export async function findPrintedCopies(ids: readonly string[]): Promise<Map<string, KnownCopy>> {
  const wanted = new Set(ids)
  const prints = await PrintModel.find({ 'copies.id': { $in: [...wanted] } }).lean()
  const known = prints.flatMap(({ copies, assignment_id, blank_hash, pages, sheet }) =>
    copies
      .filter(({ id }) => wanted.has(id))
      .map((copy): KnownCopy => {
        const of = { ...copy, assignment_id, blank_hash }
        if (!sheet) return { ...of, pages, sheet: null }
        const design = designOf(sheet, copy)
        return { ...of, pages: pagesOfSheet(design), sheet: { design, printed: sheet } }
      }),
  )
  return new Map(known.map((copy) => [copy.id, copy]))
}

export function presentPrint({ blank }: AssignmentDoc, print: PrintDoc): Print {
  const students = print.copies.filter(({ student_id }) => student_id !== null).length
  return {
    id: print._id,
    kind: print.sheet ? 'answer_sheets' : 'copies',
    at: print.at.toISOString(),
    students,
    spares: print.copies.length - students,
    pages: print.pages,
    names: print.names,
    double_sided: print.double_sided,
    current: print.sheet !== undefined || print.blank_hash === blank.hash,
  }
}

type SheetQuestion = PrintedSheetDoc['questions'][number]

function choiceQuestions(rubric: Rubric | null): { question: SheetQuestion; why: LeftOutReason | null }[] {
  const choices = (rubric?.questions ?? []).filter(({ kind }) => kind === 'choice' || kind === 'true_false')
  return choices.map((question) => {
    const [options, truth] = [optionsOf(question), truthLettersOf(question)]
    const hasRoom = options.length >= FEWEST_OPTIONS && options.length <= MOST_OPTIONS
    const why = !hasRoom
      ? 'options'
      : asksForSeveral(question)
        ? 'several'
        : fitsLabel(question.number)
          ? null
          : 'label'
    return { question: { id: question.id, number: question.number, options, ...(truth ? { truth } : {}) }, why }
  })
}

/** No option of its key gets the points alone. */
function asksForSeveral({ kind, prompt, criteria }: Question): boolean {
  if (kind !== 'choice') return false
  const options = findChoiceOptions(prompt)
  const named = new Set(criteria.flatMap(({ expected }) => [...readChoice(expected, options).taken]))
  const isEnough = (letter: string) =>
    criteria.every(({ expected, alternatives }) => judgeChoice(prompt, [expected, ...alternatives], letter).share === 1)
  return named.size > 1 && ![...named].some(isEnough)
}

export function presentSheetQuestions(rubric: Rubric | null, roster: readonly RosterStudent[]): AnswerSheetQuestions {
  const shown = ({ number, options }: SheetQuestion) => ({ number, options: options.length })
  const all = choiceQuestions(rubric)
  return {
    questions: all.flatMap(({ question, why }) => (why === null ? [shown(question)] : [])),
    left_out: all.flatMap(({ question, why }) => (why === null ? [] : [{ ...shown(question), why }])),
    digits: digitsOf(roster),
    versions: rubric !== null && hasVersions(rubric),
  }
}

/** Of the longest student number; numbers with letters have no circles. */
function digitsOf(roster: readonly RosterStudent[]): number {
  const lengths = roster.flatMap(({ numbers }) => numbers.filter((one) => /^\d+$/.test(one)).map((one) => one.length))
  return lengths.filter((length) => length <= MOST_DIGITS).reduce((most, length) => Math.max(most, length), 0)
}

export const designOf = (
  { layout, format, questions, digits, versions }: PrintedSheetDoc,
  { student_id }: Pick<PrintedCopyDoc, 'student_id'>,
): SheetDesign => ({
  layout,
  format,
  questions: questions.map(({ options, ...question }) => ({ ...question, options: options.length })),
  digits: student_id === null ? digits : 0,
  versions: versions === true,
})

const pagesOfSheet = (design: SheetDesign): number => layOutSheet(design).length

type FilledGroup = Pick<StoredSheetPage['groups'][number], 'kind' | 'id' | 'chosen' | 'flag'>

/** Null where a digit is in doubt or missing between others. */
export function filledNumber(groups: readonly FilledGroup[], page: number): OwnerHint | null {
  const digits = groups
    .filter(({ kind }) => kind === 'digit')
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map(({ chosen, flag }) => (flag === 'none' ? '_' : flag === null ? String(chosen) : '?'))
    .join('')
  const [, text = ''] = /^_*(\d+)_*$/.exec(digits) ?? []
  if (text === '') return null
  const missing = digits.length - text.length
  return { kind: 'number', text, page, ocr: false, ...(missing > 0 ? { missing } : {}) }
}
