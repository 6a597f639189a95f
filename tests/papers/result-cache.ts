import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A result made earlier for the same input by the same code, else made now and kept. */
export type ResultCache = (input: unknown, make: () => Promise<Buffer>) => Promise<Buffer>

/**
 * Keeps what takes long to make and always comes out the same, for all test files and later runs, in `node_modules/.cache`. Results
 * of other code than `madeBy` (files and folders from the project's folder) and other packages are not used, and go.
 */
export function createResultCache(name: string, madeBy: readonly string[]): ResultCache {
  const folder = join(root, 'node_modules/.cache', name)
  const version = hashOf([process.version, ...['package-lock.json', ...madeBy].flatMap(contentsOf)])
  const place = join(folder, version)
  mkdirSync(place, { recursive: true })
  for (const other of readdirSync(folder)) {
    if (other !== version) rmSync(join(folder, other), { recursive: true, force: true })
  }
  const underWay = new Map<string, Promise<Buffer>>()

  async function find(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const file = join(place, key)
    const cached = await readFile(file).catch(() => null)
    if (cached) return cached
    const made = await make()
    // Another process never sees half of it.
    const draft = `${file}.${randomUUID()}`
    await writeFile(draft, made)
    await rename(draft, file)
    return made
  }

  return (input, make) => {
    const key = hashOf([JSON.stringify(input)])
    const result = underWay.get(key) ?? find(key, make).finally(() => underWay.delete(key))
    underWay.set(key, result)
    return result
  }
}

export function hashOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

/** A file, or the files of a folder, without tests. */
function contentsOf(path: string): (string | Buffer)[] {
  const full = join(root, path)
  if (!statSync(full).isDirectory()) return [path, readFileSync(full)]
  return readdirSync(full)
    .filter((name) => !name.includes('.test.'))
    .sort()
    .flatMap((name) => contentsOf(join(path, name)))
}
