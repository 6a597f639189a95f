import { parentPort, workerData } from 'node:worker_threads'
import type { Comparison, ComparisonMessage } from './compare-in-thread.ts'
import { similarPapers } from './similar-papers.ts'

const send = (message: ComparisonMessage) => parentPort?.postMessage(message)

// Only `compareInThread` starts it.
const { questions, papers, most } = workerData as Comparison
send({ pairs: similarPapers(questions, papers, most, (progress) => send({ progress })) })
