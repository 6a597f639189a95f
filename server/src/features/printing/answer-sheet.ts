import type { AnswerSheetQuestions, LeftOutReason } from '@assay/shared/printing.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { findChoiceOptions } from '@assay/shared/rules/choice-options.ts'
import { hasVersions, optionsOf, truthLettersOf } from '@assay/shared/rules/sheet-options.ts'
import { judgeChoice, readChoice } from '../../grader/exact/choices/judge-choice.ts'
import {
  FEWEST_OPTIONS,
  fitsLabel,
  layOutSheet,
  MOST_DIGITS,
  MOST_OPTIONS,
  type SheetDesign,
} from '../../papers/answer-sheet/sheet-design.ts'
import type { PrintedCopyDoc, PrintedSheetDoc } from '../../records/assignments/print.model.ts'
import type { RosterStudent } from '../submissions/matching/matching-roster.ts'

type SheetQuestion = PrintedSheetDoc['questions'][number]

/** Choice and true/false questions with their options; `why` for one that is left out. */
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

/** Its key has several options, none of which gets the points alone. */
function asksForSeveral({ kind, prompt, criteria }: Question): boolean {
  if (kind !== 'choice') return false
  const options = findChoiceOptions(prompt)
  const named = new Set(criteria.flatMap(({ expected }) => [...readChoice(expected, options).taken]))
  const isEnough = (letter: string) =>
    criteria.every(({ expected, alternatives }) => judgeChoice(prompt, [expected, ...alternatives], letter).share === 1)
  return named.size > 1 && ![...named].some(isEnough)
}

export const sheetQuestions = (rubric: Rubric | null): SheetQuestion[] =>
  choiceQuestions(rubric).flatMap(({ question, why }) => (why === null ? [question] : []))

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

/** Length of the longest student number; numbers with letters have no circles. */
export function digitsOf(roster: readonly RosterStudent[]): number {
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

export const pagesOfSheet = (design: SheetDesign): number => layOutSheet(design).length
