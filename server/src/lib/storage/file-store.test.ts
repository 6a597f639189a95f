import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDiskFileStore } from './file-store.ts'

const HOUR_MS = 3600_000
const hash = 'a'.repeat(64)
const anHourAgo = () => new Date(Date.now() - HOUR_MS)
const longAgo = new Date(Date.now() - 5 * HOUR_MS)

let folder: string
let paper: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-files-'))
  paper = join(folder, 'upload')
  writeFileSync(paper, '%PDF-1.7')
})
afterEach(() => rmSync(folder, { recursive: true }))

const store = () => createDiskFileStore(join(folder, 'papers'))

it('does not delete a file that was stored again after its age was read', async () => {
  const files = store()
  await files.store(paper, hash)
  await utimes(await files.localPath(hash), longAgo, longAgo)
  const moment = anHourAgo()
  for await (const found of files.listOlderThan(moment)) {
    expect(found).toBe(hash)
    // At the same moment, the writer first or nearly so: a stored file must stay stored.
    const [, removed] = await Promise.all([files.store(paper, hash), files.removeIfOlderThan(hash, moment)])
    expect(removed).toBe(false)
  }
  expect(await files.size(hash)).toBe(8)

  await utimes(await files.localPath(hash), longAgo, longAgo)
  const [removed] = await Promise.all([files.removeIfOlderThan(hash, moment), files.store(paper, hash)])
  expect(removed).toBe(true)
  expect(await files.size(hash)).toBe(8) // Stored again.
})

it('counts a paper’s age from when it was stored, however long the upload took', async () => {
  const files = store()
  await utimes(paper, longAgo, longAgo)
  await files.store(paper, hash)
  expect((await stat(await files.localPath(hash))).mtime.getTime()).toBeGreaterThan(longAgo.getTime() + HOUR_MS)
})

it('deletes partial files of a killed process, and none that is being stored', async () => {
  const files = store()
  await files.store(paper, hash)
  const home = dirname(await files.localPath(hash))
  const [old, young] = [join(home, `${hash}.pdf.old`), join(home, `${hash}.pdf.young`)]
  for (const path of [old, young]) await writeFile(path, '%PDF')
  for (const path of [old, await files.localPath(hash)]) await utimes(path, longAgo, longAgo)
  await files.removePartialFiles(anHourAgo())
  expect(readdirSync(home).sort()).toEqual([`${hash}.pdf`, `${hash}.pdf.young`])
})
