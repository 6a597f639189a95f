import type { AnswerSheetQuestions } from '@assay/shared/printing.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '../../grader/layout/choice-options.ts'
import {
  FEWEST_OPTIONS,
  layOutSheet,
  MOST_DIGITS,
  MOST_OPTIONS,
  type SheetDesign,
  type TruthLetters,
} from '../../papers/answer-sheet/sheet-design.ts'
import type { PrintedCopyDoc, PrintedSheetDoc } from '../../records/assignments/print.model.ts'
import type { RosterStudent } from '../submissions/matching/matching-roster.ts'

type SheetQuestion = PrintedSheetDoc['questions'][number]

/** The choice questions of a rubric and those with two answers, with the words of their options. */
function choiceQuestions(rubric: Rubric | null): SheetQuestion[] {
  const choices = (rubric?.questions ?? []).filter(({ kind }) => kind === 'choice' || kind === 'true_false')
  return choices.map((question) => {
    const truth = truthLettersOf(question)
    return { id: question.id, number: question.number, options: optionsOf(question), ...(truth ? { truth } : {}) }
  })
}

/** The words of a question's options, in their order. */
export const optionsOf = (question: Question): string[] => {
  const letters = truthLettersOf(question)
  return letters ? TRUTH_WORDS[letters] : findChoiceOptions(question.prompt).map(({ text }) => text)
}

const TRUTH_WORDS: Record<TruthLetters, string[]> = { TF: ['True', 'False'], YN: ['Yes', 'No'] }
const YES_OR_NO = /^\W*(?:yes|no)\b\W*$/i

function truthLettersOf({ kind, criteria }: Question): TruthLetters | null {
  if (kind !== 'true_false') return null
  return criteria.some(({ expected }) => YES_OR_NO.test(expected)) ? 'YN' : 'TF'
}

const fits = ({ options }: SheetQuestion) => options.length >= FEWEST_OPTIONS && options.length <= MOST_OPTIONS

export const sheetQuestions = (rubric: Rubric | null): SheetQuestion[] => choiceQuestions(rubric).filter(fits)

export function presentSheetQuestions(rubric: Rubric | null, roster: readonly RosterStudent[]): AnswerSheetQuestions {
  const shown = ({ number, options }: SheetQuestion) => ({ number, options: options.length })
  const all = choiceQuestions(rubric)
  return {
    questions: all.filter(fits).map(shown),
    left_out: all.filter((one) => !fits(one)).map(shown),
    digits: digitsOf(roster),
  }
}

/** As many as the longest student number has; numbers with letters have no circles. */
export function digitsOf(roster: readonly RosterStudent[]): number {
  const lengths = roster.flatMap(({ numbers }) => numbers.filter((one) => /^\d+$/.test(one)).map((one) => one.length))
  return lengths.filter((length) => length <= MOST_DIGITS).reduce((most, length) => Math.max(most, length), 0)
}

/** The sheet of one of a print's copies. */
export const designOf = (
  { layout, format, questions, digits }: PrintedSheetDoc,
  { student_id }: Pick<PrintedCopyDoc, 'student_id'>,
): SheetDesign => ({
  layout,
  format,
  questions: questions.map(({ options, ...question }) => ({ ...question, options: options.length })),
  digits: student_id === null ? digits : 0,
  versions: false,
})

export const pagesOfSheet = (design: SheetDesign): number => layOutSheet(design).length
