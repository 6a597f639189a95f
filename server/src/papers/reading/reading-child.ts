/** Opens untrusted PDFs: has no secrets, may not write files or start processes (`reading-process.ts`). */
import sharp from 'sharp'
import { PaperError } from '../paper-error.ts'
import type { PaperLimits } from '../paper-limits.ts'
import { isWasmTrap } from '../pdf/pdfjs-document.ts'
import { startMemoryWatchdog } from './memory-watchdog.ts'
import type { FromChild, ReadingReply, ToChild } from './reading-messages.ts'
import { runTask } from './run-task.ts'

// The server has died, perhaps by `kill -9`.
process.on('disconnect', () => process.exit(0))

// Pages are all different and drawn one at a time: a cache would only take memory from large ones.
sharp.cache(false)
sharp.concurrency(1)

let watched = false

process.on('message', async ({ id, task, limits }: ToChild) => {
  if (!watched) startMemoryWatchdog(limits.childMegabytes)
  watched = true
  // The time until now went into starting this process, not into the paper.
  send({ id, type: 'step' })
  try {
    const reply: ReadingReply[keyof ReadingReply] = await runTask(task, limits, {
      step: () => send({ id, type: 'step' }),
      page: (done, total) => send({ id, type: 'page', done, total }),
    })
    send({ id, type: 'done', reply, discard: isLarge(limits) })
  } catch (error) {
    const known = error instanceof PaperError ? error : new PaperError('damaged', undefined, { cause: error })
    send({
      id,
      type: 'failed',
      code: known.code,
      message: known.message,
      cause: String(known.cause ?? ''),
      discard: isLarge(limits) || isWasmTrap(error) || isWasmTrap(known.cause),
    })
  }
})

function isLarge(limits: PaperLimits): boolean {
  return process.memoryUsage.rss() > 0.7 * limits.childMegabytes * 2 ** 20
}

function send(message: FromChild): void {
  process.send?.(message)
}
