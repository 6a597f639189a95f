import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { bsonFile, MANIFEST, Manifest, metadataFile, paperFile, SUMS, UNFINISHED } from './backup-format.ts'
import { bsonDocuments, checkDocument } from './bson-documents.ts'
import { hasCode, hashFile } from './checked-files.ts'
import { COLLECTIONS_WITH_PAPERS, papersOf } from './paper-references.ts'
import { readSums } from './sums-file.ts'

const damaged = (what: string) => new OperatorError(`The backup is damaged: ${what}.`)

/** @throws {OperatorError} if the folder is no backup, or one that has not finished */
export function readManifest(backup: string): Manifest {
  for (const name of [MANIFEST, SUMS]) {
    if (!existsSync(join(backup, name))) throw new OperatorError(`${backup} is not a backup: it has no ${name}.`)
  }
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(backup, MANIFEST), 'utf8')))
  } catch (cause) {
    throw new OperatorError(`The backup is damaged, or made by a newer version of Assay: ${MANIFEST} cannot be read.`, {
      cause,
    })
  }
}

/** @throws {OperatorError} */
export function assertFinished(backup: string): void {
  if (basename(backup).endsWith(UNFINISHED)) throw new OperatorError(`${backup} was not finished. Use another backup.`)
}

/**
 * Reads every file of a backup: its checksum, every document, and that each paper the database refers to is there.
 * @throws {OperatorError} naming the first that is wrong
 */
export async function verifyBackup(backup: string, report: (line: string) => void): Promise<Manifest> {
  const manifest = readManifest(backup)
  let files = 0
  for await (const { name, sha256 } of readSums(backup)) {
    if ((await hashOf(join(backup, name), name)) !== sha256) throw damaged(`${name} is not as it was written`)
    if (++files % 1000 === 0) report(`  ${files} of ${manifest.files} files`)
  }
  if (files !== manifest.files) throw damaged(`${SUMS} lists ${files} files, and ${manifest.files} were written`)
  for (const collection of manifest.collections) await verifyCollection(backup, collection, manifest)
  return manifest
}

async function hashOf(path: string, name: string): Promise<string> {
  try {
    return (await hashFile(path)).sha256
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw damaged(`${name} is missing`)
    throw error
  }
}

async function verifyCollection(
  backup: string,
  { name, documents, bytes }: Manifest['collections'][number],
  manifest: Manifest,
): Promise<void> {
  if (!existsSync(join(backup, metadataFile(name)))) throw damaged(`${metadataFile(name)} is missing`)
  const missing = new Set(manifest.papers.missing)
  const counted = { documents: 0, bytes: 0 }
  try {
    for await (const document of bsonDocuments(join(backup, bsonFile(name)))) {
      counted.documents++
      counted.bytes += document.length
      checkDocument(document)
      if (!COLLECTIONS_WITH_PAPERS.includes(name)) continue
      for (const hash of papersOf(name, document)) {
        if (!missing.has(hash) && !existsSync(join(backup, paperFile(hash))))
          throw damaged(`${paperFile(hash)} is missing`)
      }
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw damaged(`${bsonFile(name)} has what is not a document (${error instanceof Error ? error.message : error})`)
  }
  if (counted.documents !== documents || counted.bytes !== bytes) {
    throw damaged(`${bsonFile(name)} has ${counted.documents} documents, and ${documents} were written`)
  }
}
