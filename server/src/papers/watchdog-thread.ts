/** Runs beside the child's main thread: see `watchdog.ts`. */
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { outOfMemoryMark } from './watchdog.ts'

const { bytes, parent }: { bytes: number; parent: number } = workerData

// Often enough that a bomb cannot grow far between two looks: a gigabyte takes some 300 ms to touch.
setInterval(() => {
  if (process.memoryUsage.rss() > bytes) {
    writeSync(2, `${outOfMemoryMark}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 40)
