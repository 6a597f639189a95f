import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { startRedis, type TestRedis } from '../../../server/src/testing/redis-server.ts'
import { startS3, type TestS3 } from '../../../server/src/testing/s3-server.ts'
import { type ServerProcess, startServerProcess } from '../../../server/src/testing/server-process.ts'
import { freePort, type ProductServer } from './product-server.ts'
import { startScript } from './script-process.ts'

interface Addresses {
  /** Ports: of what browsers reach, and of what a gateway does. */
  front: number
  inner: number
  webs: string[]
  /** Null where nginx passes everything to the webs. */
  gateway: string | null
}

interface TestNginx {
  leaveOut(web: string | null): Promise<void>
  stop(): Promise<void>
}

/** By turns, so that no request finds the process that answered the one before. */
const nginxConfig = (
  folder: string,
  { front, inner, webs, gateway }: Addresses,
  { without, generation }: { without: string | null; generation: number },
) => `
daemon off;
worker_processes 1;
error_log ${folder}/error.log;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  gzip off;
  client_max_body_size 0;
  proxy_request_buffering off;
  proxy_read_timeout 300s;
  proxy_connect_timeout 2s;
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header X-Request-Id $request_id;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  add_header X-Served-By $upstream_addr always;
  upstream webs { ${webs.map((web) => `server ${web} max_fails=0${web === without ? ' down' : ''};`).join(' ')} }
  server { listen 127.0.0.1:${inner}; location / { proxy_pass http://webs; } }
  server {
    listen 127.0.0.1:${front};
    location = /generation { return 200 "${generation}"; }
    location / { proxy_pass http://${gateway ?? 'webs'}; }
  }
}
`

async function startNginx(folder: string, addresses: Addresses): Promise<TestNginx> {
  await mkdir(folder)
  const config = join(folder, 'nginx.conf')
  let generation = 0
  const configure = (without: string | null) =>
    writeFile(config, nginxConfig(folder, addresses, { without, generation: ++generation }))
  await configure(null)
  const child = spawn('nginx', ['-p', folder, '-c', config], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
  })
  /** Until the workers with the latest configuration answer. */
  const untilInUse = async () => {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
      const headers = { connection: 'close' }
      const reply = await fetch(`http://127.0.0.1:${addresses.front}/generation`, { headers }).catch(() => null)
      if ((await reply?.text()) === String(generation)) return
      await after(50)
    }
  }
  await untilInUse()
  return {
    async leaveOut(web) {
      await configure(web)
      child.kill('SIGHUP')
      await untilInUse()
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

const roles = { gateway: 'gateway', webA: 'web', webB: 'web', workerA: 'worker', workerB: 'worker' } as const
type Part = keyof typeof roles
export const clusterParts = Object.keys(roles) as Part[]

interface ProductVersion {
  name: string
  /** This tree's where nothing is said. */
  main?: string
  environment?: Record<string, string>
}

/** As a university runs it: nginx, a gateway, two webs and two workers, on one database, one Redis and one S3. */
export interface ProductCluster extends ProductServer {
  databaseUrl: string
  redis: TestRedis
  s3: TestS3
  kill(part: Part): Promise<void>
  startAgain(part: Part): Promise<void>
  /** As docker/README.md says: nginx leaves a web out, the process ends, and is asked again once it is ready. */
  replace(part: Part, version: ProductVersion): Promise<void>
  versionAt(address: string): string
  restartDatabase(): Promise<void>
}

interface ClusterOptions {
  /** Without a gateway nginx passes pages on to the webs as well. */
  parts?: readonly Part[]
  version?: ProductVersion
  environment?: Record<string, string>
}

const DATABASE_AWAY_MS = 2_000
export const startCluster = (): Promise<ProductCluster> => startClusterOf({})

export async function startClusterOf({
  parts = clusterParts,
  version = { name: 'this' },
  environment: more = {},
}: ClusterOptions): Promise<ProductCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-cluster-'))
  const dataDir = join(folder, 'data')
  const startDatabase = () => startScript(new URL('./run-database.ts', import.meta.url), [join(folder, 'database')])
  const [first, redis, s3] = await Promise.all([startDatabase(), startRedis(), startS3()])
  let database = first
  // As of a MongoDB on another machine.
  const databaseUrl = database.line.replace('retryReads=false', 'retryReads=true')
  const ports = new Map<Part, number>()
  for (const part of parts) ports.set(part, await freePort())
  const [front, inner] = [await freePort(), await freePort()]
  const addressOf = (part: Part) => `127.0.0.1:${ports.get(part)}`
  const url = `http://localhost:${front}`
  const shared = {
    ...s3.env,
    MONGODB_URL: databaseUrl,
    REDIS_URL: redis.url,
    SECRET_KEY: 'the same secret key on every machine',
    PUBLIC_URL: url,
    READING_PROCESSES: '1',
    GRADING_CONCURRENCY: '2',
    // nginx, the gateway, nginx.
    TRUST_PROXY: parts.includes('gateway') ? '3' : '1',
    ...more,
  }
  const running = new Map<Part, ServerProcess>()
  const versions = new Map<Part, ProductVersion>(parts.map((part) => [part, version]))
  const start = async (part: Part) => {
    const { main, environment = {} } = versions.get(part) ?? version
    const own = { ROLE: roles[part], PORT: String(ports.get(part)), ...environment }
    const isGateway = own.ROLE === 'gateway'
    const given = isGateway ? { ...own, API_URL: `http://127.0.0.1:${inner}`, TRUST_PROXY: '1' } : { ...shared, ...own }
    running.set(part, await startServerProcess(isGateway ? join(folder, 'nothing') : dataDir, given, main))
  }
  const processOf = (part: Part) => {
    const found = running.get(part)
    if (!found) throw new Error(`${part} does not run`)
    return found
  }
  await Promise.all(parts.map(start))
  const webs = parts.filter((part) => roles[part] === 'web')
  const nginx = await startNginx(join(folder, 'nginx'), {
    front,
    inner,
    webs: webs.map(addressOf),
    gateway: parts.includes('gateway') ? addressOf('gateway') : null,
  })
  return {
    url,
    dataDir,
    databaseUrl,
    redis,
    s3,
    get process() {
      return processOf('webA')
    },
    restart: () => start('webA'),
    kill: (part) => processOf(part).kill(),
    startAgain: start,
    async replace(part, next) {
      const isWeb = roles[part] === 'web'
      if (isWeb) await nginx.leaveOut(addressOf(part))
      await processOf(part).stop()
      versions.set(part, next)
      await start(part)
      await untilReady(processOf(part).url)
      if (isWeb) await nginx.leaveOut(null)
    },
    versionAt: (address) => versions.get(parts.find((part) => addressOf(part) === address) ?? 'webA')?.name ?? '',
    async restartDatabase() {
      await database.kill()
      await after(DATABASE_AWAY_MS)
      database = await startDatabase()
    },
    async stop() {
      await nginx.stop()
      await Promise.all(parts.map((part) => processOf(part).stop()))
      await redis.stop()
      await s3.stop()
      await database.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) await after(50)
}
