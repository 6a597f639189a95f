/** Drivers decide by number, people read the name. */
const CODES = {
  InternalError: 1,
  BadValue: 2,
  FailedToParse: 9,
  TypeMismatch: 14,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  DollarPrefixedFieldName: 52,
  NotSingleValueField: 54,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  CommandNotSupported: 115,
  ExceededMemoryLimit: 146,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  OutOfDiskSpace: 14031,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
} as const

/** Many of MongoDB's errors have only a number. */
type CodeName = keyof typeof CODES | `Location${number}`

interface MongoErrorDetails {
  keyPattern?: Record<string, unknown>
  keyValue?: Record<string, unknown>
}

export class MongoError extends Error {
  readonly code: number
  readonly codeName: CodeName
  readonly details: MongoErrorDetails

  constructor(codeName: CodeName, message: string, details: MongoErrorDetails = {}) {
    super(message)
    this.name = 'MongoError'
    this.codeName = codeName
    this.code = codeName in CODES ? CODES[codeName as keyof typeof CODES] : Number(codeName.slice('Location'.length))
    this.details = details
  }
}

export function toMongoError(error: unknown): MongoError {
  if (error instanceof MongoError) return error
  if (isDiskFullError(error)) {
    return new MongoError(
      'OutOfDiskSpace',
      'The disk that holds the database is full: this change was not stored. Free some space and try again.',
    )
  }
  if (((sqliteCodeOf(error) ?? 0) & 0xff) === CORRUPT) return damaged('The database file is damaged')
  return new MongoError('InternalError', error instanceof Error ? error.message : String(error))
}

export function notSupported(what: string): MongoError {
  return new MongoError('CommandNotSupported', `${what} is not supported by the embedded database`)
}

export function damaged(what: string): MongoError {
  return new MongoError('InternalError', `${what}. Stop the server and run: npm run check-store`)
}

const CORRUPT = 11

export function sqliteCodeOf(error: unknown): number | undefined {
  if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') return error.errcode
  return undefined
}

function isDiskFullError(error: unknown): boolean {
  const code = sqliteCodeOf(error)
  // 13 FULL; IOERR_WRITE and IOERR_SHMSIZE can come from a full tmpfs or quota.
  return code === 13 || code === 778 || code === 4874
}
