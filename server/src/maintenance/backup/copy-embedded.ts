import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { BSON } from 'bson'
import { DATABASE } from '../../embedded/embedded-database.ts'
import { databaseFileIn } from '../../embedded/storage/store-files.ts'
import { OperatorError } from '../../lib/operator-error.ts'

const BUSY_WAIT_MS = 10_000

/**
 * Copies what the embedded database in a folder holds at one moment to a SQLite file of its own, also while a process serves it. Nobody
 * waits for it; only the log beside the database cannot shrink meanwhile.
 */
export async function copyEmbedded(folder: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const copy = await open(to, 'w', 0o600)
  const db = new DatabaseSync(databaseFileIn(folder), { readOnly: true, timeout: BUSY_WAIT_MS })
  try {
    // Without locks, which a network disk may not have: nobody else knows the copy yet.
    db.prepare('VACUUM INTO ?').run(`${pathToFileURL(to).href}?nolock=1`)
    await copy.sync()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OperatorError(`The database in ${folder} could not be copied to ${to}: ${reason}.`, { cause })
  } finally {
    db.close()
    await copy.close()
  }
}

const COLLECTIONS_WITH_PAPERS = ['submissions', 'assignments', 'class_scans', 'photo_drafts']

/** Of a copy that nobody writes to: how many documents it has, and the hashes of all papers and photos they refer to. */
export function describeCopy(file: string): { documents: number; papers: Set<string> } {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  const db = new DatabaseSync(url, { readOnly: true })
  try {
    let documents = 0
    const papers = new Set<string>()
    for (const { id, name } of db.prepare('SELECT id, name FROM collections WHERE db = ?').all(DATABASE)) {
      documents += Number(db.prepare(`SELECT count(*) AS n FROM documents_${id}`).get()?.n)
      if (!COLLECTIONS_WITH_PAPERS.includes(String(name))) continue
      for (const { doc } of db.prepare(`SELECT doc FROM documents_${id}`).iterate()) {
        const document = doc instanceof Uint8Array ? BSON.deserialize(doc) : {}
        // The files of a confirmed scan may be gone: its papers are submissions.
        if (name !== 'class_scans' || document.state !== 'confirmed') findHashes(document, papers)
      }
    }
    return { documents, papers }
  } finally {
    db.close()
  }
}

/** In these collections, whatever is named `hash` is the name of a file in the paper store. */
function findHashes(value: unknown, found: Set<string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value))
    if (name === 'hash' && typeof inner === 'string') found.add(inner)
    else findHashes(inner, found)
}
