import { join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import type { S3FileStore } from '../../lib/storage/s3-file-store.ts'
import type { S3Location } from '../../lib/storage/s3-location.ts'
import { HASH_OF_PAPER, paperFile } from './backup-format.ts'
import { copyChecked, type WrittenFile, writeStreamChecked } from './checked-files.ts'
import { namesIn } from './data-folder.ts'

/** Where a backup copies papers from. */
export interface PaperSource {
  hashes(): AsyncIterable<string>
  /** Fails with `ENOENT`, and writes nothing, if there is no such paper. */
  copy(hash: string, to: string): Promise<WrittenFile>
  close(): void
}

/**
 * The store of FILES_URL, for a command.
 * @throws {OperatorError} unless it answers
 */
export async function openS3Papers(location: S3Location, dataDir: string): Promise<S3FileStore> {
  const { createS3FileStore } = await import('../../lib/storage/s3-file-store.ts')
  const cacheFolder = join(dataDir, 'papers-cache')
  const store = createS3FileStore({ location, cacheFolder, cacheBytes: 0, log: { warn: () => {} } })
  if (await store.isReachable()) return store
  store.close()
  throw new OperatorError('The paper store that FILES_URL names cannot be reached. Nothing was done.')
}

export async function openPaperSource(dataDir: string, location: S3Location | null): Promise<PaperSource> {
  if (!location) return diskPapers(dataDir)
  const store = await openS3Papers(location, dataDir)
  return {
    hashes: () => store.listOlderThan(new Date(END_OF_TIME_MS)),
    copy: (hash, to) => writeStreamChecked(store.read(hash), to),
    close: store.close,
  }
}

const END_OF_TIME_MS = 8.64e15

function diskPapers(dataDir: string): PaperSource {
  return {
    async *hashes() {
      for (const folder of await namesIn(join(dataDir, 'papers'))) {
        // Such as the lost+found of a disk.
        if (!/^[0-9a-f]{2}$/.test(folder)) continue
        for (const name of await namesIn(join(dataDir, 'papers', folder))) {
          const hash = HASH_OF_PAPER.exec(name)?.[1]
          if (hash) yield hash
        }
      }
    },
    copy: (hash, to) => copyChecked(join(dataDir, paperFile(hash)), to),
    close: () => {},
  }
}
