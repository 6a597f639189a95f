import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { Binary } from 'bson'
import { isSameSecret } from '../../lib/security/hash-of.ts'
import type { Doc } from '../bson-values.ts'
import type { Engine } from '../engine/engine.ts'
import { encodeReply, ProtocolError, parseRequest, type Request } from './message.ts'

export interface Address {
  socketPath?: string
  /** Without unix sockets: loopback TCP, which any local user can connect to. */
  password?: string
}

export async function listen(engine: Engine, address: Address) {
  if (address.socketPath) prepareSocketPath(address.socketPath)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    new Connection(socket, engine, address.password === undefined ? undefined : createPasswordAuth(address.password))
  })
  await started(server, address)
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : undefined,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroySoon()
        // A client that keeps its end open must not delay the stop.
        setTimeout(() => sockets.forEach((socket) => void socket.destroy()), 200).unref()
      }),
  }
}

/** The folder is locked, so an existing socket was left by a killed process. */
function prepareSocketPath(socketPath: string): void {
  const directory = dirname(socketPath)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  rmSync(socketPath, { force: true })
}

function started(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    if (address.socketPath) server.listen(address.socketPath, resolve)
    else server.listen(0, '127.0.0.1', resolve)
  })
}

const BEFORE_SIGN_IN = new Set(['hello', 'ismaster', 'isMaster', 'saslStart', 'ping'])

/** Undefined lets a request through. */
type Gate = (request: Request) => Doc | undefined

/** SASL PLAIN. */
function createPasswordAuth(password: string): Gate {
  let open = false
  return ({ body }) => {
    const [name = ''] = Object.keys(body)
    if (name === 'saslStart') {
      const payload = body.payload instanceof Binary ? Buffer.from(body.payload.value()).toString('utf8') : ''
      open = body.mechanism === 'PLAIN' && isSameSecret(payload.split('\0').at(-1) ?? '', password)
      return open
        ? { conversationId: 1, done: true, payload: new Binary(Buffer.alloc(0)), ok: 1 }
        : { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' }
    }
    if (open || BEFORE_SIGN_IN.has(name)) return undefined
    return { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: `Command ${name} requires authentication` }
  }
}

const HEADER = 16
const MAX_MESSAGE_BYTES = 48_000_000 + 16_384

class Connection {
  readonly #socket: Socket
  readonly #engine: Engine
  readonly #gate: Gate | undefined
  #chunks: Buffer[] = []
  #buffered = 0
  #wanted = HEADER
  #previous: Promise<void> = Promise.resolve()

  constructor(socket: Socket, engine: Engine, gate?: Gate) {
    this.#socket = socket
    this.#engine = engine
    this.#gate = gate
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('error', () => socket.destroy())
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#buffered += chunk.length
    try {
      while (this.#buffered >= this.#wanted) {
        const all = this.#chunks.length === 1 && this.#chunks[0] ? this.#chunks[0] : Buffer.concat(this.#chunks)
        const size = all.readInt32LE(0)
        if (size < HEADER || size > MAX_MESSAGE_BYTES) throw new ProtocolError(`a message of ${size} bytes`)
        if (all.length < size) {
          this.#chunks = [all]
          this.#wanted = size
          return
        }
        this.#chunks = all.length > size ? [all.subarray(size)] : []
        this.#buffered = all.length - size
        this.#wanted = HEADER
        this.#handle(parseRequest(all.subarray(0, size)))
      }
    } catch {
      // The next message's start is unknown.
      this.#socket.destroy()
    }
  }

  #handle(request: Request): void {
    const refused = this.#gate?.(request)
    const answer = refused ? Promise.resolve(refused) : this.#engine.handle(request)
    // Started at once, so that requests share a commit; answered in order.
    this.#previous = Promise.all([answer, this.#previous]).then(([reply]) => {
      if (!request.silent && this.#socket.writable) this.#socket.write(encodeReply(request, reply))
    })
  }
}
