import { afterAll } from 'vitest'
import { createPaperFolder } from '../../../tests/papers/temporary-papers.ts'
import { createPaperReader, type PaperReader } from '../papers/paper-reader.ts'

/** With one child process and a folder for PDFs; both are gone when the test file ends. */
export function usePaperReader(): { reader: PaperReader; papers: { put(bytes: Buffer): Promise<string> } } {
  const reader = createPaperReader({ processes: 1 })
  const folder = createPaperFolder()
  afterAll(async () => {
    await reader.close()
    await (await folder).remove()
  })
  return { reader, papers: { put: async (bytes) => (await folder).put(bytes) } }
}
