import { Interruption } from './command-limits.ts'

/** The MongoDB error codes this store uses. Drivers decide by number, people read the name. */
const CODES = {
  InternalError: 1,
  BadValue: 2,
  GraphContainsCycle: 5,
  FailedToParse: 9,
  Unauthorized: 13,
  TypeMismatch: 14,
  IllegalOperation: 20,
  LockTimeout: 24,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  NotSingleValueField: 54,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  UnknownReplWriteConcern: 79,
  UnsatisfiableWriteConcern: 100,
  WriteConflict: 112,
  CommandNotSupported: 115,
  ExceededMemoryLimit: 146,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  QueryPlanKilled: 175,
  ConversionFailure: 241,
  NoSuchTransaction: 251,
  OperationNotSupportedInTransaction: 263,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  Interrupted: 11601,
  OutOfDiskSpace: 14031,
  IDLUnknownField: 40415,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
} as const

/** Many of MongoDB's errors have a number only. */
type CodeName = keyof typeof CODES | `Location${number}`

interface MongoErrorDetails {
  labels?: string[]
  keyPattern?: Record<string, unknown>
  keyValue?: Record<string, unknown>
}

/** An error for the client, with MongoDB's message and code if it has them. */
export class MongoError extends Error {
  readonly code: number
  readonly codeName: CodeName
  readonly details: MongoErrorDetails

  constructor(codeName: CodeName, message: string, details: MongoErrorDetails = {}) {
    super(message)
    this.name = 'MongoError'
    this.codeName = codeName
    this.code = codeOf(codeName)
    this.details = details
  }
}

function codeOf(name: CodeName): number {
  return name in CODES ? CODES[name as keyof typeof CODES] : Number(name.slice('Location'.length))
}

/** The message of an unexpected error. */
export function toMongoError(error: unknown): MongoError {
  if (error instanceof MongoError) return error
  if (error instanceof Interruption) return new MongoError(error.reason, error.message)
  if (isDiskFullError(error)) {
    return new MongoError(
      'OutOfDiskSpace',
      'The disk that holds the database is full: this change was not stored. Free some space and try again.',
    )
  }
  // mingo's errors about a pipeline or an expression are the client's mistakes.
  if (error instanceof Error && error.constructor.name === 'MingoError') {
    return fromMingo(error.message)
  }
  return new MongoError('InternalError', error instanceof Error ? error.message : String(error))
}

function fromMingo(message: string): MongoError {
  const unknown = /accumulator '(\$\w+)' is not registered/.exec(message)
  if (unknown) return new MongoError('InvalidPipelineOperator', `Unrecognized expression '${unknown[1]}'`)
  return new MongoError('BadValue', message)
}

export function sqliteCodeOf(error: unknown): number | undefined {
  if (error instanceof Error && 'errcode' in error && typeof error.errcode === 'number') return error.errcode
  return undefined
}

function isDiskFullError(error: unknown): boolean {
  const code = sqliteCodeOf(error)
  // 13 FULL; IOERR_WRITE and IOERR_SHMSIZE can come from a full tmpfs or quota.
  return code === 13 || code === 778 || code === 4874
}
