import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { StorageUse } from '@assay/shared/settings.ts'
import type { z } from 'zod'
import type { Config } from '../../config.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'

interface PaperTotals {
  papers: number
  bytes: number
}

/** Each content counts once, however many submissions refer to it: so it is stored. */
async function countStoredPapers(): Promise<PaperTotals> {
  const sum = { _id: null, papers: { $sum: 1 }, bytes: { $sum: '$size' } }
  const [submitted] = await SubmissionModel.aggregate<PaperTotals>([
    { $group: { _id: '$file.hash', size: { $first: '$file.size' } } },
    { $group: sum },
  ])
  const [given] = await AssignmentModel.aggregate<PaperTotals>([
    { $project: { files: ['$blank', '$key'] } },
    { $unwind: '$files' },
    { $group: { _id: '$files.hash', size: { $first: '$files.size' } } },
    { $group: sum },
  ])
  return {
    papers: (submitted?.papers ?? 0) + (given?.papers ?? 0),
    bytes: (submitted?.bytes ?? 0) + (given?.bytes ?? 0),
  }
}

/** Bytes of the files in a folder; 0 where there is none. */
async function folderSize(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  // A file may go while we look: a write-ahead log, for one.
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

/** Bytes free for us, and in all, where the data lies. */
export async function diskSpace(folder: string): Promise<{ free_bytes: number; total_bytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free_bytes: bavail * bsize, total_bytes: blocks * bsize }
}

export async function measureStorageUsage(
  config: Pick<Config, 'dataDir' | 'mongodbUrl'>,
): Promise<z.infer<typeof StorageUse>> {
  const [kept, room, database] = await Promise.all([
    countStoredPapers(),
    diskSpace(config.dataDir),
    config.mongodbUrl === null ? folderSize(join(config.dataDir, 'database')) : null,
  ])
  return {
    folder: join(config.dataDir, 'papers'),
    papers: kept.papers,
    paper_bytes: kept.bytes,
    database_bytes: database,
    ...room,
  }
}
