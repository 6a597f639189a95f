import { readFile } from 'node:fs/promises'
import { createResultCache, hashOf } from '../../../tests/papers/result-cache.ts'
import { PaperError } from '../papers/paper-error.ts'
import { createPaperReader, type PaperReader } from '../papers/paper-reader.ts'

const cached = createResultCache('test-readings', ['server/src/papers', 'shared/src/papers.ts'])

/** One for all servers of this process, so that a test file need not wait for child processes to start. It is never closed. */
let shared: PaperReader | undefined

/**
 * Reads with the product's own code, each paper once for all tests: most of them are about what comes after. What cannot be read is
 * not cached. Reading itself is tested in `papers/`, and a test that sets its limits has a reader of its own.
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
    async read(file, { signal, onPage } = {}) {
      const until = signal ? AbortSignal.any([signal, closed.signal]) : closed.signal
      const reply = cached(['read', await contentOf(file)], async () =>
        Buffer.from(JSON.stringify(await reader.read(file, onPage && { onPage }))),
      )
      // Whoever else waits for the same paper gets it.
      return JSON.parse((await unless(until, reply)).toString())
    },
    async renderPage(file, page, { width }) {
      return cached(['page', await contentOf(file), page, width], () => reader.renderPage(file, page, { width }))
    },
    cpuUsage: () => reader.cpuUsage(),
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
