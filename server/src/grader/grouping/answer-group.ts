import type { AnswerState } from '../grader.ts'

/** An answer to one question, as it is to be grouped. */
export interface AnswerToGroup {
  /** Of its submission. */
  id: number
  text: string
  state: AnswerState
  /** The share of the question's points it is expected to earn, 0..1; null where it has no score. */
  share: number | null
}

/** Answers that say the same but for case, punctuation, spelling of numbers and the like. */
export interface AnswerVariant {
  /** As the submission with the lowest id has it. */
  text: string
  /** Of the submissions, ascending. */
  ids: number[]
}

/**
 * `same`: one variant, written by several. `similar`: several variants. `single`: one answer like no other. The others hold what has no
 * words to compare, each all of its state.
 */
export type AnswerGroupKind = 'same' | 'similar' | 'single' | 'empty' | 'not_found' | 'unreadable'

export interface AnswerGroup {
  /** The same for the same answers, in whatever order they come; further submissions with higher ids do not change it. */
  id: string
  kind: AnswerGroupKind
  /** The one that most wrote first. Of `empty`, `not_found` and `unreadable` there is one. */
  variants: AnswerVariant[]
  /** How many submissions are in it. */
  size: number
  /** The mean of the shares its answers are expected to earn, 0..1; null where none has a score. */
  share: number | null
}
