import { readFile } from 'node:fs/promises'
import { createResultCache, hashOf } from '../../../tests/papers/result-cache.ts'
import { PaperError } from '../papers/paper-error.ts'
import { createPaperReader, type PaperReader } from '../papers/paper-reader.ts'

const cached = createResultCache('test-readings', ['server/src/papers', 'shared/src/papers.ts'])

/** Shared by all servers of this process, so that test files do not wait for child processes to start. Never closed. */
let shared: PaperReader | undefined

/**
 * Reads each paper once for all tests, since most tests are about what happens afterwards. Failures are not cached. Reading itself is
 * tested in `papers/`; a test that sets limits has its own reader.
 */
export function createCachedPaperReader(): PaperReader {
  shared ??= createPaperReader()
  const reader = shared
  const closed = new AbortController()
  const contentOf = async (file: string) => hashOf([await readFile(file)])

  return {
    async check(file) {
      const reply = await cached(['check', await contentOf(file)], async () =>
        Buffer.from(JSON.stringify(await reader.check(file))),
      )
      return JSON.parse(reply.toString())
    },
    async read(file, { signal, onPage, skip } = {}) {
      const until = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal
      const reply = cached(['read', await contentOf(file), ...(skip ?? [])], async () =>
        Buffer.from(
          JSON.stringify(await reader.read(file, { ...(onPage ? { onPage } : {}), ...(skip ? { skip } : {}) })),
        ),
      )
      // Concurrent readers of the same paper share the result.
      return JSON.parse((await unless(until, reply)).toString())
    },
    async renderPage(file, page, { width }) {
      return cached(['page', await contentOf(file), page, width], () => reader.renderPage(file, page, { width }))
    },
    markUp: (file, markup, options) => reader.markUp(file, markup, options),
    countPages: (file) => reader.countPages(file),
    scanPages: (file, pages, options) => reader.scanPages(file, pages, options),
    readTops: (file, pages, options) => reader.readTops(file, pages, options),
    compose: (pages, options) => reader.compose(pages, options),
    printCopies: (file, copies, options) => reader.printCopies(file, copies, options),
    readPageCodes: (file, pages, options) => reader.readPageCodes(file, pages, options),
    printAnswerSheets: (sheets, options) => reader.printAnswerSheets(sheets, options),
    readAnswerSheets: (file, pages, options) => reader.readAnswerSheets(file, pages, options),
    pageOfPicture: (task, options) => reader.pageOfPicture(task, options),
    cpuUsage: () => reader.cpuUsage(),
    tasksWaiting: () => reader.tasksWaiting(),
    processIds: () => reader.processIds(),
    async close() {
      closed.abort()
    },
  }
}

function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {})
    return Promise.reject(new PaperError('cancelled'))
  }
  return new Promise((resolve, reject) => {
    const stop = () => reject(new PaperError('cancelled'))
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
