import { join } from 'node:path'
import type { Log } from '../../lib/log.ts'
import { createDiskFileStore, type FileStore } from '../../lib/storage/file-store.ts'
import { FileStoreUnreachableError } from '../../lib/storage/file-store-error.ts'
import type { S3Location } from './s3-location.ts'

const RETRY_MS = 5000
const CACHE_BYTES = 4 * 2 ** 30

interface OpenFileStore {
  files: FileStore
  hasAnswered(): boolean
  /** Before any deletion. @throws {OperatorError} if the papers are another's */
  claim(): Promise<void>
  close(): void
}

/** Does not wait for an unresponsive store. @throws {OperatorError} if access is refused */
export async function openFileStore(
  { dataDir, filesLocation }: { dataDir: string; filesLocation: S3Location | null },
  log: Log,
  installation: () => Promise<string>,
): Promise<OpenFileStore> {
  if (!filesLocation) {
    return {
      files: createDiskFileStore(join(dataDir, 'papers')),
      hasAnswered: () => true,
      claim: async () => {},
      close: () => {},
    }
  }
  const { createS3FileStore } = await import('./s3-file-store.ts')
  const cacheFolder = join(dataDir, 'papers-cache')
  const files = createS3FileStore({ location: filesLocation, cacheFolder, cacheBytes: CACHE_BYTES, log, installation })
  let answered = await files.isReachable()
  let closed = false
  let retry: NodeJS.Timeout | undefined
  if (!answered) {
    log.error({ bucket: filesLocation.bucket }, 'the paper store cannot be reached')
    const tryAgain = async () => {
      answered = await files.isReachable().catch((error: unknown) => {
        log.error({ reason: error instanceof Error ? error.message : '' }, 'the paper store refuses us')
        return false
      })
      if (!answered && !closed) retry = setTimeout(tryAgain, RETRY_MS)
      else if (answered) log.info('the paper store was reached')
    }
    retry = setTimeout(tryAgain, RETRY_MS)
  }
  return {
    files,
    hasAnswered: () => answered,
    claim: () =>
      files.claim().catch((error: unknown) => {
        if (!(error instanceof FileStoreUnreachableError)) throw error
      }),
    close() {
      closed = true
      clearTimeout(retry)
      files.close()
    },
  }
}
