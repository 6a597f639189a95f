import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress } from 'node:zlib'

const pack = promisify(brotliCompress)
const unpack = promisify(brotliDecompress)
const root = join(import.meta.dirname, '../..')

type ResultCache = (input: unknown, make: () => Promise<Buffer>) => Promise<Buffer>

/**
 * Where reading now gives something else, `PAPER_FIXTURES=check` (`npm run test:all`) fails; `write` copies what an
 * earlier run has cached (`node scripts/paper-fixtures.mjs`).
 */
const fixtures = join(root, 'tests/paper-fixtures')
const mode = process.env.PAPER_FIXTURES
/** Larger ones cost more to carry along than to make. */
const LARGEST_FIXTURE = 1_000_000

/**
 * In `node_modules/.cache`, until the code in `madeBy` or the packages change. @param compared whether the result is
 * the same on each machine; what is drawn in the system's fonts is not
 */
export function createResultCache(name: string, madeBy: readonly string[], { compared = false } = {}): ResultCache {
  const folder = join(root, 'node_modules/.cache', name)
  const version = hashOf([process.version, ...['package-lock.json', ...madeBy].flatMap(contentsOf)])
  const versionFolder = join(folder, version)
  mkdirSync(versionFolder, { recursive: true })
  for (const other of readdirSync(folder)) {
    if (other !== version) rmSync(join(folder, other), { recursive: true, force: true })
  }
  const pending = new Map<string, Promise<Buffer>>()

  async function find(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const file = join(versionFolder, key)
    const fixture = join(fixtures, name, `${key.slice(0, 16)}.br`)
    const committed = mode === 'write' ? null : await readFile(fixture).then(unpack, () => null)
    // Papers stay as they are in a check too: they are what readings are of.
    if (committed && (mode !== 'check' || !compared)) return committed
    const cached = await readFile(file).catch(() => null)
    const result = cached ?? (await make())
    if (!cached) await writeWhole(file, result)
    const isWritten = mode !== 'write' || existsSync(fixture)
    const packed = cached && !isWritten ? await pack(cached) : null
    if (packed && packed.length <= LARGEST_FIXTURE) {
      await mkdir(join(fixtures, name), { recursive: true })
      await writeWhole(fixture, packed)
    }
    if (committed && !committed.equals(result))
      throw new Error(
        `${relative(root, fixture)} is not what is read today; node scripts/paper-fixtures.mjs writes it anew`,
      )
    return result
  }

  return (input, make) => {
    const key = hashOf([JSON.stringify(input)])
    const result = pending.get(key) ?? find(key, make).finally(() => pending.delete(key))
    pending.set(key, result)
    return result
  }
}

/** Renamed, so that other processes never see a partial file. */
async function writeWhole(file: string, content: Buffer): Promise<void> {
  const partial = `${file}.${randomUUID()}`
  await writeFile(partial, content)
  await rename(partial, file)
}

export function hashOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

/** Tests are left out. */
function contentsOf(path: string): (string | Buffer)[] {
  const full = join(root, path)
  if (!statSync(full).isDirectory()) return [path, readFileSync(full)]
  return readdirSync(full)
    .filter((name) => !name.includes('.test.'))
    .sort()
    .flatMap((name) => contentsOf(join(path, name)))
}
