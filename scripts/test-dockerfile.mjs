// Run it when docker/Dockerfile has changed, on a machine without a Docker engine: executes each of its lines in a
// clean root, waits until the health check passes, and stops what it started. `sudo node scripts/test-dockerfile.mjs`
// (Linux, root: every stage is an overlay over the machine's own system, which replaces the base image).
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, matchesGlob, relative, resolve } from 'node:path'
import { exitWithMessage, root } from './lib/tools.mjs'

const HEALTHY_MS = 90_000
const file = join(root, 'docker/Dockerfile')

function instructionsOf(text) {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^(\w+)\s+(.*)$/.exec(line.trim()) ?? []
      return { name: name?.toUpperCase(), rest: rest?.replace(/\s+/g, ' ') ?? '', line: line.trim() }
    })
}

const ignored = readFileSync(`${file}.dockerignore`, 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))

function isIgnored(path) {
  const parts = path.split('/')
  return parts.some((_, i) => ignored.some((pattern) => matchesGlob(parts.slice(0, i + 1).join('/'), pattern)))
}

const work = mkdtempSync(join(tmpdir(), 'assay-image-'))
const quote = (text) => `'${String(text).replaceAll("'", `'\\''`)}'`

class Stage {
  constructor(name, base) {
    this.name = name
    this.isBase = base === null
    this.workdir = '/'
    this.user = 'root'
    this.env = base ? { ...base.env } : {}
    if (base) this.workdir = base.workdir
    this.folder = join(work, name)
    this.upper = join(this.folder, 'upper')
    for (const part of ['upper', 'work', 'root']) mkdirSync(join(this.folder, part), { recursive: true })
    // Overlays cannot be nested, so a stage begins with a copy of its base's changes.
    if (base) spawnSync('cp', ['-a', `${base.upper}/.`, this.upper])
  }

  /** Shell lines that mount the stage at `root` and enter it as `user`. */
  enter(command, { user = this.user, env = {} } = {}) {
    const at = join(this.folder, 'root')
    const mount = `mount -t overlay overlay -o lowerdir=/,upperdir=${this.upper},workdir=${join(this.folder, 'work')} ${at}`
    const devices = ['proc', 'dev'].map((name) => `mount --rbind /${name} ${at}/${name}`).join(' && ')
    const variables = Object.entries({
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      ...this.env,
      ...env,
    })
      .map(([name, value]) => `${name}=${quote(value)}`)
      .join(' ')
    const as = user === 'root' ? '' : '--userspec=node:node'
    return `${mount} && ${devices} && exec env -i ${variables} chroot ${as} ${at} /bin/sh -c ${quote(`cd ${this.workdir} && ${command}`)}`
  }

  run(what, command, options) {
    console.log(`  ${what}`)
    const { status } = spawnSync('unshare', ['--mount', 'sh', '-c', this.enter(command, options)], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if (status !== 0) exitWithMessage(`✗ ${this.name}: ${what} ended with ${status}`)
  }

  copyFromContext(sources, to) {
    const paths = sources.flatMap((source) => globSync(source, { cwd: root })).filter((path) => !isIgnored(path))
    if (paths.length === 0) exitWithMessage(`✗ ${this.name}: nothing to copy for ${sources.join(' ')}`)
    for (const path of paths) {
      const from = join(root, path)
      const target = resolve(this.workdir, to)
      const isFolder = statSync(from).isDirectory()
      const into = isFolder || (!to.endsWith('/') && to !== '.' && to !== './') ? target : join(target, basename(path))
      const place = join(this.upper, isFolder && to === '.' ? resolve(this.workdir) : into)
      mkdirSync(dirname(place), { recursive: true })
      cpSync(from, place, { recursive: true, filter: (one) => !isIgnored(relative(root, one)) })
    }
  }

  copyFromStage(stage, from, to) {
    const at = join(stage.folder, 'root')
    const target = join(this.upper, resolve(this.workdir, to))
    const place = to.endsWith('/') ? join(target, basename(from)) : target
    mkdirSync(dirname(place), { recursive: true })
    const mount = `mount -t overlay overlay -o lowerdir=/,upperdir=${stage.upper},workdir=${join(stage.folder, 'work')} ${at}`
    const { status } = spawnSync('unshare', [
      '--mount',
      'sh',
      '-c',
      `${mount} && cp -a ${quote(join(at, from))} ${quote(place)}`,
    ])
    if (status !== 0) exitWithMessage(`✗ ${this.name}: ${from} is not in ${stage.name}`)
  }
}

/** What the base image has and this machine may lack: Node 24 and a user `node`. */
function asBaseImage(stage) {
  const own = join(root, 'node_modules/node/bin/node')
  if (!existsSync(own)) exitWithMessage('Install the packages first: `npm install --no-save`.')
  mkdirSync(join(stage.upper, 'usr/local/bin'), { recursive: true })
  cpSync(own, join(stage.upper, 'usr/local/bin/node'))
  stage.run('(user node)', 'id node >/dev/null 2>&1 || useradd --create-home node', { user: 'root' })
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((done) => server.close(done))
  return String(port)
}

const list = (rest) => (rest.startsWith('[') ? JSON.parse(rest) : null)

function build() {
  const stages = new Map()
  let stage = null
  let command = null
  let health = null
  for (const { name, rest, line } of instructionsOf(readFileSync(file, 'utf8'))) {
    if (name === 'FROM') {
      const [, base, as] = /^(\S+)(?: AS (\S+))?$/i.exec(rest) ?? []
      stage = new Stage(as ?? 'final', stages.get(base) ?? null)
      stages.set(stage.name, stage)
      console.log(`\n▸ ${line}`)
      if (stage.isBase) asBaseImage(stage)
      continue
    }
    if (!stage) exitWithMessage(`✗ ${line} stands before FROM`)
    const words = rest.split(' ')
    if (name === 'WORKDIR') {
      stage.workdir = resolve(stage.workdir, rest)
      mkdirSync(join(stage.upper, stage.workdir), { recursive: true })
    } else if (name === 'COPY') {
      console.log(`  ${line}`)
      const from = /^--from=(\S+)$/.exec(words[0])?.[1]
      if (from) stage.copyFromStage(stages.get(from), words[1], words[2])
      else stage.copyFromContext(words.slice(0, -1), words.at(-1))
    } else if (name === 'RUN') stage.run(line, rest, { user: stage.user })
    else if (name === 'ENV') {
      for (const [, key, value] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[key] = value
    } else if (name === 'USER') stage.user = rest
    else if (name === 'CMD') command = list(rest)
    else if (name === 'HEALTHCHECK') health = list(rest.slice(rest.indexOf('CMD ') + 4))
    else if (!['VOLUME', 'EXPOSE'].includes(name)) exitWithMessage(`✗ this script does not know ${name}`)
  }
  if (!stage || !command || !health) exitWithMessage('✗ the last stage has no CMD or no HEALTHCHECK')
  return { stage, command, health }
}

async function runImage({ stage, command, health }) {
  const env = { PORT: await freePort(), HOST: '127.0.0.1', SECRET_KEY: 'x'.repeat(64) }
  const line = (words) => words.map(quote).join(' ')
  console.log(`\n▸ CMD as ${stage.user}`)
  const began = Date.now()
  const child = spawn('unshare', ['--mount', 'sh', '-c', stage.enter(`exec ${line(command)}`, { env })], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  let over = false
  ended.then(() => {
    over = true
  })
  const healthy = () => spawnSync('env', ['-i', `PATH=${process.env.PATH}`, `PORT=${env.PORT}`, ...health]).status === 0
  while (!healthy()) {
    if (over || Date.now() - began > HEALTHY_MS) exitWithMessage('✗ the health check never passed')
    await new Promise((done) => setTimeout(done, 500))
  }
  console.log(`  healthy after ${((Date.now() - began) / 1000).toFixed(1)} s`)
  child.kill('SIGTERM')
  const [code] = await ended
  if (code !== 0) exitWithMessage(`✗ SIGTERM: it ended with ${code}`)
  console.log('  stopped by SIGTERM, exit 0')
}

if (process.platform !== 'linux' || process.getuid?.() !== 0) exitWithMessage('This needs Linux and root.')
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
await runImage(build())
console.log('\n✓ every line of docker/Dockerfile was executed')
