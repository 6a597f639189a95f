import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProcess, startServerProcess } from '../../../server/src/testing/server-process.ts'

const clientFolder = new URL('../../../client/dist/index.html', import.meta.url)

export interface ProductServer {
  url: string
  /** Has the outbox, and the first administrator's password. */
  dataDir: string
  /** The process with the database; behind a gateway, the upstream. */
  readonly process: ServerProcess
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Throws before anything is started that would not be stopped. */
function makeFolder(): Promise<string> {
  if (!existsSync(clientFolder)) throw new Error('the client is not built: `npm test` builds it')
  return mkdtemp(join(tmpdir(), 'assay-journey-'))
}

async function startIn(folder: string, given: Record<string, string>): Promise<ProductServer> {
  const dataDir = join(folder, 'data')
  // One that nobody takes while the server is restarted.
  const environment = { PORT: String(await freePort()), ...given }
  let process = await startServerProcess(dataDir, environment)
  return {
    url: process.url,
    dataDir,
    get process() {
      return process
    },
    async restart() {
      process = await startServerProcess(dataDir, environment)
    },
    async stop() {
      await process.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function startServer(environment: Record<string, string> = {}): Promise<ProductServer> {
  return startIn(await makeFolder(), environment)
}

/** Below those that the system gives to connections, any of which could take it until it is listened on. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000]

/** The address of a gateway is a setting of the process behind it, so its port must be known beforehand. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT))
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
}

/** The gateway serves the pages and forwards everything else to a second process. */
export async function startServerBehindGateway(environment: Record<string, string> = {}): Promise<ProductServer> {
  const folder = await makeFolder()
  const port = String(await freePort())
  const upstream = await startIn(folder, { TRUST_PROXY: '1', PUBLIC_URL: `http://localhost:${port}`, ...environment })
  const edge = { ROLE: 'gateway', API_URL: upstream.url, PORT: port }
  const gateway = await startServerProcess(join(folder, 'nothing'), edge)
  return {
    url: gateway.url,
    dataDir: upstream.dataDir,
    get process() {
      return upstream.process
    },
    restart: upstream.restart,
    async stop() {
      await gateway.stop()
      await upstream.stop()
    },
  }
}
