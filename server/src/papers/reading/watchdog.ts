import { Worker } from 'node:worker_threads'
import type { PaperErrorCode } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'

/** Written to stderr before the process is killed, so that the parent can say why. */
export const limitMarkers = {
  too_much_memory: 'assay: too much memory',
  too_long: 'assay: too much time for one step',
  too_much_text: 'assay: too much time for one file',
} as const satisfies Partial<Record<PaperErrorCode, string>>

export function exceededLimit(stderr: string): keyof typeof limitMarkers | null {
  if (/heap out of memory|allocation failed/i.test(stderr)) return 'too_much_memory'
  const codes = ['too_much_memory', 'too_long', 'too_much_text'] as const
  return codes.find((code) => stderr.includes(limitMarkers[code])) ?? null
}

export interface Watchdog {
  begin(): void
  step(): void
  end(): void
}

/** Seconds of CPU of all threads. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** In a thread, as the main one may be busy for minutes; V8's limits do not count ArrayBuffers. */
export function startWatchdog({ childMegabytes, secondsPerPage, secondsPerPaper }: PaperLimits): Watchdog {
  /** Of the step and of the task, in `cpuSeconds`. */
  const ends = new Float64Array(new SharedArrayBuffer(16)).fill(Infinity)
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: { bytes: childMegabytes * 2 ** 20, ends, parent: process.ppid },
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  })
  thread.unref()
  const step = () => {
    ends[0] = cpuSeconds() + secondsPerPage
  }
  return {
    begin() {
      step()
      ends[1] = cpuSeconds() + secondsPerPaper
    },
    step,
    end() {
      ends.fill(Infinity)
    },
  }
}
