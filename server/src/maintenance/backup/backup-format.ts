import { createHmac } from 'node:crypto'
import { z } from 'zod'

/*
 * A backup is a folder:
 *   manifest.json                  what it is of, and counts
 *   SHA256SUMS                     of every other file, for `sha256sum -c` too; written last
 *   database/NAME.bson             a collection's documents, and
 *   database/NAME.metadata.json    its indexes, both as `mongodump` writes them
 *   papers/ab/HASH.pdf             as in the data folder
 *   data/                          other files of the data folder
 */
export const MANIFEST = 'manifest.json'
export const SUMS = 'SHA256SUMS'
export const DATABASE_FOLDER = 'database'
export const PAPERS_FOLDER = 'papers'
export const OTHER_FOLDER = 'data'
/** Ends the name of a folder that is still being written. */
export const UNFINISHED = '.unfinished'
export const FORMAT = 1

const Count = z.number().int().min(0)

export const Manifest = z.object({
  format: z.literal(FORMAT),
  assay: z.string(),
  made_at: z.iso.datetime(),
  /** Whether all documents are of one moment. */
  one_moment: z.boolean(),
  /** Names of the migrations the database has seen. */
  migrations: z.array(z.string()),
  collections: z.array(z.object({ name: z.string(), documents: Count, bytes: Count })),
  papers: z.object({
    files: Count,
    bytes: Count,
    /** Hashes of papers that the database refers to and that were not there. */
    missing: z.array(z.string()),
    /** Hashes of papers whose content is no longer what it was. */
    damaged: z.array(z.string()),
  }),
  /** Tells whether a SECRET_KEY is the one used then, without telling it. */
  secret_key_check: z.string().nullable(),
  /** In SHA256SUMS. */
  files: Count,
})
export type Manifest = z.infer<typeof Manifest>

export const checkOfSecret = (secret: string) => createHmac('sha256', secret).update('assay backup').digest('hex')

/** `mongodump` escapes names in the same way. */
export const bsonFile = (collection: string) => `${DATABASE_FOLDER}/${encodeURIComponent(collection)}.bson`
export const metadataFile = (collection: string) => `${DATABASE_FOLDER}/${encodeURIComponent(collection)}.metadata.json`
export const paperFile = (hash: string) => `${PAPERS_FOLDER}/${hash.slice(0, 2)}/${hash}.pdf`
export const HASH_OF_PAPER = /^([0-9a-f]{64})\.pdf$/

/** Other files of the data folder that belong to a backup; a folder stands for the files in it. */
export const OTHER_FILES = ['secret-key', 'first-run.txt', 'outbox']
