import { parentPort } from 'node:worker_threads'
import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { LRUCache } from 'lru-cache'
import { hashOf } from '../../lib/security/hash-of.ts'
import { extractAnswers } from '../extraction/extract-answers.ts'
import type { Anchor, ExtractedSubmission, ScoresByPaper, SuggestedGrade } from '../grader.ts'
import { generateRubric } from '../rubric/generate-rubric.ts'
import { ClassJudge, type ClassTexts } from './class-judge.ts'

/** A big class is a few MB. */
const MAX_CACHED = 16

const classes = new LRUCache<string, ClassTexts>({ max: MAX_CACHED })
const decisions = new LRUCache<string, Anchor[]>({ max: MAX_CACHED })
const judges = new LRUCache<string, ClassJudge>({ max: MAX_CACHED })

function run(task: WorkerTask): WorkerReplies[keyof WorkerReplies] {
  switch (task.kind) {
    case 'rubric':
      return generateRubric(task.blank, task.key)
    case 'extract':
      return extractAnswers(task.rubric, task.blank, task.submission)
    case 'class':
      classes.set(task.key, task.texts)
      return null
    case 'anchors':
      decisions.set(task.key, task.anchors)
      return null
    case 'grade':
      return judgeFor(task)?.grade(task.id, task.extracted) ?? null
    case 'scores':
      return judgeFor(task)?.scores(task.questionId, task.papers) ?? null
  }
}

function judgeFor(
  task: Pick<Extract<WorkerTask, { kind: 'grade' }>, 'key' | 'anchorsKey' | 'rubric'>,
): ClassJudge | null {
  // A rubric edited between two papers must not be graded with the old one's signals.
  const name = hashOf(JSON.stringify([task.key, task.anchorsKey, task.rubric.questions]), 'base64')
  const ready = judges.get(name)
  if (ready) return ready
  const texts = classes.get(task.key)
  const anchors = task.anchorsKey === '' ? [] : decisions.get(task.anchorsKey)
  if (!texts || !anchors) return null
  const judge = new ClassJudge(task.rubric, texts, anchors)
  judges.set(name, judge)
  return judge
}

parentPort?.on('message', ({ n, task }: { n: number; task: WorkerTask }) => {
  let reply: WorkerReply
  try {
    reply = { n, ok: run(task) }
  } catch (error) {
    reply = { n, failed: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(reply)
})

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
