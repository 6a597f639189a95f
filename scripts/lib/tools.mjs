// Shared by the scripts. They run under the machine's own Node (20 or newer), before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * Puts the project's programs, Node 24 too, first in the PATH. With two glibc arenas a busy server holds some 50 MB
 * less (docs/embedded-database.md#memory-and-disk).
 */
export const env = {
  MALLOC_ARENA_MAX: '2',
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
}

const parent = process.ppid

export function exitWithMessage(message) {
  console.error(`\n${message}`)
  process.exit(1)
}

export function run(what, command, args, options = {}) {
  const began = Date.now()
  console.log(`\n▸ ${what}`)
  const { status, error } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit', ...options })
  if (error || status !== 0) exitWithMessage(`✗ ${what}: ${error ? error.message : `ended with ${status}`}`)
  console.log(`  ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

const groups = new Set()
let groupsEndWithUs = false
/** Whether groups were told to end, so that no more should be started. */
export let isEnding = false

/** Starts a program in a process group of its own, which ends with us, and all that the program has started with it. */
export function startGroup(command, args, stdio, environment = env) {
  if (!groupsEndWithUs) whenToldToEnd(endGroups, () => endGroups('SIGKILL'))
  groupsEndWithUs = true
  const child = spawn(command, args, { cwd: root, env: environment, stdio, detached: true })
  groups.add(child.pid)
  child.on('close', () => groups.delete(child.pid))
  return child
}

function endGroups(signal) {
  isEnding = true
  for (const pid of groups) {
    try {
      process.kill(-pid, signal)
    } catch {
      // It has just ended.
    }
  }
}

/** CPU seconds of all processes that have ended below this one; null where the system does not tell. */
export function cpuOfEnded() {
  if (!existsSync('/proc/self/stat')) return null
  // Behind the program's name in brackets; in hundredths (proc(5): cutime, cstime).
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / 100
}

/** Runs a program in parallel to others; prints its output when it has ended, after `shownBefore` has. */
export function runBeside(command, args, shownBefore, onExit = () => {}) {
  return new Promise((resolve) => {
    const child = startGroup(command, args, ['ignore', 'pipe', 'pipe'])
    child.on('exit', onExit)
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', (error) => output.push(Buffer.from(String(error))))
    child.on('close', async (status) => {
      await shownBefore
      process.stdout.write(Buffer.concat(output))
      resolve(status ?? 1)
    })
  })
}

export async function checkTypesAndLint() {
  const began = Date.now()
  console.log('\n▸ Types, lint and format')
  mkdirSync(join(root, 'node_modules/.cache/types'), { recursive: true })
  const types = ['shared', 'server', 'client', 'tests'].map((part) => {
    const buildInfo = `node_modules/.cache/types/${part}.tsbuildinfo`
    // Four checkers would each check what they need of the others' files: twice the CPU and the memory.
    const flags = ['--checkers', '1', '--incremental', '--tsBuildInfoFile', buildInfo]
    return ['node_modules/typescript/bin/tsc', '-p', part, ...flags]
  })
  const lint = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']
  const ended = await Promise.all([...types, lint].map((args) => runBeside(nodePath(), args)))
  if (ended.some((status) => status !== 0)) exitWithMessage('✗ Types, lint and format')
  console.log(`  ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

/** Node 24 or newer: the one running this, else the one npm installed. */
export function nodePath() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  const own = join(root, 'node_modules/node/bin/node')
  if (!existsSync(own))
    exitWithMessage('Node 24 was not installed with the packages. Delete node_modules and run the command again.')
  return own
}

const stamped = (file, value) => existsSync(file) && readFileSync(file, 'utf8') === value

const TOLD_EVERY_MS = 10_000

/** Installs where packages differ from the lock file. npm is silent for a minute or two, so progress is printed. */
export async function install() {
  const stamp = join(root, 'node_modules/.assay-installed')
  const lock = readFileSync(join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lock).digest('hex')
  if (stamped(stamp, hash)) return
  const packages = Object.entries(JSON.parse(lock).packages).filter(([, { optional, link }]) => !optional && !link)
  const folders = packages.map(([path]) => path).filter((path) => path.includes('node_modules/'))
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  console.log(`\n▸ Installing ${folders.length} packages`)
  const telling = setInterval(() => {
    const there = folders.filter((path) => existsSync(join(root, path, 'package.json')))
    console.log(`  ${seconds()} s: ${there.length} of ${folders.length} packages`)
  }, TOLD_EVERY_MS)
  const npm = process.env.npm_execpath
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []]
  // Not `npm ci`: it refuses a lock file without the builds for other systems, which not every registry has. This
  // installs exactly what the lock file names, and does not change the file.
  const how = ['install', '--no-save', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const child = startGroup(command, [...first, ...how], ['ignore', 'inherit', 'inherit'], process.env)
  const [status] = await once(child, 'close').catch(({ message }) => [message])
  clearInterval(telling)
  if (status !== 0) exitWithMessage(`✗ Installing packages: ended with ${status}`)
  console.log(`  ${seconds()} s`)
  writeFileSync(stamp, hash)
}

function* filesBelow(path) {
  if (!statSync(path).isDirectory()) yield path
  else for (const name of readdirSync(path).sort()) yield* filesBelow(join(path, name))
}

/** Builds the client when its sources have changed since the last build. */
export function buildClient() {
  const sources = [
    'client/src',
    'client/public',
    'client/index.html',
    'client/package.json',
    'client/build',
    'client/postcss.config.js',
    'client/tsconfig.json',
    'client/vite.config.ts',
    'shared/src',
    'package-lock.json',
  ]
  const hash = createHash('sha256')
  for (const source of sources.map((path) => join(root, path)).filter((path) => existsSync(path))) {
    for (const file of filesBelow(source)) hash.update(file.slice(root.length)).update(readFileSync(file))
  }
  const value = hash.digest('hex')
  const stamp = join(root, 'client/dist/.built-from')
  if (stamped(stamp, value)) return
  run('Building the client', nodePath(), ['node_modules/vite/bin/vite.js', 'build', 'client', '--logLevel', 'warn'], {
    env: { ...env, NODE_ENV: 'production' },
  })
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, value)
}

export function environmentFileFlags() {
  return existsSync(join(root, '.env')) ? ['--env-file=.env'] : []
}

const KILL_AFTER_MS = 15_000

/** Calls `end` on signals. npm signals only its shell: once that is gone, `end` is called, and `kill` later. */
function whenToldToEnd(end, kill) {
  let told = false
  const tell = (signal) => {
    told = true
    end(signal)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, tell)
  if (!process.env.npm_lifecycle_event) return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    if (!told) tell('SIGTERM')
    setTimeout(kill, KILL_AFTER_MS).unref()
  }, 500)
  watch.unref()
}

/** Starts a long-running program, forwards termination signals to it, and ends with it. */
export function runUntilStopped(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit', ...options })
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  whenToldToEnd(
    (signal) => child.kill(signal),
    () => child.kill('SIGKILL'),
  )
  return child
}

const browsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const isInstalled = (program) => spawnSync('which', [program], { stdio: 'ignore' }).status === 0

/** Installs a browser and poppler, from Debian if we are allowed to. */
export function installTestTools() {
  const missing = []
  if (!browsers.some((path) => existsSync(path))) missing.push('chromium')
  if (!isInstalled('pdftotext')) missing.push('poppler-utils')
  // For the commands of docs/api.md, which a test runs.
  for (const name of ['curl', 'jq']) if (!isInstalled(name)) missing.push(name)
  // What several processes on one database need. Debian has nginx where only root looks.
  if (!isInstalled('redis-server')) missing.push('redis-server')
  if (!existsSync('/usr/sbin/nginx') && !isInstalled('nginx')) missing.push('nginx-light')
  if (missing.length === 0) return
  if (process.getuid?.() !== 0 || !isInstalled('apt-get')) {
    exitWithMessage(
      `The tests need ${missing.join(' and ')}. Install ${missing.length > 1 ? 'them' : 'it'} and run the command again.`,
    )
  }
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: ['ignore', 'ignore', 'inherit'] }
  run('Refreshing the package lists', 'apt-get', ['update', '-qq'], quiet)
  run(`Installing ${missing.join(', ')}`, 'apt-get', ['install', '-y', '-qq', ...missing], quiet)
}

const ONLY_LOOPBACK = 'ip link set lo up && exec "$0" "$@"'

/** With only a loopback interface, if the system allows it, so that anything fetched at run time fails. */
export function withoutNetwork(command, args) {
  const wrapped = ['unshare', ['--net', 'sh', '-c', ONLY_LOOPBACK, command, ...args]]
  const possible = spawnSync('unshare', ['--net', 'sh', '-c', ONLY_LOOPBACK, 'true'], { stdio: 'ignore' }).status === 0
  console.log(possible ? '  without network, except loopback' : '  (with network: no network namespaces here)')
  return possible ? wrapped : [command, args]
}
