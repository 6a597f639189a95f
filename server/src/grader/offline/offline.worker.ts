import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import type { Anchor } from '../grader.ts'
import { layAnswers } from '../lay-answers.ts'
import { rubricFromPapers } from '../rubric-from-papers.ts'
import { ClassJudge, type ClassTexts } from './class-judge.ts'
import type { Replies, Reply, Task } from './worker-messages.ts'

/** Classes kept ready; a big one is a few MB. */
const CLASSES_KEPT = 16

const classes = new Map<string, ClassTexts>()
const decisions = new Map<string, Anchor[]>()
const judges = new Map<string, ClassJudge>()

function run(task: Task): Replies[keyof Replies] {
  switch (task.kind) {
    case 'rubric':
      return rubricFromPapers(task.blank, task.key)
    case 'lay':
      return layAnswers(task.rubric, task.blank, task.submission)
    case 'class':
      keep(classes, task.key, task.texts)
      return null
    case 'anchors':
      keep(decisions, task.key, task.anchors)
      return null
    case 'grade':
      return judgeFor(task)?.grade(task.id, task.laid) ?? null
  }
}

function judgeFor(task: Extract<Task, { kind: 'grade' }>): ClassJudge | null {
  // A rubric edited between two papers must not be graded with signals made for the old one.
  const name = createHash('sha256')
    .update(JSON.stringify([task.key, task.anchorsKey, task.rubric.questions]))
    .digest('base64')
  const ready = judges.get(name)
  if (ready) {
    keep(judges, name, ready)
    return ready
  }
  const texts = classes.get(task.key)
  const anchors = task.anchorsKey === '' ? [] : decisions.get(task.anchorsKey)
  if (!texts || !anchors) return null
  const judge = new ClassJudge(task.rubric, texts, anchors)
  keep(judges, name, judge)
  return judge
}

/** The most recently used stay. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= CLASSES_KEPT) break
    map.delete(oldest)
  }
}

parentPort?.on('message', ({ n, task }: { n: number; task: Task }) => {
  let reply: Reply
  try {
    reply = { n, ok: run(task) }
  } catch (error) {
    reply = { n, failed: error instanceof Error ? error.message : String(error) }
  }
  parentPort?.postMessage(reply)
})
