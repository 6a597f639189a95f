import type { Evidence, Paper } from '@assay/shared/papers.ts'
import { type PaperVersion, paperVersions, type Question, type Rubric } from '@assay/shared/rubrics.ts'
import { bareText } from '@assay/shared/rules/choice-options.ts'
import { answerLabelsOf, hasVersions, optionsOf } from '@assay/shared/rules/sheet-options.ts'
import type { SheetFlag } from '@assay/shared/transcriptions.ts'
import { judgeChoice } from '../../grader/exact/choices/judge-choice.ts'
import { judgeTrueFalse } from '../../grader/exact/choices/judge-true-false.ts'
import type { Answer, ExtractedSubmission, OwnerHint, ReviewReason } from '../../grader/grader.ts'
import { acceptedAnswers } from '../../grader/text/terms.ts'
import { inVersion } from '../../grader/text/version-letters.ts'
import { letterOf } from '../../papers/answer-sheet/sheet-design.ts'
import { type QuarterTurns, rotateBox } from '../../papers/geometry/quarter-turns.ts'
import type { PrintedSheetDoc } from '../../records/assignments/print.model.ts'
import type { StoredSheetPage } from '../../records/submissions/reading.model.ts'
import { filledNumber } from '../intake/printing/print.service.ts'

export interface SheetOnPaper extends StoredSheetPage {
  printed: PrintedSheetDoc
  asked: readonly string[]
  /** As it lies in the file. */
  size: { width: number; height: number }
  /** Clockwise, to be upright. */
  turns: QuarterTurns
}

type GroupRead = StoredSheetPage['groups'][number]

const WHY: Record<SheetFlag, string> = {
  none: 'no circle is filled',
  double: 'more than one circle is filled',
  faint: 'its mark is too faint',
  erased: 'a second circle is not erased completely',
  crossed: 'a circle is crossed out or ringed, and which one is meant is not plain',
  unplaced: 'its circles could not be found',
  changed: 'its options have changed since the sheet was printed',
  differs: 'the sheet was scanned more than once, and read differently',
  page: 'its page could not be read',
  version: 'which version of the paper it is, A, B, C or D, is not plainly filled in',
  no_versions:
    'the rubric has keys for several versions of the paper, and the sheet was printed without circles for them',
  no_key: 'the rubric has no key of one option for its version of the paper',
}

const PROBLEM: Record<NonNullable<StoredSheetPage['problem']>, string> = {
  code: 'its code could not be read again',
  marks: 'too few of the marks in its corners can be seen',
  bars: 'its bars are not where they were printed',
  contrast: 'it is too pale',
}

interface SheetAnswer {
  answer: Answer
  reason: ReviewReason | null
}

/** What a sheet leaves in doubt is left for a person to grade. */
export function withSheetAnswers(
  extracted: ExtractedSubmission,
  sheets: readonly SheetOnPaper[],
  rubric: Rubric,
): ExtractedSubmission {
  if (sheets.length === 0) return extracted
  const versioned = hasVersions(rubric)
  const read = new Map(
    rubric.questions.flatMap((question) => {
      const one = answerOn(sheets, question, versioned)
      return one ? [[question.id, one] as const] : []
    }),
  )
  const answers = extracted.answers.map((answer) => read.get(answer.question_id)?.answer ?? answer)
  const reasons = [...read.values()].flatMap(({ reason }) => reason ?? [])
  const nothing = answers.every(({ text, unreadable }) => text.trim() === '' && !unreadable)
  const warnings = extracted.warnings.filter(
    ({ code, question_id }) => nothing || code !== 'nothing_written' || question_id,
  )
  const hints = numbersOn(sheets)
  return {
    ...extracted,
    answers,
    warnings: [...warnings, ...sheets.flatMap(unreadPage), ...reasons],
    ...(hints.length > 0 ? { owner_hints: [...(extracted.owner_hints ?? []), ...hints] } : {}),
  }
}

function answerOn(
  sheets: readonly SheetOnPaper[],
  question: Rubric['questions'][number],
  versioned: boolean,
): SheetAnswer | null {
  const places = sheets.flatMap((sheet) => {
    const asked = sheet.printed.questions.find(({ id }) => id === question.id)
    const group = sheet.groups.find(({ kind, id }) => kind === 'question' && id === question.id)
    return asked && group ? [{ sheet, asked, group, of: versionOnSheet(sheet, sheets, versioned) }] : []
  })
  const [first] = places
  // The copy of the blank has at most a draft: the answer is on a page that could not be read.
  if (!first) return sheets.some(({ asked }) => asked.includes(question.id)) ? unreadAnswer(question.id) : null
  const { asked, group, of } = first
  const changed = !isSame(asked.options, optionsOf(question))
  const differs = places.some((one) => one.group.chosen !== group.chosen || one.of.version !== of.version)
  const seen = changed ? 'changed' : differs ? 'differs' : (group.flag ?? of.flag)
  const isFilled = seen === null && group.chosen !== null
  const filled = group.chosen === null ? '' : answerOf(asked, group.chosen)
  const read = isFilled ? readInVersion(question, filled, of.version) : null
  const why: SheetFlag | null = seen ?? (isFilled && read === null ? 'no_key' : null)
  const text = read?.text ?? ''
  const quote = read === null ? '' : quoteOf(filled, of.version)
  const evidence = places.map(({ sheet, group: own }) => evidenceOf(sheet, own, quote))
  const sheet = {
    ...{ separation: group.separation, flag: why },
    ...(of.version ? { version: of.version } : {}),
    ...lettersFor(question, of.version),
  }
  const answer = { question_id: question.id, text, found: true, evidence, reading: 1, sheet }
  if (text !== '') return { answer, reason: null }
  const message = `Question ${question.number} was not read from the answer sheet: ${WHY[why ?? 'unplaced']}. Grade it by hand.`
  return {
    answer: { ...answer, unreadable: true },
    reason: { code: 'poor_reading', message, question_id: question.id, evidence },
  }
}

const unreadAnswer = (question_id: string): SheetAnswer => ({
  answer: {
    ...{ question_id, text: '', found: true, unreadable: true, evidence: [], reading: 1 },
    sheet: { separation: 0, flag: 'page' },
  },
  reason: null,
})

function lettersFor(question: Rubric['questions'][number], version: PaperVersion | null) {
  const letters = readInVersion(question, '', version)?.letters
  return letters ? { letters } : {}
}

const answerOf = ({ options, truth }: PrintedSheetDoc['questions'][number], chosen: number): string =>
  truth ? (options[chosen] ?? '') : letterOf(chosen)

const quoteOf = (filled: string, version: PaperVersion | null) => (version ? `${filled} (version ${version})` : filled)

/** Letters stand for the same words. */
const isSame = (printed: readonly string[], now: readonly string[]) =>
  printed.length === now.length && printed.every((text, i) => bareText(text) === bareText(now[i] ?? ''))

const evidenceOf = ({ page, turns, size }: SheetOnPaper, { box }: GroupRead, quote: string): Evidence => ({
  page,
  box: rotateBox(box, turns, size),
  quote,
})

function unreadPage({ page, problem }: SheetOnPaper): ReviewReason[] {
  if (problem === null) return []
  const message = `Page ${page} is an answer sheet that was not read: ${PROBLEM[problem]}. Grade its questions by hand.`
  return [{ code: 'poor_reading', message }]
}

export const numbersOn = (sheets: readonly SheetOnPaper[]): OwnerHint[] =>
  sheets.flatMap(({ page, groups }) => filledNumber(groups, page) ?? [])

export const sheetNumbers = (sheets: readonly Pick<SheetOnPaper, 'page'>[]): Set<number> =>
  new Set(sheets.map(({ page }) => page))

export const withoutSheets = ({ pages }: Paper, sheets: ReadonlySet<number>): Paper => ({
  pages: pages.filter(({ number }) => !sheets.has(number)),
})

interface SheetOfVersion extends Pick<StoredSheetPage, 'copy_id' | 'groups'> {
  printed: Pick<PrintedSheetDoc, 'versions'>
}

/** By the circles on the copy's first page. `needed`: the rubric has other versions' keys. Null: the only version. */
function versionOnSheet(
  { copy_id, printed }: SheetOfVersion,
  sheets: readonly SheetOfVersion[],
  needed: boolean,
): { version: PaperVersion | null; flag: 'version' | 'no_versions' | null } {
  if (!printed.versions) return { version: null, flag: needed ? 'no_versions' : null }
  const groups = sheets
    .filter((one) => one.copy_id === copy_id)
    .flatMap((one) => one.groups.filter(({ kind }) => kind === 'version'))
  const chosen = [...new Set(groups.map((group) => group.chosen))]
  const version = chosen.length === 1 ? paperVersions[chosen[0] ?? -1] : undefined
  if (version) return { version, flag: null }
  // Where only A can be meant, its circle may stay empty.
  return { version: null, flag: needed || chosen.length > 1 || groups.some(isDoubtful) ? 'version' : null }
}

const isDoubtful = ({ flag }: StoredSheetPage['groups'][number]) => flag !== null && flag !== 'none'

/**
 * As graded: version A's letters where the answer is right. A wrong answer keeps its letter and version: decisions on C
 * in version A say nothing of it. Null without a key.
 */
function readInVersion(question: Question, filled: string, version: PaperVersion | null) {
  if (version === null || version === 'A') return { text: filled }
  const labels = answerLabelsOf(question)
  const key = bareText(question.version_keys?.[version] ?? '')
  const right = labels.find((label) => bareText(label) === key)
  const [rightInA, ...others] = labels.filter((label) => isRight(question, label))
  if (right === undefined || rightInA === undefined || others.length > 0 || hasSteps(question)) return null
  const letters = { right, right_in_a: rightInA }
  if (bareText(filled) === key) return { text: rightInA, letters }
  // Of two options, the one that is not right is the other.
  const wrong = question.kind === 'true_false' ? labels.find((label) => label !== rightInA) : undefined
  return { text: wrong ?? inVersion(filled, version), letters }
}

const hasSteps = ({ criteria }: Question) => criteria.some(({ levels = [] }) => levels.length > 0)

function isRight({ kind, prompt, criteria }: Question, label: string): boolean {
  const judge = (accepted: string[]) =>
    kind === 'true_false' ? judgeTrueFalse(prompt, accepted, label) : judgeChoice(prompt, accepted, label)
  return criteria.every((criterion) => judge(acceptedAnswers(criterion)).share === 1)
}
