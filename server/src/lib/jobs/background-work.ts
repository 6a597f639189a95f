import type { Log } from '../log.ts'
import type { Job } from './job.ts'

export interface BackgroundWork {
  jobs: Job[]
  /** Continues an ended process's work, at start and after each death. Must spare others' work, or be idempotent. */
  resume?(): Promise<void>
  repeat?(): Promise<void>
  stop?(): Promise<void>
}

interface RepeatOptions {
  log: Log
  failure: string
  /** Also at the start, before `repeat` returns. */
  atStart?: boolean
}

/** Never runs twice at a time. `stop` waits for it, so long work should end early when its signal aborts. */
export function repeatedWork(
  intervalMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  { log, failure, atStart = true }: RepeatOptions,
): Required<Pick<BackgroundWork, 'repeat' | 'stop'>> {
  let timer: NodeJS.Timeout | undefined
  let underWay: Promise<unknown> | null = null
  const stopping = new AbortController()
  const run = () => {
    underWay ??= work(stopping.signal)
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => {
        underWay = null
      })
    return underWay
  }
  return {
    async repeat() {
      if (atStart) await run()
      timer = setInterval(run, intervalMs)
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await underWay
    },
  }
}
