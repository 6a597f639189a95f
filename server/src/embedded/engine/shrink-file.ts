import { toMongoError } from '../mongo-error.ts'
import { releasePages, sparePages } from '../storage/free-pages.ts'
import type { Engine } from './engine.ts'

/** Few milliseconds' work, so that other commands wait no longer. */
const PAGES_PER_STEP = 200

/** Gives free pages back to the disk after large deletions, in small steps between other writes. */
export function startShrinking(engine: Engine, everyMs: number, log: (line: string) => void): { stop(): void } {
  let running = false
  let stopped = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    shrink(engine)
      .catch((error: unknown) => {
        const { codeName, message } = toMongoError(error)
        // Someone's transaction is open: the next time is soon enough.
        if (codeName !== 'LockTimeout' && !stopped) log(`embedded database: shrinking the file failed: ${message}`)
      })
      .finally(() => {
        running = false
      })
  }, everyMs)
  timer.unref()
  return {
    stop() {
      stopped = true
      clearInterval(timer)
    },
  }
}

async function shrink({ store, writes }: Engine): Promise<void> {
  if (sparePages(store) === 0) return
  while (sparePages(store) > 0)
    await writes.write(() => releasePages(store, Math.min(PAGES_PER_STEP, sparePages(store))))
  // The file is cut when the whole log has been moved into it.
  await writes.acquireWriter('command')
  try {
    store.emptyLog()
  } finally {
    writes.releaseWriter()
  }
}
