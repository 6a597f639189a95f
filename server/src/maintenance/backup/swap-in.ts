import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../../lib/operator-error.ts'
import { syncFolder, writeChecked } from './checked-files.ts'
import { namesIn } from './data-folder.ts'

/** Exists only while the data folder's content is being replaced. */
const JOURNAL = 'restore-in-progress.json'
/** Where what will be restored waits, in the data folder, so that it is on the same disk. */
export const STAGING = 'restore-unfinished'
const ASIDE = 'before-restore-'

const Journal = z.object({ aside: z.string().nullable(), old: z.array(z.string()), restored: z.array(z.string()) })
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
  return names.filter((name) => !['lost+found', STAGING, JOURNAL].includes(name) && !name.startsWith(ASIDE))
}

/**
 * Moves the data folder's content aside and what is staged into its place. A process killed in between leaves the journal, with which
 * Assay does not start and `finishSwap` goes on.
 * @returns the folder with the old content; null if there was none
 */
export async function swapIn(dataDir: string, now: Date): Promise<string | null> {
  const old = await dataIn(dataDir)
  const aside = old.length > 0 ? `${ASIDE}${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z` : null
  const journal: Journal = { aside, old, restored: await namesIn(join(dataDir, STAGING)) }
  if (aside) await mkdir(join(dataDir, aside), { mode: 0o700 })
  const written = `${JOURNAL}.new`
  await rm(join(dataDir, written), { force: true })
  await writeChecked(join(dataDir, written), JSON.stringify(journal))
  await rename(join(dataDir, written), join(dataDir, JOURNAL))
  await syncFolder(dataDir)
  await finishSwap(dataDir)
  return aside && join(dataDir, aside)
}

/** False if no restore was interrupted while it put the files in place. May run again at any point. */
export async function finishSwap(dataDir: string): Promise<boolean> {
  const path = join(dataDir, JOURNAL)
  if (!existsSync(path)) return false
  const { aside, old, restored } = Journal.parse(JSON.parse(readFileSync(path, 'utf8')))
  if (aside) for (const name of old) await moveUnlessMoved(join(dataDir, name), join(dataDir, aside, name))
  // Old and new may have the same name: the new one is put in place once the old one is away.
  for (const name of restored) await moveUnlessMoved(join(dataDir, STAGING, name), join(dataDir, name))
  if (aside) await syncFolder(join(dataDir, aside))
  await rm(join(dataDir, STAGING), { recursive: true, force: true })
  await syncFolder(dataDir)
  await rm(path)
  await syncFolder(dataDir)
  return true
}

async function moveUnlessMoved(from: string, to: string): Promise<void> {
  if (!existsSync(to)) await rename(from, to)
}
