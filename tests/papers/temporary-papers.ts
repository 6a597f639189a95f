import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function createPaperFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-papers-'))
  let count = 0
  return {
    async put(bytes: Buffer): Promise<string> {
      count += 1
      const file = join(folder, `${count}.pdf`)
      await writeFile(file, bytes)
      return file
    },
    remove: () => rm(folder, { recursive: true }),
  }
}
