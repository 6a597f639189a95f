import { type Doc, isDoc, toNumber } from '../bson-values.ts'
import { MongoError } from '../mongo-error.ts'

/** What every command may have. None of these changes what a store of one machine answers, but for the concerns, which are checked. */
const GENERIC = [
  ...['$db', 'lsid', '$clusterTime', 'txnNumber', 'autocommit', 'startTransaction', 'stmtId', 'stmtIds'],
  ...['readConcern', 'writeConcern', '$readPreference', 'comment', 'maxTimeMS'],
  ...[
    'apiVersion',
    'apiStrict',
    'apiDeprecationErrors',
    '$client',
    '$audit',
    '$configTime',
    '$topologyTime',
    'rawData',
  ],
]

interface Options {
  known: string[]
  /** Options of MongoDB that would change the answer. */
  refused?: string[]
}

const OPTIONS = new Map<string, Options>(
  Object.entries({
    find: {
      known: [
        ...['filter', 'projection', 'sort', 'hint', 'skip', 'limit', 'batchSize', 'singleBatch', 'let', 'collation'],
        ...['noCursorTimeout', 'allowPartialResults', 'allowDiskUse', 'oplogReplay'],
      ],
      refused: [
        ...['min', 'max', 'returnKey', 'showRecordId', 'tailable', 'awaitData', 'encryptionInformation'],
        ...['$_requestResumeToken', '$_resumeAfter', '$_startAt', 'includeQueryStatsMetrics', 'querySettings'],
      ],
    },
    getMore: { known: ['collection', 'batchSize'], refused: ['term', 'lastKnownCommittedOpTime'] },
    killCursors: { known: ['cursors'] },
    count: {
      known: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'],
      refused: ['encryptionInformation'],
    },
    distinct: { known: ['key', 'query', 'collation', 'hint'] },
    aggregate: {
      known: ['pipeline', 'cursor', 'allowDiskUse', 'hint', 'let', 'collation', 'bypassDocumentValidation', 'explain'],
      refused: ['exchange', 'encryptionInformation', '$_requestReshardingResumeToken', 'querySettings'],
    },
    insert: {
      known: ['documents', 'ordered', 'bypassDocumentValidation', 'bypassEmptyTsReplacement'],
      refused: ['encryptionInformation'],
    },
    update: {
      known: ['updates', 'ordered', 'let', 'bypassDocumentValidation', 'bypassEmptyTsReplacement'],
      refused: ['encryptionInformation'],
    },
    'update.updates': {
      known: ['q', 'u', 'c', 'multi', 'upsert', 'arrayFilters', 'hint', 'collation', 'sort', 'sampleId'],
      refused: ['upsertSupplied', 'allowShardKeyUpdatesWithoutFullShardKeyInQuery'],
    },
    delete: { known: ['deletes', 'ordered', 'let'], refused: ['encryptionInformation'] },
    'delete.deletes': { known: ['q', 'limit', 'hint', 'collation', 'sampleId'] },
    findAndModify: {
      known: [
        ...['query', 'fields', 'sort', 'hint', 'collation', 'arrayFilters', 'remove', 'update', 'upsert', 'new', 'let'],
        ...['bypassDocumentValidation', 'bypassEmptyTsReplacement', 'sampleId'],
      ],
      refused: ['encryptionInformation', 'allowShardKeyUpdatesWithoutFullShardKeyInQuery'],
    },
    create: {
      known: ['collation'],
      refused: [
        ...['capped', 'size', 'max', 'timeseries', 'expireAfterSeconds', 'viewOn', 'pipeline', 'clusteredIndex'],
        ...['validator', 'validationLevel', 'validationAction', 'changeStreamPreAndPostImages', 'recordPreImages'],
        ...['autoIndexId', 'idIndex', 'storageEngine', 'indexOptionDefaults', 'encryptedFields', 'temp', 'flags'],
      ],
    },
    drop: { known: [] },
    dropDatabase: { known: [] },
    renameCollection: { known: ['to', 'dropTarget'], refused: ['stayTemp'] },
    createIndexes: { known: ['indexes', 'commitQuorum'], refused: ['ignoreUnknownIndexOptions'] },
    listIndexes: { known: ['cursor'], refused: ['includeBuildUUIDs', 'includeIndexBuildInfo'] },
    dropIndexes: { known: ['index'] },
    listCollections: { known: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'] },
    listDatabases: { known: ['filter', 'nameOnly', 'authorizedDatabases'] },
    collMod: {
      known: ['index'],
      refused: [
        ...[
          'validator',
          'validationLevel',
          'validationAction',
          'viewOn',
          'pipeline',
          'expireAfterSeconds',
          'timeseries',
        ],
        ...['changeStreamPreAndPostImages', 'recordPreImages', 'cappedSize', 'cappedMax', 'dryRun'],
      ],
    },
    'collMod.index': {
      known: ['name', 'keyPattern', 'expireAfterSeconds'],
      refused: ['hidden', 'unique', 'prepareUnique', 'forceNonUnique'],
    },
    collStats: { known: ['scale'] },
    dbStats: { known: ['scale', 'freeStorage'] },
    explain: { known: ['verbosity'] },
  }),
)

const ALIASES = new Map([['findandmodify', 'findAndModify']])

/** Refuses an option that is unknown, as MongoDB does, or that would change the answer but is not obeyed. */
export function assertOptions(name: string, body: Doc): void {
  const command = ALIASES.get(name) ?? name
  if (!OPTIONS.has(command)) return
  assertFields(command, body, [name, ...GENERIC])
  assertReadConcern(body)
  assertWriteConcern(body)
}

/** The same for one statement of a command (`update.updates`), or another document in it. */
export function assertFields(name: string, options: Doc, also: string[] = []): void {
  const { known = [], refused = [] }: Partial<Options> = OPTIONS.get(name) ?? {}
  for (const [option, value] of Object.entries(options)) {
    if (known.includes(option) || also.includes(option)) continue
    if (!refused.includes(option)) {
      throw new MongoError('IDLUnknownField', `BSON field '${name}.${option}' is an unknown field.`)
    }
    if (isUnset(value)) continue
    throw new MongoError(
      'CommandNotSupported',
      `The option '${option}' of ${name} is not supported by the embedded database`,
    )
  }
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === false || (isDoc(value) && Object.keys(value).length === 0)
}

const LEVELS = new Set(['local', 'majority', 'available', 'linearizable', 'snapshot'])

/** Reads see the newest state; only a transaction reads at one point in time. */
function assertReadConcern({ readConcern, autocommit }: Doc): void {
  if (!isDoc(readConcern)) return
  const { level } = readConcern
  if (level !== undefined && !LEVELS.has(String(level))) {
    throw new MongoError('BadValue', `Enumeration value '${String(level)}' for field 'readConcern.level' is not valid`)
  }
  if (readConcern.atClusterTime !== undefined || (level === 'snapshot' && autocommit !== false)) {
    throw new MongoError(
      'CommandNotSupported',
      'Read concern snapshot outside a transaction is not supported by the embedded database',
    )
  }
}

function assertWriteConcern({ writeConcern }: Doc): void {
  if (!isDoc(writeConcern)) return
  const { w } = writeConcern
  const nodes = toNumber(w)
  if (nodes !== undefined && nodes > 1) {
    throw new MongoError(
      'UnsatisfiableWriteConcern',
      `Not enough data-bearing nodes for w: ${nodes}. The embedded database is one.`,
    )
  }
  if (typeof w === 'string' && w !== 'majority') {
    throw new MongoError(
      'UnknownReplWriteConcern',
      `No write concern mode named '${w}' found in replica set configuration`,
    )
  }
}
