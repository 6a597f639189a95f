import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import {
  bsonFile,
  HASH_OF_PAPER,
  MANIFEST,
  Manifest,
  metadataFile,
  OTHER_FILES,
  OTHER_FOLDER,
  PAPERS_FOLDER,
  paperFile,
  SUMS,
  UNFINISHED,
} from './backup-format.ts'
import { bsonDocuments, checkDocument } from './bson-documents.ts'
import { hasCode, hashFile } from './checked-files.ts'
import { realPath } from './data-folder.ts'
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
  const root = realPath(backup)
  const listed = new Set<string>()
  for await (const { name, sha256 } of readSums(backup)) {
    if (!belongs(name, manifest)) throw damaged(`${name} does not belong to a backup`)
    if ((await hashOf(root, name)) !== sha256) throw damaged(`${name} is not as it was written`)
    assertNamedByContent(name, sha256, manifest)
    listed.add(name)
    if (listed.size % 1000 === 0) report(`  ${listed.size} of ${manifest.files} files`)
  }
  for (const { name } of manifest.collections) {
    for (const file of [bsonFile(name), metadataFile(name)]) if (!listed.has(file)) throw damaged(`${file} is missing`)
  }
  if (listed.size !== manifest.files) {
    throw damaged(`${SUMS} lists ${listed.size} files, and ${manifest.files} were written`)
  }
  for (const collection of manifest.collections) await verifyCollection(backup, collection, manifest, listed)
  return manifest
}

/** Anybody could have added a file and listed it; none of these leads anywhere but to its own place in the data folder. */
function belongs(name: string, { collections }: Manifest): boolean {
  const [folder, first = '', second, ...more] = name.split('/')
  if (more.length > 0) return false
  if (folder === PAPERS_FOLDER) return second !== undefined && HASH_OF_PAPER.test(second) && second.startsWith(first)
  if (folder === OTHER_FOLDER) return OTHER_FILES.includes(first)
  return name === MANIFEST || collections.some((one) => [bsonFile(one.name), metadataFile(one.name)].includes(name))
}

function assertNamedByContent(name: string, sha256: string, { papers }: Manifest): void {
  const hash = HASH_OF_PAPER.exec(name.split('/')[2] ?? '')?.[1]
  if (hash && hash !== sha256 && !papers.damaged.includes(hash)) throw damaged(`${name} is not the paper of that name`)
}

/** @param root without links, as every file in it has to be: a link would restore another file of this machine */
async function hashOf(root: string, name: string): Promise<string> {
  const path = join(root, name)
  try {
    if (!lstatSync(path).isFile() || realPath(path) !== path) throw damaged(`${name} is not a file, but a link`)
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
  listed: Set<string>,
): Promise<void> {
  const missing = new Set(manifest.papers.missing)
  const counted = { documents: 0, bytes: 0 }
  try {
    for await (const document of bsonDocuments(join(backup, bsonFile(name)))) {
      counted.documents++
      counted.bytes += document.length
      checkDocument(document)
      if (!COLLECTIONS_WITH_PAPERS.includes(name)) continue
      for (const hash of papersOf(name, document)) {
        if (!missing.has(hash) && !listed.has(paperFile(hash))) throw damaged(`${paperFile(hash)} is missing`)
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
