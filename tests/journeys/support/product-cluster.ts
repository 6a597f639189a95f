import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { startEmbeddedDatabase } from '../../../server/src/embedded/embedded-database.ts'
import { startRedis, type TestRedis } from '../../../server/src/testing/redis-server.ts'
import { startS3, type TestS3 } from '../../../server/src/testing/s3-server.ts'
import { type ServerProcess, startServerProcess } from '../../../server/src/testing/server-process.ts'
import { freePort, type ProductServer } from './product-server.ts'

const roles = { gateway: 'gateway', webA: 'web', webB: 'web', workerA: 'worker', workerB: 'worker' } as const
type Part = keyof typeof roles
export const clusterParts = Object.keys(roles) as Part[]

/** The product as a university runs it: nginx, a gateway, two webs and two workers, on one database, one Redis and one S3. */
export interface ProductCluster extends ProductServer {
  databaseUrl: string
  redis: TestRedis
  s3: TestS3
  /** With SIGKILL. */
  kill(part: Part): Promise<void>
  startAgain(part: Part): Promise<void>
  /** It is away for a while meanwhile. */
  restartDatabase(): Promise<void>
}

const DATABASE_AWAY_MS = 2_000

interface Addresses {
  front: number
  inner: number
  webs: string[]
  gateway: string
}

/** Requests go to the webs by turns, so that none finds the process that answered the one before. */
const nginxConfig = (folder: string, { front, inner, webs, gateway }: Addresses) => `
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
  upstream webs { ${webs.map((web) => `server ${web} max_fails=0;`).join(' ')} }
  server { listen 127.0.0.1:${inner}; location / { proxy_pass http://webs; } }
  server { listen 127.0.0.1:${front}; location / { proxy_pass http://${gateway}; } }
}
`

async function startNginx(folder: string, addresses: Addresses): Promise<ChildProcess> {
  await mkdir(folder)
  const config = join(folder, 'nginx.conf')
  await writeFile(config, nginxConfig(folder, addresses))
  const path = `${process.env.PATH}:/usr/sbin`
  const child = spawn('nginx', ['-p', folder, '-c', config], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: path },
  })
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    const answers = await fetch(`http://127.0.0.1:${addresses.front}/`).catch(() => null)
    if (answers) return child
    await after(50)
  }
}

export async function startCluster(): Promise<ProductCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-cluster-'))
  const dataDir = join(folder, 'data')
  const startDatabase = () => startEmbeddedDatabase({ folder: join(folder, 'database') })
  const [first, redis, s3] = await Promise.all([startDatabase(), startRedis(), startS3()])
  let database = first
  // As of a MongoDB on another machine.
  const databaseUrl = database.url.replace('retryReads=false', 'retryReads=true')
  const ports = new Map<Part, number>()
  for (const part of clusterParts) ports.set(part, await freePort())
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
    TRUST_PROXY: '3',
  }
  const running = new Map<Part, ServerProcess>()
  const start = async (part: Part) => {
    const own = { ROLE: roles[part], PORT: String(ports.get(part)) }
    const environment =
      own.ROLE === 'gateway'
        ? { ...own, API_URL: `http://127.0.0.1:${inner}`, TRUST_PROXY: '1' }
        : { ...shared, ...own }
    running.set(part, await startServerProcess(own.ROLE === 'gateway' ? join(folder, 'nothing') : dataDir, environment))
  }
  const processOf = (part: Part) => {
    const found = running.get(part)
    if (!found) throw new Error(`${part} does not run`)
    return found
  }
  await Promise.all(clusterParts.map(start))
  const addresses = { front, inner, webs: [addressOf('webA'), addressOf('webB')], gateway: addressOf('gateway') }
  const nginx = await startNginx(join(folder, 'nginx'), addresses)
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
    async restartDatabase() {
      await database.stop()
      await after(DATABASE_AWAY_MS)
      database = await startDatabase()
    },
    async stop() {
      const ended = once(nginx, 'exit')
      nginx.kill('SIGTERM')
      await ended
      await Promise.all(clusterParts.map((part) => processOf(part).stop()))
      await redis.stop()
      await s3.stop()
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
