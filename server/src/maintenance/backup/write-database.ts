import { join } from 'node:path'
import { BSON, EJSON } from 'bson'
import { ONLY_A_PART, UNFINISHED_COPY } from '../../lib/database/unfinished-copy.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { bsonFile, type Manifest, metadataFile } from './backup-format.ts'
import { CheckedFile } from './checked-files.ts'
import type { DatabaseReader, StoredCollection } from './database-reader.ts'
import type { SumsFile } from './sums-file.ts'

type Counts = Manifest['collections'][number]

/** Writes every collection to a backup. Returns their counts, and which migrations the database has seen. */
export async function writeDatabase(from: DatabaseReader, folder: string, sums: SumsFile) {
  if (from.collections.some(({ name }) => name === UNFINISHED_COPY)) throw new OperatorError(ONLY_A_PART)
  const collections: Counts[] = []
  for (const collection of from.collections) {
    const path = metadataFile(collection.name)
    await sums.writeText(join(folder, path), path, metadataOf(collection))
    collections.push(await writeDocuments(from, collection.name, folder, sums))
  }
  return collections
}

async function writeDocuments(from: DatabaseReader, name: string, folder: string, sums: SumsFile): Promise<Counts> {
  const file = await CheckedFile.create(join(folder, bsonFile(name)))
  let documents = 0
  try {
    for await (const document of from.documents(name)) {
      await file.write(document)
      sums.throwIfAborted()
      documents++
    }
  } catch (error) {
    await file.abandon()
    throw error
  }
  const written = await file.close()
  await sums.add(bsonFile(name), written.sha256)
  return { name, documents, bytes: written.bytes }
}

/** As `mongodump` describes a collection. */
function metadataOf({ name, indexes }: StoredCollection): string {
  return EJSON.stringify({ options: {}, indexes, uuid: '', collectionName: name, type: 'collection' }, undefined, 0, {
    relaxed: false,
  })
}

/** The names of the migrations that a database has seen. */
export async function migrationsSeen(from: DatabaseReader): Promise<string[]> {
  const seen: string[] = []
  for await (const document of from.documents('migrations')) seen.push(String(BSON.deserialize(document)._id))
  return seen.sort()
}
