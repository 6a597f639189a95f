import { Worker } from 'node:worker_threads'
import type { PaperToCompare, QuestionToCompare, SimilarPair } from './similar-papers.ts'

/** What the thread starts with. */
export interface Comparison {
  questions: readonly QuestionToCompare[]
  papers: readonly PaperToCompare[]
  most: number
}

/** What it sends: how far it is, 0..1, or, at the end, what it found. */
export type ComparisonMessage = { progress: number } | { pairs: SimilarPair[] }

const SCRIPT = new URL('./similarity.worker.ts', import.meta.url)

/**
 * `similarPapers` on a thread of its own, so that the server goes on answering and grading; the thread ends with it. Rejects with the
 * signal's reason where it is aborted, at once, however far the computation is.
 */
export function compareInThread(
  comparison: Comparison,
  { signal, progress, script = SCRIPT }: { signal: AbortSignal; progress: (share: number) => void; script?: URL },
): Promise<SimilarPair[]> {
  if (signal.aborted) return Promise.reject(signal.reason)
  const worker = new Worker(script, { workerData: comparison, resourceLimits: { maxOldGenerationSizeMb: 1024 } })
  const { promise, resolve, reject } = Promise.withResolvers<SimilarPair[]>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  worker.on('message', (message: ComparisonMessage) => {
    if ('pairs' in message) resolve(message.pairs)
    else progress(message.progress)
  })
  worker.on('error', reject)
  worker.on('exit', (code) => reject(new Error(`The comparing thread stopped (${code}).`)))
  return promise.finally(() => {
    signal.removeEventListener('abort', stop)
    return worker.terminate()
  })
}
