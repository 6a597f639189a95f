import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The cached result for the same input and code; otherwise computes and caches it. */
type ResultCache = (input: unknown, make: () => Promise<Buffer>) => Promise<Buffer>

/**
 * Caches expensive deterministic results for all test files and later runs, in `node_modules/.cache`. The cache is deleted when the code
 * in `madeBy` (files and folders, relative to the project) or the packages change.
 */
export function createResultCache(name: string, madeBy: readonly string[]): ResultCache {
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
    const cached = await readFile(file).catch(() => null)
    if (cached) return cached
    const result = await make()
    // Renamed, so that other processes never see a partial file.
    const partial = `${file}.${randomUUID()}`
    await writeFile(partial, result)
    await rename(partial, file)
    return result
  }

  return (input, make) => {
    const key = hashOf([JSON.stringify(input)])
    const result = pending.get(key) ?? find(key, make).finally(() => pending.delete(key))
    pending.set(key, result)
    return result
  }
}

export function hashOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

/** A file, or all files of a folder except tests. */
function contentsOf(path: string): (string | Buffer)[] {
  const full = join(root, path)
  if (!statSync(full).isDirectory()) return [path, readFileSync(full)]
  return readdirSync(full)
    .filter((name) => !name.includes('.test.'))
    .sort()
    .flatMap((name) => contentsOf(join(path, name)))
}
