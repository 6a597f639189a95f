import { Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { CLAIMED_AT_ONCE } from './bench-job.ts'
import { socketOf } from './bullmq-throughput.ts'

/** `node bullmq-worker.ts REDIS_URL QUEUE`: a worker of BullMQ's. Begins when it is told to. */
const [, , url = '', name = ''] = process.argv
const connection = new Redis(socketOf(url), { maxRetriesPerRequest: null })
const worker = new Worker(name, async () => {}, { connection, concurrency: CLAIMED_AT_ONCE, autorun: false })
process.once('message', () => void worker.run())
process.once('disconnect', () => process.exit(0))
process.send?.('ready')
