import type { Socket } from 'node:net'
import type { Doc } from '../bson-values.ts'
import type { Engine } from '../engine/engine.ts'
import { encodeReply, ProtocolError, parseRequest, type Request } from './message.ts'

const HEADER = 16
const MAX_MESSAGE_BYTES = 48_000_000 + 16_384

/** Answers a socket's messages in order. */
export class Connection {
  readonly #socket: Socket
  readonly #engine: Engine
  readonly #gate: ((request: Request) => Doc | undefined) | undefined
  #chunks: Buffer[] = []
  #buffered = 0
  #wanted = HEADER
  #previous: Promise<void> = Promise.resolve()

  constructor(socket: Socket, engine: Engine, gate?: (request: Request) => Doc | undefined) {
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
      // Not the protocol: the next message's start is unknown.
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
