import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageUsage } from '@assay/shared/settings.ts'
import type { z } from 'zod'
import type { Config } from '../../config.ts'
import { diskSpace } from '../../lib/storage/disk-space.ts'
import { measureAssignmentPapers } from '../assignments/assignment.service.ts'
import { measureSubmittedPapers } from '../submissions/submission-queries.ts'

/** Bytes of the files in a folder; 0 where there is none. */
async function folderSize(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  // A file may be deleted meanwhile, such as a write-ahead log.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (file) => (file.isFile() ? file.size : 0),
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

export async function measureStorageUsage(
  config: Pick<Config, 'dataDir' | 'mongodbUrl' | 'filesLocation'>,
): Promise<z.infer<typeof StorageUsage>> {
  const [submitted, given, space, database] = await Promise.all([
    measureSubmittedPapers(),
    measureAssignmentPapers(),
    diskSpace(config.dataDir),
    config.mongodbUrl === null ? folderSize(join(config.dataDir, 'database')) : null,
  ])
  const s3 = config.filesLocation
  return {
    folder: s3 ? `s3://${s3.bucket}/${s3.prefix}` : join(config.dataDir, 'papers'),
    papers: submitted.papers + given.papers,
    paper_bytes: submitted.bytes + given.bytes,
    database_bytes: database,
    ...space,
  }
}
