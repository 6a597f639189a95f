import { afterAll } from 'vitest'
import { createPaperFolder } from '../../../tests/papers/temporary-papers.ts'
import { createPaperReader, type PaperReader } from '../papers/paper-reader.ts'

interface PaperFolder {
  /** Returns its path. */
  put(bytes: Buffer): Promise<string>
}

/** A folder for PDFs, deleted when the test file ends. */
export function usePaperFolder(): PaperFolder {
  const folder = createPaperFolder()
  afterAll(async () => (await folder).remove())
  return { put: async (bytes) => (await folder).put(bytes) }
}

/** With a folder for PDFs and, unless one is given, one child process; both are gone when the test file ends. */
export function usePaperReader(reader = createPaperReader({ processes: 1 })): {
  reader: PaperReader
  papers: PaperFolder
} {
  const papers = usePaperFolder()
  afterAll(() => reader.close())
  return { reader, papers }
}
