import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { extractAnswers } from '../extraction/extract-answers.ts'
import type { Anchor } from '../grader.ts'
import { rubricFromPapers } from '../rubric/rubric-from-papers.ts'
import { ClassJudge, type ClassTexts } from './class-judge.ts'
import type { WorkerReplies, WorkerReply, WorkerTask } from './worker-messages.ts'

/** Classes kept ready; a big one is a few MB. */
const MAX_STORED = 16

const classes = new Map<string, ClassTexts>()
const decisions = new Map<string, Anchor[]>()
const judges = new Map<string, ClassJudge>()

function run(task: WorkerTask): WorkerReplies[keyof WorkerReplies] {
  switch (task.kind) {
    case 'rubric':
      return rubricFromPapers(task.blank, task.key)
    case 'extract':
      return extractAnswers(task.rubric, task.blank, task.submission)
    case 'class':
      store(classes, task.key, task.texts)
      return null
    case 'anchors':
      store(decisions, task.key, task.anchors)
      return null
    case 'grade':
      return judgeFor(task)?.grade(task.id, task.extracted) ?? null
  }
}

function judgeFor(task: Extract<WorkerTask, { kind: 'grade' }>): ClassJudge | null {
  // A rubric edited between two papers must not be graded with signals made for the old one.
  const name = createHash('sha256')
    .update(JSON.stringify([task.key, task.anchorsKey, task.rubric.questions]))
    .digest('base64')
  const ready = judges.get(name)
  if (ready) {
    store(judges, name, ready)
    return ready
  }
  const texts = classes.get(task.key)
  const anchors = task.anchorsKey === '' ? [] : decisions.get(task.anchorsKey)
  if (!texts || !anchors) return null
  const judge = new ClassJudge(task.rubric, texts, anchors)
  store(judges, name, judge)
  return judge
}

/** The most recently used stay. */
function store<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= MAX_STORED) break
    map.delete(oldest)
  }
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
