import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import type { Anchor, ExtractedSubmission, ScoresByPaper, SuggestedGrade } from '../grader.ts'
import type { ClassTexts } from './class-judge.ts'

/** A class and decisions are sent once, then only their keys. */
export type WorkerTask =
  | { kind: 'rubric'; blank: Paper; key: Paper }
  | { kind: 'extract'; rubric: Rubric; blank: Paper; submission: Paper }
  | { kind: 'class'; key: string; texts: ClassTexts }
  | { kind: 'anchors'; key: string; anchors: Anchor[] }
  | { kind: 'grade'; rubric: Rubric; key: string; anchorsKey: string; id: number; extracted: ExtractedSubmission }
  | {
      kind: 'scores'
      rubric: Rubric
      key: string
      anchorsKey: string
      questionId: string
      papers: { id: number; extracted: ExtractedSubmission }[]
    }

export interface WorkerReplies {
  rubric: Rubric
  extract: ExtractedSubmission
  class: null
  anchors: null
  /** Null: the worker lacks the class or the decisions; send them and retry. */
  grade: SuggestedGrade | null
  scores: ScoresByPaper | null
}

export type WorkerReply = { n: number } & ({ ok: WorkerReplies[keyof WorkerReplies] } | { failed: string })
