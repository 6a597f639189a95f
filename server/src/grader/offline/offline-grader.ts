import { Worker } from 'node:worker_threads'
import { hashOf } from '../../lib/security/hash-of.ts'
import { answerState } from '../extraction/answer-state.ts'
import type { Anchor, Answer, ClassAnswers, ExtractedSubmission, Grader } from '../grader.ts'
import { type ClassTexts, mayBeConfirmed } from './class-judge.ts'
import type { WorkerReplies, WorkerReply, WorkerTask } from './offline.worker.ts'

/** Raise it whenever the same paper could get another grade. */
const VERSION = '9'

export function createOfflineGrader(): Grader {
  const thread = new OfflineWorkerClient()
  // Papers share a class, which the first sends and the others await.
  const sending = new Map<string, Promise<null>>()
  function sendClassOnce(everyone: ClassAnswers): Promise<null> {
    const underway = sending.get(everyone.key)
    if (underway) return underway
    const sent = thread
      .run({ kind: 'class', key: everyone.key, texts: textsOf(everyone) })
      .finally(() => sending.delete(everyone.key))
    sending.set(everyone.key, sent)
    return sent
  }
  async function withClass<T>(
    everyone: ClassAnswers,
    anchors: Anchor[],
    askFor: (anchorsKey: string) => Promise<T | null>,
  ): Promise<T> {
    const key = keyOf(anchors)
    const ask = () => askFor(key)
    for (;;) {
      const ready = await ask()
      if (ready) return ready
      // Posted together, so that no other class evicts it; a paper whose class is gone sends it again.
      const [, , reply] = await Promise.all([
        sendClassOnce(everyone),
        key === '' ? null : thread.run({ kind: 'anchors', key, anchors }),
        ask(),
      ])
      if (reply) return reply
    }
  }
  return {
    name: 'offline',
    version: VERSION,
    generateRubric: (blank, key) => thread.run({ kind: 'rubric', blank, key }),
    extractAnswers: (rubric, blank, submission) => thread.run({ kind: 'extract', rubric, blank, submission }),
    async grade(rubric, id, everyone, { signal, anchors = [] } = {}) {
      const extracted = everyone.submissions.find((submission) => submission.id === id)?.extracted
      if (!extracted) throw new RangeError(`Submission ${id} is not among the class.`)
      const task = { kind: 'grade' as const, rubric, key: everyone.key, id, extracted }
      return withClass(everyone, anchors, (anchorsKey) => thread.run({ ...task, anchorsKey }, signal))
    },
    scoreQuestion(rubric, questionId, papers, everyone, { signal, anchors = [] } = {}) {
      const slim = papers.map(({ id, extracted }) => ({ id, extracted: onlyQuestion(extracted, questionId) }))
      const task = { kind: 'scores' as const, rubric, key: everyone.key, questionId, papers: slim }
      return withClass(everyone, anchors, (anchorsKey) => thread.run({ ...task, anchorsKey }, signal))
    },
    close: () => thread.close(),
  }
}

/** Order-independent; empty without decisions. */
function keyOf(anchors: Anchor[]): string {
  if (anchors.length === 0) return ''
  const sorted = anchors
    .map((one) => `${one.submission_id} ${one.criterion_id} ${one.score} ${one.approved ?? ''}`)
    .sort()
  return hashOf(sorted.join('\n'), 'base64')
}

function onlyQuestion({ answers, page_order }: ExtractedSubmission, questionId: string): ExtractedSubmission {
  return {
    answers: answers.map((answer) => ({
      ...answer,
      text: answer.question_id === questionId || answer.text.trim() === '' ? answer.text : '…',
      evidence: [],
    })),
    warnings: [],
    name_on_paper: null,
    ...(page_order ? { page_order } : {}),
  }
}

/** Only words: copying a hundred papers' boxes would hold up the server. */
function textsOf(everyone: ClassAnswers): ClassTexts {
  return {
    submissions: everyone.submissions.map(({ id, extracted }) => ({
      id,
      texts: textsWhere(extracted, (answer) => answerState(answer) === 'read'),
      doubtful: textsWhere(extracted, (answer) => mayBeConfirmed(answer, extracted)),
    })),
  }
}

const textsWhere = ({ answers }: ExtractedSubmission, counts: (answer: Answer) => boolean): Record<string, string> =>
  Object.fromEntries(answers.filter(counts).map(({ question_id, text }) => [question_id, text]))

type PendingReply = PromiseWithResolvers<WorkerReplies[keyof WorkerReplies]>

/** Does not keep an idle process alive; after a crash the next task starts another worker. */
export class OfflineWorkerClient {
  #worker: Worker | null = null
  #waiting = new Map<number, PendingReply>()
  #n = 0
  #closed = false
  readonly #script: URL

  constructor(script = new URL('./offline.worker.ts', import.meta.url)) {
    this.#script = script
  }

  run<K extends WorkerTask['kind']>(
    task: Extract<WorkerTask, { kind: K }>,
    signal?: AbortSignal,
  ): Promise<WorkerReplies[K]> {
    if (this.#closed) return Promise.reject(new Error('The grader is closed.'))
    if (signal?.aborted) return Promise.reject(signal.reason)
    const worker = this.#start()
    const n = ++this.#n
    const pending = Promise.withResolvers<WorkerReplies[keyof WorkerReplies]>()
    const stop = () => {
      this.#settle(n)
      pending.reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
    this.#waiting.set(n, pending)
    worker.ref()
    worker.postMessage({ n, task })
    // The worker answers a task with the reply of its kind.
    return pending.promise.finally(() => signal?.removeEventListener('abort', stop)) as Promise<WorkerReplies[K]>
  }

  async close(): Promise<void> {
    this.#closed = true
    const worker = this.#worker
    this.#worker = null
    this.#failAll(new Error('The grader was closed.'))
    await worker?.terminate()
  }

  #start(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.#script, { resourceLimits: { maxOldGenerationSizeMb: 768 } })
    worker.unref()
    worker.on('message', (reply: WorkerReply) => {
      const waiting = this.#settle(reply.n)
      if ('failed' in reply) waiting?.reject(new Error(reply.failed))
      else waiting?.resolve(reply.ok)
    })
    const died = (error: Error) => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#failAll(error)
    }
    worker.on('error', (error) => died(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', (code) => died(new Error(`The grading thread stopped (${code}).`)))
    this.#worker = worker
    return worker
  }

  #settle(n: number): PendingReply | undefined {
    const waiting = this.#waiting.get(n)
    this.#waiting.delete(n)
    if (this.#waiting.size === 0) this.#worker?.unref()
    return waiting
  }

  #failAll(error: Error): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}
