import { join } from 'node:path'
import type { StorageUsage } from '@assay/shared/settings.ts'
import type { z } from 'zod'
import type { Config } from '../../config.ts'
import { diskSpace, folderSize } from '../../lib/storage/disk-space.ts'
import { measureAssignmentPapers } from '../assignments/assignment.service.ts'
import { measureSubmittedPapers } from '../submissions/submission-queries.ts'

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
