import { mongo } from 'mongoose'
import { OpenFailure } from '../../embedded/storage/open-store.ts'
import { hasCode } from '../../lib/has-code.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { FileStoreUnreachableError } from '../../lib/storage/file-store-error.ts'

const EXPECTED = [OperatorError, OpenFailure, FileStoreUnreachableError]

export function explainFailure(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return `The disk is full${at(error)}. Free some space and try again.`
  if (hasCode(error, 'EACCES', 'EPERM'))
    return `Access was denied${at(error)}. Run this as the user that Assay runs as, and let that user read and write there.`
  if (hasCode(error, 'EFBIG')) return `The disk takes no files as large as that${at(error)}.`
  if (hasCode(error, 'EROFS')) return `The disk is read-only${at(error)}.`
  if (hasCode(error, 'ENOTDIR', 'EEXIST')) return `A file is where a folder should be${at(error)}.`
  if (hasCode(error, 'EBUSY', 'EXDEV')) return `The system refused to move a file or folder${at(error)}. Try again.`
  if (hasCode(error, 'EIO')) return `The disk failed${at(error)}.`
  if (error instanceof mongo.MongoError) return `The database failed: ${error.message}`
  return EXPECTED.some((kind) => error instanceof kind) ? error.message : null
}

const at = (error: Error) => ('path' in error && typeof error.path === 'string' ? ` (${error.path})` : '')
