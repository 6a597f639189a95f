import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { ProductVersion } from '../../journeys/support/product-cluster.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))
const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()

export interface CheckedOut extends ProductVersion {
  /** Whether its packages are those of this tree, which it runs with. */
  samePackages: boolean
  remove(): Promise<void>
}

/**
 * Another version of the product in a temporary folder, with this tree's packages.
 * @param revision of git; null for the last one before HEAD that changed the product
 */
export async function checkOut(revision: string | null): Promise<CheckedOut> {
  const name = await resolve(revision)
  const roles = await git('show', `${name}:server/src/config.ts`).catch(() => '')
  if (!/z\.enum\(\['all', 'web', 'worker'/.test(roles))
    throw new Error(`${name} has no ROLE=web and ROLE=worker. Name a revision from 27 November 2026 or later.`)
  const folder = await mkdtemp(join(tmpdir(), 'assay-version-'))
  try {
    // An archive and no worktree, so that nothing is left in the repository where this is killed.
    await run('sh', ['-c', `git archive "${name}" | tar -x -C "${folder}"`], { cwd: root })
    await linkPackages(folder)
    // As `npm run build` does.
    await run('node', [join(root, 'node_modules/vite/bin/vite.js'), 'build'], { cwd: join(folder, 'client') })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    name,
    main: join(folder, 'server/src/main.ts'),
    samePackages: await git('diff', '--quiet', name, '--', 'package-lock.json').then(
      () => true,
      () => false,
    ),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function resolve(revision: string | null): Promise<string> {
  const before = ['log', '-1', '--format=%h', 'HEAD~1', '--', 'server', 'client', 'shared']
  const name = await git(...(revision === null ? before : ['rev-parse', '--short', `${revision}^{commit}`])).catch(
    () => '',
  )
  if (name === '')
    throw new Error(
      `An upgrade is tried from another version, which is taken from the git history: run this in a clone with all of it, not in a copy or a shallow clone${revision === null ? '' : `, that has ${revision}`}.`,
    )
  return name
}

/** Its own parts are linked among the packages, so these cannot be one link. */
async function linkPackages(folder: string): Promise<void> {
  for (const part of ['', 'server', 'client']) {
    const from = join(root, part, 'node_modules')
    const names = await readdir(from).catch(() => [])
    if (names.length === 0) continue
    await mkdir(join(folder, part, 'node_modules'), { recursive: true })
    for (const name of names)
      if (name !== '@assay' && name !== '.cache')
        await symlink(join(from, name), join(folder, part, 'node_modules', name))
  }
  const own = join(folder, 'node_modules/@assay')
  await mkdir(own)
  for (const part of ['client', 'server', 'shared']) await symlink(join(folder, part), join(own, part))
}
