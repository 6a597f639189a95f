import { Worker } from 'node:worker_threads'
import type { WorkerReplies, WorkerReply, WorkerTask } from './worker-messages.ts'

interface PendingReply {
  resolve: (reply: WorkerReplies[keyof WorkerReplies]) => void
  reject: (error: Error) => void
}

/** Keeps the server responsive. Does not keep an idle process alive; after a crash the next task starts another. */
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
    return new Promise<WorkerReplies[keyof WorkerReplies]>((resolve, reject) => {
      const stop = () => {
        this.#settle(n)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', stop, { once: true })
      const off = () => signal?.removeEventListener('abort', stop)
      this.#waiting.set(n, {
        resolve: (reply) => {
          off()
          resolve(reply)
        },
        reject: (error) => {
          off()
          reject(error)
        },
      })
      worker.ref()
      worker.postMessage({ n, task })
    }).then((reply) => reply as WorkerReplies[K]) // The worker answers a task with the reply of its kind.
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
    const worker = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: 768 },
    })
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
