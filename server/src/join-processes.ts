import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { ProcessRow } from './cluster/processes/processes.ts'
import {
  beAlone,
  currentProcessId,
  findOthers,
  type RegisteredProcess,
  registerProcess,
} from './cluster/processes/processes.ts'
import type { Config } from './config.ts'
import { connectedDatabase } from './lib/database/database.ts'
import type { Log } from './lib/log.ts'
import { OperatorError } from './lib/operator-error.ts'
import { migrationNames } from './migrations/migrations.ts'
import { runMigrations } from './migrations/run-migrations.ts'

export interface JoinedProcess extends RegisteredProcess {
  uploadFolder: string
}

const folderOfUploads = (dataDir: string) => join(dataDir, 'uploads')

/** @throws {OperatorError} where others differ in SECRET_KEY or place of papers, or have changed the database */
export async function joinProcesses(config: Config, log: Log): Promise<JoinedProcess> {
  const uploads = folderOfUploads(config.dataDir)
  if (!config.mongodbUrl) {
    // No partial upload was acknowledged.
    await rm(uploads, { recursive: true, force: true })
    await mkdir(uploads, { recursive: true, mode: 0o700 })
    return { ...beAlone(), uploadFolder: uploads }
  }
  const own = {
    role: config.role,
    papers: placeOfPapers(config),
    secret_check: createHmac('sha256', config.secretKey).update('same secret').digest('hex').slice(0, 16),
    last_migration: migrationNames().at(-1) ?? '',
  }
  // Others delete it if they take this process for dead.
  const folderOf = (id: string) => join(uploads, id)
  const registered = await registerProcess(own, log, (id) => mkdir(folderOf(id), { recursive: true, mode: 0o700 }))
  try {
    const uploadFolder = folderOf(registered.id)
    // From now on a newer version refuses to start beside this process.
    await runMigrations(connectedDatabase())
    await awaitAgreement({ ...own, ...registered }, config)
    await registered.join()
    await deleteLeftUploads(config)
    const cleaning = setInterval(() => {
      deleteLeftUploads(config).catch((error: unknown) => log.warn({ err: error }, 'partial uploads were not deleted'))
    }, CLEAN_EVERY_MS).unref()
    return {
      ...registered,
      uploadFolder,
      async end() {
        clearInterval(cleaning)
        await rm(uploadFolder, { recursive: true, force: true })
        await registered.end()
      },
    }
  } catch (error) {
    await registered.end()
    throw error
  }
}

const placeOfPapers = ({ filesLocation }: Config): string => {
  if (!filesLocation) return 'disk'
  const { bucket, prefix } = filesLocation
  return `s3://${bucket}/${prefix}`
}

type Own = Pick<ProcessRow, 'papers' | 'secret_check' | 'since'> & Pick<RegisteredProcess, 'id'>

const LOOK_EVERY_MS = 500

/** All that have joined or, of several starting at once, the first. */
function thoseBefore(own: Own, others: ProcessRow[]): ProcessRow[] {
  const joined = others.filter((other) => other.joined)
  if (joined.length > 0) return joined
  const rank = ({ since }: { since: Date }, id: string) => `${since.toISOString()} ${id}`
  return others.filter((other) => rank(other, other._id) < rank(own, own.id))
}

/** A killed process disagrees until it counts as dead, so only one seen again counts. */
async function awaitAgreement(own: Own, config: Config): Promise<void> {
  const seen = new Map<string, number>()
  for (;;) {
    const disagreeing = thoseBefore(own, await findOthers()).flatMap((other) => {
      const problem = disagreement(own, other, config)
      return problem ? [{ other, problem }] : []
    })
    if (disagreeing.length === 0) return
    for (const { other, problem } of disagreeing) {
      const at = other.seen_at.getTime()
      if ((seen.get(other._id) ?? at) !== at) throw new OperatorError(problem)
      seen.set(other._id, at)
    }
    await after(LOOK_EVERY_MS)
  }
}

function disagreement(own: Own, other: ProcessRow, { dataDir }: Config): string | null {
  const who = `the ${other.role === 'all' ? 'server' : other.role} on ${other.machine.split(':')[0]}`
  if (other.secret_check !== own.secret_check) return `SECRET_KEY: ${who}, on the same database, has another one.`
  if (other.papers !== own.papers)
    return `FILES_URL: ${who}, on the same database, keeps papers in another place (${other.papers}; here: ${own.papers}).`
  // Its folder for uploads in DATA_DIR shows whether that is shared.
  if (own.papers === 'disk' && !existsSync(join(folderOfUploads(dataDir), other._id)))
    return `DATA_DIR: ${who}, on the same database, has another one. Without FILES_URL, papers need a DATA_DIR on a disk that all processes share.`
  return null
}

/** A process that counts as dead may only have hung. */
const NEW_MS = 60 * 60_000
const CLEAN_EVERY_MS = 10 * 60_000

/** Of ended processes; none was acknowledged. */
export async function deleteLeftUploads({ dataDir }: Config): Promise<void> {
  const uploads = folderOfUploads(dataDir)
  const names = await readdir(uploads)
  const living = new Set([currentProcessId(), ...(await findOthers()).map(({ _id }) => _id)])
  for (const name of names) {
    const path = join(uploads, name)
    const changed = await stat(path).catch(() => null)
    if (living.has(name) || !changed || Date.now() - changed.mtimeMs < NEW_MS) continue
    await rm(path, { recursive: true, force: true })
  }
}
