import { readFile } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { createResultCache, hashOf } from '../../../tests/papers/result-cache.ts'
import { createPaperFolder } from '../../../tests/papers/temporary-papers.ts'
import { PaperError } from '../papers/paper-error.ts'
import { createPaperReader, type PaperReader } from '../papers/paper-reader.ts'

const madeBy = ['server/src/papers', 'shared/src/papers.ts', 'server/src/testing/cached-paper-reader.ts']
const cached = createResultCache('test-readings', madeBy, { compared: true })
/** Test files need not wait for child processes to start. */
let shared: PaperReader | undefined

export function createCachedPaperReader(): PaperReader {
  shared ??= createPaperReader()
  const reader = shared
  const closed = new AbortController()
  const contentOf = async (file: string) => hashOf([await readFile(file)])

  async function readOnce<T>(
    input: readonly unknown[],
    make: () => Promise<T>,
    signal: AbortSignal = closed.signal,
  ): Promise<T> {
    const result = cached(input, async () => Buffer.from(JSON.stringify(await make(), packBuffer)))
    return JSON.parse((await unless(AbortSignal.any([signal, closed.signal]), result)).toString(), reviveBuffer)
  }

  const read: PaperReader['read'] = async (file, { signal, onPage, skip } = {}) => {
    const options = { ...(onPage ? { onPage } : {}), ...(skip ? { skip } : {}) }
    return readOnce(['read', await contentOf(file), ...(skip ?? [])], () => reader.read(file, options), signal)
  }

  return {
    check: async (file) => readOnce(['check', await contentOf(file)], () => reader.check(file)),
    read,
    readTyped: read,
    async renderPage(file, page, { width }) {
      return cached(['page', await contentOf(file), page, width], () => reader.renderPage(file, page, { width }))
    },
    async scanPages(file, pages, { blank, signal, onPage }) {
      const input = ['scan', await contentOf(file), pages, blank && (await contentOf(blank))]
      return readOnce(input, () => reader.scanPages(file, pages, { blank, ...(onPage ? { onPage } : {}) }), signal)
    },
    async readTops(file, pages, { signal } = {}) {
      return readOnce(['tops', await contentOf(file), pages], () => reader.readTops(file, pages), signal)
    },
    async readPageCodes(file, pages, { signal, onPage } = {}) {
      const input = ['codes', await contentOf(file), pages]
      return readOnce(input, () => reader.readPageCodes(file, pages, onPage ? { onPage } : {}), signal)
    },
    async readAnswerSheets(file, pages, { signal, onPage } = {}) {
      const input = ['sheets', await contentOf(file), pages]
      return readOnce(input, () => reader.readAnswerSheets(file, pages, onPage ? { onPage } : {}), signal)
    },
    markUp: (file, markup, options) => reader.markUp(file, markup, options),
    countPages: (file) => reader.countPages(file),
    compose: (pages, options) => reader.compose(pages, options),
    printCopies: (file, copies, options) => reader.printCopies(file, copies, options),
    printSeparators: (count) => reader.printSeparators(count),
    printAnswerSheets: (sheets, options) => reader.printAnswerSheets(sheets, options),
    async pageOfPicture({ file, ...task }, { signal } = {}) {
      const input = ['picture', await contentOf(file), task]
      return readOnce(input, () => reader.pageOfPicture({ file, ...task }), signal)
    },
    cpuUsage: () => reader.cpuUsage(),
    tasksWaiting: () => reader.tasksWaiting(),
    processIds: () => reader.processIds(),
    async close() {
      closed.abort()
    },
  }
}

/** A Buffer's own JSON is a list of numbers, four times as long as it. */
function packBuffer(_key: string, value: unknown): unknown {
  return isBufferJson(value) ? { base64: Buffer.from(value.data).toString('base64') } : value
}

function reviveBuffer(_key: string, value: unknown): unknown {
  const isPacked = typeof value === 'object' && value !== null && 'base64' in value
  return isPacked && typeof value.base64 === 'string' ? Buffer.from(value.base64, 'base64') : value
}

function isBufferJson(value: unknown): value is { data: number[] } {
  const isObject = typeof value === 'object' && value !== null && 'type' in value && 'data' in value
  return isObject && value.type === 'Buffer' && Array.isArray(value.data)
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

interface PaperFolder {
  put(bytes: Buffer): Promise<string>
}

export function usePaperFolder(): PaperFolder {
  const folder = createPaperFolder()
  afterAll(async () => (await folder).remove())
  return { put: async (bytes) => (await folder).put(bytes) }
}

/** Both are gone when the test file ends. */
export function usePaperReader(reader = createPaperReader({ processes: 1 })): {
  reader: PaperReader
  papers: PaperFolder
} {
  const papers = usePaperFolder()
  afterAll(() => reader.close())
  return { reader, papers }
}
