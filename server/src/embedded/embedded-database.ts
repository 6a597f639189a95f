import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { OpenFailure, type OpenFailureCode } from './storage/open-store.ts'
import type { StoreOptions } from './storage/store.ts'
import type { Address } from './wire/listen.ts'

export interface EmbeddedDatabaseOptions {
  folder: string
  log?: (line: string) => void
  /** For tests only. */
  internal?: Partial<Pick<WorkerSettings, 'quickMs' | 'sweepMs' | 'maxPages' | 'durable'>>
}

export const DATABASE = 'assay'
/** The system's limit is 108 bytes on Linux and 104 on macOS, including the final NUL. */
const MAX_SOCKET_PATH_BYTES = 100
const QUICK_MS = 20
const SWEEP_MS = 30_000

/** @throws {OpenFailure} */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions) {
  const folder = resolve(options.folder)
  const place = createSocketLocation(folder)
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: {
      folder,
      address: place.address,
      quickMs: QUICK_MS,
      sweepMs: SWEEP_MS,
      durable: true,
      ...options.internal,
    } satisfies WorkerSettings,
    execArgv: [],
    // A scan makes much garbage outside the heap: with 256 MB V8 collects after 30 % growth, without a limit after
    // fourfold.
    resourceLimits: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 512 },
  })
  const exited = new Promise<void>((done) => worker.once('exit', () => done()))
  let stopping: Promise<void> | undefined
  try {
    const port = await waitUntilReady(worker, options.log ?? (() => {}))
    return {
      url: urlFor(place, port),
      /** Commits pending writes and unlocks the folder. */
      stop(): Promise<void> {
        worker.postMessage('stop')
        stopping ??= exited.then(() => place.remove())
        return stopping
      },
      /** Resolves with the reason; then every call fails. */
      unexpectedExit: unexpectedExitOf(worker, () => stopping !== undefined),
    }
  } catch (error) {
    await worker.terminate()
    place.remove()
    throw error
  }
}

function waitUntilReady(worker: Worker, log: (line: string) => void): Promise<number | undefined> {
  return new Promise((done, refuse) => {
    worker.on('error', (error) => {
      log(`embedded database: stopped unexpectedly: ${error.message}`)
      refuse(error)
    })
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') done(message.port)
      else if (message.kind === 'failed') refuse(new OpenFailure(message.code, message.message))
      else log(message.line)
    })
  })
}

function unexpectedExitOf(worker: Worker, isStopping: () => boolean): Promise<string> {
  return new Promise((resolve) => {
    let reason = 'its thread ended'
    worker.once('error', (error) => {
      reason = error.message
    })
    worker.once('exit', () => {
      if (!isStopping()) resolve(reason)
    })
  })
}

interface SocketLocation {
  address: WorkerSettings['address']
  remove(): void
}

/** The socket has no password, so only our user may access its directory. */
function createSocketLocation(folder: string): SocketLocation {
  if (process.platform === 'win32') {
    return { address: { password: randomBytes(24).toString('hex') }, remove: () => {} }
  }
  const beside = join(folder, 'socket', 'db.sock')
  if (Buffer.byteLength(beside) <= MAX_SOCKET_PATH_BYTES) return { address: { socketPath: beside }, remove: () => {} }
  const directory = mkdtempSync(join(tmpdir(), 'assay-db-'))
  return {
    address: { socketPath: join(directory, 'db.sock') },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}

function urlFor({ address }: SocketLocation, port: number | undefined): string {
  // Nothing gets lost on a local socket, and one that is silent but open is busy.
  const options = 'directConnection=true&retryWrites=false&retryReads=false&connectTimeoutMS=0'
  if (address.socketPath) return `mongodb://${encodeURIComponent(address.socketPath)}/${DATABASE}?${options}`
  return `mongodb://assay:${address.password}@127.0.0.1:${port}/${DATABASE}?${options}&authMechanism=PLAIN&authSource=$external`
}

export interface WorkerSettings extends StoreOptions {
  folder: string
  address: Address
  quickMs: number
  sweepMs: number
}

export type FromWorker =
  | { kind: 'ready'; port: number | undefined }
  | { kind: 'failed'; code: OpenFailureCode; message: string }
  | { kind: 'log'; line: string }
