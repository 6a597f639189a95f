import type { Question, Rubric } from '../rubrics.ts'
import { findChoiceOptions } from './choice-options.ts'

/** True and false, or yes and no. */
export type TruthLetters = 'TF' | 'YN'

const TRUTH_WORDS: Record<TruthLetters, string[]> = { TF: ['True', 'False'], YN: ['Yes', 'No'] }
const YES_OR_NO = /^\W*(?:yes|no)\b\W*$/i

type Options = Pick<Question, 'kind' | 'prompt' | 'criteria'>

/** Null: not a question with two answers. */
export function truthLettersOf({ kind, criteria }: Options): TruthLetters | null {
  if (kind !== 'true_false') return null
  return criteria.some(({ expected }) => YES_OR_NO.test(expected)) ? 'YN' : 'TF'
}

export function optionsOf(question: Options): string[] {
  const letters = truthLettersOf(question)
  return letters ? TRUTH_WORDS[letters] : findChoiceOptions(question.prompt).map(({ text }) => text)
}

/** Letters, or the two words; empty for other kinds. */
export function answerLabelsOf(question: Options): string[] {
  const letters = truthLettersOf(question)
  if (letters) return TRUTH_WORDS[letters]
  return question.kind === 'choice' ? findChoiceOptions(question.prompt).map(({ letter }) => letter) : []
}

export const hasCircles = (question: Options): boolean => answerLabelsOf(question).length > 1

/** Keys of questions without circles may be left from when there were some. */
export const hasVersions = ({ questions }: Pick<Rubric, 'questions'>): boolean =>
  questions.some((question) => Object.values(question.version_keys ?? {}).some(Boolean) && hasCircles(question))
