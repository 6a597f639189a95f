import type { mongo } from 'mongoose'

/** A collection's name and its indexes as `listIndexes` describes them, with their BSON types. */
export interface StoredCollection {
  name: string
  indexes: mongo.Document[]
}

/** All that a database holds, wherever it is: the embedded store, a MongoDB or a backup. */
export interface DatabaseReader {
  collections: StoredCollection[]
  /** Each document's BSON. The bytes are valid until the next one is asked for. */
  documents(collection: string): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** False: documents that change meanwhile may be of different moments. */
  oneMoment: boolean
  close(): Promise<void>
}
