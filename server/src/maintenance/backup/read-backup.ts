import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EJSON } from 'bson'
import { z } from 'zod'
import { bsonFile, type Manifest, metadataFile } from './backup-format.ts'
import { bsonDocuments } from './bson-documents.ts'
import type { DatabaseReader } from './database-reader.ts'

const Metadata = z.object({ indexes: z.array(z.record(z.string(), z.unknown())) })

/** The database of a backup that was verified. */
export function readBackup(backup: string, manifest: Manifest): DatabaseReader {
  return {
    oneMoment: manifest.one_moment,
    collections: manifest.collections.map(({ name }) => {
      const text = readFileSync(join(backup, metadataFile(name)), 'utf8')
      return { name, indexes: Metadata.parse(EJSON.parse(text, { relaxed: false })).indexes }
    }),
    documents: (name) => bsonDocuments(join(backup, bsonFile(name))),
    close: async () => {},
  }
}
