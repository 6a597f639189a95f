import { DeferJob } from '../../../lib/jobs/job.ts'
import { removeUnreferencedFile } from '../../sweep-files.ts'
import type { ErasureTask } from './erasure-task.ts'

/** How long a file that was stored a moment ago is waited for, in ms: another upload of the same content may be about to refer to it. */
const WAIT_MS = 10 * 60 * 1000

/**
 * Files that nobody else's paper has, with what was read from them.
 * @throws {DeferJob} while one is too new
 */
export async function eraseFiles({ erasure, services, signal }: ErasureTask): Promise<void> {
  let waiting = 0
  for (const hash of erasure.file_hashes) {
    signal.throwIfAborted()
    if ((await removeUnreferencedFile(hash, services)) === 'too-new') waiting++
  }
  if (waiting > 0) throw new DeferJob(WAIT_MS, `${waiting} files were stored a moment ago`)
}
