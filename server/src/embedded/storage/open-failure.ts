import { statfsSync } from 'node:fs'
import { MongoError, sqliteCodeOf } from '../mongo-error.ts'

export type OpenFailureCode = 'in_use' | 'corrupt' | 'disk_full' | 'unwritable'

/** In one line for the person who starts the program. */
export class OpenFailure extends Error {
  readonly code: OpenFailureCode

  constructor(code: OpenFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'OpenFailure'
    this.code = code
  }
}

export const RESTORE =
  'Nothing was changed; restore a backup (docs/deploy.md#backups), or let `npm run check-store` say what can be read.'

export const BUSY = 5
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26

export function explainOpenError(error: unknown, file: string, folder: string): OpenFailure {
  if (error instanceof OpenFailure) return error
  // A document that does not match its checksum.
  if (error instanceof MongoError) return new OpenFailure('corrupt', error.message)
  const primary = (sqliteCodeOf(error) ?? 0) & 0xff
  const reason = error instanceof Error ? error.message : String(error)
  const cause = { cause: error }
  if (primary === CORRUPT || primary === NOT_A_DATABASE) {
    return new OpenFailure('corrupt', `The database file ${file} is damaged (${reason}). ${RESTORE}`, cause)
  }
  if (primary === FULL || isFull(error, folder)) {
    return new OpenFailure(
      'disk_full',
      `The disk that holds ${folder} is full. Free some space and start again.`,
      cause,
    )
  }
  if (primary === BUSY)
    return new OpenFailure('in_use', `The database file ${file} is in use by another process.`, cause)
  return new OpenFailure('unwritable', `The database folder ${folder} cannot be written (${reason}).`, cause)
}

function isFull(error: unknown, folder: string): boolean {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return true
  try {
    return statfsSync(folder).bavail === 0
  } catch {
    return false
  }
}
