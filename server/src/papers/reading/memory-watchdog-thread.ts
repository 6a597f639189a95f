/** Runs beside the child's main thread: see `memory-watchdog.ts`. */
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { outOfMemoryMarker } from './memory-watchdog.ts'

const { bytes, parent }: { bytes: number; parent: number } = workerData

// Often enough that a decompression bomb cannot grow far between two checks: allocating a gigabyte takes some 300 ms.
setInterval(() => {
  if (process.memoryUsage.rss() > bytes) {
    writeSync(2, `${outOfMemoryMarker}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 40)
