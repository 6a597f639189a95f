import { mongo } from 'mongoose'
import { EmbeddedDatabaseError } from '../../embedded/embedded-database.ts'
import { OpenFailure } from '../../embedded/storage/open-failure.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { FileStoreUnreachableError } from '../../lib/storage/file-store-error.ts'
import { hasCode } from './checked-files.ts'

const isExpected = (error: unknown): error is Error =>
  error instanceof OperatorError ||
  error instanceof OpenFailure ||
  error instanceof EmbeddedDatabaseError ||
  error instanceof FileStoreUnreachableError

/** A sentence for whoever ran the command; null for a bug. */
export function explainFailure(error: unknown): string | null {
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT'))
    return `The disk is full${at(error)}. Free some space and try again.`
  if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM'))
    return `Access was denied${at(error)}. Run this as the user that Assay runs as, and let that user read and write there.`
  if (hasCode(error, 'EFBIG')) return `The disk takes no files as large as that${at(error)}.`
  if (hasCode(error, 'EROFS')) return `The disk is read-only${at(error)}.`
  if (hasCode(error, 'ENOTDIR')) return `A file is where a folder should be${at(error)}.`
  if (hasCode(error, 'EIO')) return `The disk failed${at(error)}.`
  if (error instanceof mongo.MongoError) return `The database failed: ${error.message}`
  return isExpected(error) ? error.message : null
}

const at = (error: unknown) =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? ` (${error.path})` : ''
