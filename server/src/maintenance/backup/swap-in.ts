import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../../lib/operator-error.ts'
import { syncFolder, writeChecked } from './checked-files.ts'
import { namesIn } from './data-folder.ts'
import { FOLDER_LOCK } from './data-folder-lock.ts'

/** Exists only while the data folder's content is being replaced. */
const JOURNAL = 'restore-in-progress.json'
const JOURNAL_DRAFT = `${JOURNAL}.new`
/** Where what will be restored waits, in the data folder, so that it is on the same disk. */
export const STAGING = 'restore-unfinished'
const ASIDE = 'before-restore-'

const Journal = z.object({
  aside: z.string().nullable(),
  old: z.array(z.string()),
  restored: z.array(z.string()),
  copyId: z.string().nullable(),
})
type Journal = z.infer<typeof Journal>

/** @throws {OperatorError} if a restore was interrupted while it put the files in place */
export function assertNotBeingRestored(dataDir: string): void {
  if (!existsSync(join(dataDir, JOURNAL))) return
  throw new OperatorError(
    `A restore into ${dataDir} was interrupted. Run npm run restore with the same backup: it finishes what is left to do.`,
  )
}

/** Names in the data folder that hold data, not counting what an earlier restore has moved aside or left unfinished. */
export async function dataIn(dataDir: string): Promise<string[]> {
  const names = await namesIn(dataDir)
  const ours = ['lost+found', FOLDER_LOCK, STAGING, JOURNAL, JOURNAL_DRAFT]
  return names.filter((name) => !ours.includes(name) && !name.startsWith(ASIDE))
}

/**
 * Moves the data folder's content aside and what is staged into its place; `finishSwap` ends it. A process killed in between leaves the
 * journal, with which Assay does not start and `finishSwap` goes on. Where a move fails, all is put back.
 * @param copyId of a copy in a MongoDB that is yet to be marked as whole
 * @returns the folder with the old content; null if there was none
 */
export async function swapIn(
  dataDir: string,
  { now, copyId }: { now: Date; copyId: string | null },
): Promise<string | null> {
  const old = await dataIn(dataDir)
  const aside = old.length > 0 ? `${ASIDE}${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z` : null
  const journal: Journal = { aside, old, restored: await namesIn(join(dataDir, STAGING)), copyId }
  if (aside) await mkdir(join(dataDir, aside), { mode: 0o700 })
  const written = join(dataDir, JOURNAL_DRAFT)
  await rm(written, { force: true })
  await writeChecked(written, JSON.stringify(journal))
  await rename(written, join(dataDir, JOURNAL))
  await syncFolder(dataDir)
  try {
    await moveAll(dataDir, journal)
  } catch (cause) {
    await undo(dataDir, journal)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OperatorError(
      `The system refused to move a file or folder in ${dataDir} (${reason}). Nothing was changed. Where another disk is mounted in there, name an empty folder as DATA_DIR, and move the files afterwards.`,
      { cause },
    )
  }
  return aside && join(dataDir, aside)
}

/**
 * @param markWhole is called where a MongoDB was filled, with the id of the copy, once all files are in place
 * @returns false if there was nothing to finish. May run again at any point.
 */
export async function finishSwap(dataDir: string, markWhole: (copyId: string) => Promise<void>): Promise<boolean> {
  const path = join(dataDir, JOURNAL)
  if (!existsSync(path)) return false
  const journal = Journal.parse(JSON.parse(readFileSync(path, 'utf8')))
  await moveAll(dataDir, journal)
  if (journal.aside) await syncFolder(join(dataDir, journal.aside))
  await rm(join(dataDir, STAGING), { recursive: true, force: true })
  await syncFolder(dataDir)
  if (journal.copyId) await markWhole(journal.copyId)
  await rm(path)
  await syncFolder(dataDir)
  return true
}

async function moveAll(dataDir: string, { aside, old, restored }: Journal): Promise<void> {
  for (const name of aside ? old : []) {
    const away = join(dataDir, aside ?? '', name)
    if (!existsSync(away)) await rename(join(dataDir, name), away)
  }
  // Old and new may have the same name: the new one is put in place once the old one is away. What is there all the same is of a
  // start that was refused meanwhile: it makes a secret key first.
  for (const name of restored) await moveIfThere(join(dataDir, STAGING, name), join(dataDir, name))
}

async function moveIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await rename(from, to)
}

/** What is staged stays until all is in place, so that what is no longer there was moved. */
async function undo(dataDir: string, { aside, old, restored }: Journal): Promise<void> {
  for (const name of restored) {
    const staged = join(dataDir, STAGING, name)
    if (!existsSync(staged)) await rename(join(dataDir, name), staged)
  }
  if (aside) for (const name of old) await moveIfThere(join(dataDir, aside, name), join(dataDir, name))
  await rm(join(dataDir, JOURNAL))
  if (aside) await rm(join(dataDir, aside), { recursive: true })
  await rm(join(dataDir, STAGING), { recursive: true, force: true })
  await syncFolder(dataDir)
}
