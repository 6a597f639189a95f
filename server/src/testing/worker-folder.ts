import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

/** A temporary folder that is deleted when Vitest ends this worker. */
export function createWorkerFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tests-'))
  folders.push(folder)
  if (folders.length === 1) process.once('SIGTERM', deleteFolders)
  return folder
}

function deleteFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  process.kill(process.pid, 'SIGTERM')
}
