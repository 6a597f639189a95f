import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { OperatorError } from '../../lib/operator-error.ts'
import { DATABASE_FILE, hashOfPaper, MANIFEST, Manifest, OTHER_FILES, SUMS } from './backup-format.ts'
import { hasCode, hashFile } from './hashed-files.ts'

const damaged = (what: string, cause?: unknown) => new OperatorError(`The backup is damaged: ${what}.`, { cause })

/** The SHA-256 of each file by its path in the backup. */
export type Sums = Map<string, string>

/**
 * Reads every file of a backup.
 * @throws {OperatorError} naming the first that is wrong
 */
export async function verifyBackup(backup: string): Promise<{ manifest: Manifest; sums: Sums }> {
  for (const name of [MANIFEST, SUMS])
    if (!existsSync(join(backup, name))) throw new OperatorError(`${backup} is not a backup: it has no ${name}.`)
  const manifest = readManifest(backup)
  const sums: Sums = new Map()
  for (const line of readFileSync(join(backup, SUMS), 'utf8').trimEnd().split('\n')) {
    const [, sha256, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
    if (!sha256 || !name) throw damaged(`${SUMS} has a line that is not a checksum`)
    if (!belongs(name)) throw damaged(`${name} does not belong to a backup`)
    if ((await hashOf(backup, name)) !== sha256) throw damaged(`${name} is not as it was written`)
    const hash = hashOfPaper(name)
    if (hash && hash !== sha256 && !manifest.papers.damaged.includes(hash))
      throw damaged(`${name} is not the paper of that name`)
    sums.set(name, sha256)
  }
  if (!sums.has(DATABASE_FILE)) throw damaged(`${DATABASE_FILE} is missing`)
  if (sums.size === manifest.files) return { manifest, sums }
  throw damaged(`${SUMS} lists ${sums.size} files, and ${manifest.files} were written`)
}

function readManifest(backup: string): Manifest {
  try {
    const read: unknown = JSON.parse(readFileSync(join(backup, MANIFEST), 'utf8'))
    const { format, assay } = z.object({ format: z.number(), assay: z.string() }).parse(read)
    if (format === 1)
      throw new OperatorError(
        `The backup was made by an earlier version of Assay (${assay}), in a format that this version does not read. Restore it with that version, and then upgrade.`,
      )
    return Manifest.parse(read)
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    throw damaged(`${MANIFEST} cannot be read, or is of a newer version of Assay`, cause)
  }
}

/** Anybody could have added a file and listed it; none of these leads anywhere but to its own place in the data folder. */
function belongs(name: string): boolean {
  const [, other = '', inner] = /^data\/([^/]+)(?:\/([^/]+))?$/.exec(name) ?? []
  const isOther = OTHER_FILES.includes(other) && inner !== '.' && inner !== '..'
  return isOther || name === MANIFEST || name === DATABASE_FILE || hashOfPaper(name) !== undefined
}

async function hashOf(backup: string, name: string): Promise<string> {
  const path = join(backup, name)
  try {
    // A link would restore another file of this machine.
    if (!lstatSync(path).isFile() || realpathSync(path) !== join(realpathSync(backup), name))
      throw damaged(`${name} is not a file, but a link`)
    return await hashFile(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw damaged(`${name} is missing`)
    throw error
  }
}
