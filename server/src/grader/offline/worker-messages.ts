import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import type { LaidSubmission, SuggestedGrade } from '../grader.ts'
import type { ClassTexts } from './class-judge.ts'

/** What the worker is asked. A class travels once: after that only its key does. */
export type Task =
  | { kind: 'rubric'; blank: Paper; key: Paper }
  | { kind: 'lay'; rubric: Rubric; blank: Paper; submission: Paper }
  | { kind: 'class'; key: string; texts: ClassTexts }
  | { kind: 'grade'; rubric: Rubric; key: string; id: number; laid: LaidSubmission }

export interface Replies {
  rubric: Rubric
  lay: LaidSubmission
  class: null
  /** Null when the worker does not have the class (any more): send it and ask again. */
  grade: SuggestedGrade | null
}

export type Reply = { n: number } & ({ ok: Replies[keyof Replies] } | { failed: string })
