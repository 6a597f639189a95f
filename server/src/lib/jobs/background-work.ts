import type { Log } from '../log.ts'
import type { Job } from './job.ts'

/** What a feature does in the background, from the start of the process to its end. */
export interface BackgroundWork {
  jobs: Job[]
  /**
   * Continues what a process that has ended left unfinished. Called once the queue runs, and again whenever another process has died; others
   * are at work meanwhile, so it leaves alone what may be theirs, or does it in a way that may be done twice.
   */
  resume?(): Promise<void>
  /** Called once, after the first `resume`: it does again and again what has to be, from here on. */
  repeat?(): Promise<void>
  /** Called before the queue stops. */
  stop?(): Promise<void>
}

interface RepeatOptions {
  log: Log
  /** What the log says when it fails; the next time comes anyway. */
  failure: string
  /** Whether it is also done at the start, before `repeat` returns. */
  atStart?: boolean
}

/**
 * Repeats `work` every `intervalMs`, never twice at a time. `stop` waits for what is under way, so work that may take long ends early
 * when its signal aborts.
 */
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
