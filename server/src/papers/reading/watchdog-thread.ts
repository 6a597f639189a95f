import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { cpuSeconds, limitMarkers } from './watchdog.ts'

const { bytes, ends, parent }: { bytes: number; ends: Float64Array; parent: number } = workerData
/** Often enough for decompression bombs: allocating a gigabyte takes some 300 ms. */
const INTERVAL_MS = 40
/** Two minutes of a task that does no work. A paused process counts none. */
const MAX_IDLE_INTERVALS = 3_000
const WORK_SECONDS = 0.05
let [worked, idle] = [0, 0]

setInterval(() => {
  if (process.memoryUsage.rss() > bytes) kill(limitMarkers.too_much_memory)
  if (process.ppid !== parent) kill('')
  const now = cpuSeconds()
  const { user, system } = process.threadCpuUsage()
  const work = now - (user + system) / 1e6
  if (work - worked > WORK_SECONDS || ends[1] === Infinity) [worked, idle] = [work, 0]
  else idle += 1
  const [step = Infinity, file = Infinity] = ends
  if (now > step || idle > MAX_IDLE_INTERVALS) kill(limitMarkers.too_long)
  if (now > file) kill(limitMarkers.too_much_text)
}, INTERVAL_MS)

function kill(marker: string): void {
  writeSync(2, `${marker}\n`)
  process.kill(process.pid, 'SIGKILL')
}
