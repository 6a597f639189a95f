import { type Doc, decode, decodeExact, encode } from '../bson-values.ts'

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const HEADER = 16
const CHECKSUM_PRESENT = 1
const MORE_TO_COME = 2

/** `documents`, `updates` or `deletes` may come as raw bytes in their own section. */
export interface Request {
  id: number
  message: Buffer
  legacy: boolean
  silent: boolean
  body: Doc
  bodyBytes: Buffer
  sequences: Map<string, Buffer[]>
}

let nextId = 1

export class ProtocolError extends Error {}

export function parseRequest(message: Buffer): Request {
  const id = message.readInt32LE(4)
  const opCode = message.readInt32LE(12)
  if (opCode === OP_QUERY) return parseQuery(message, id)
  if (opCode !== OP_MSG) throw new ProtocolError(`operation ${opCode} is not spoken here`)
  const flags = message.readUInt32LE(HEADER)
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0)
  const request: Omit<Request, 'body'> & { body?: Doc } = {
    id,
    message,
    legacy: false,
    silent: (flags & MORE_TO_COME) !== 0,
    bodyBytes: Buffer.alloc(0),
    sequences: new Map(),
  }
  for (let at = HEADER + 4; at < end; ) {
    const kind = message[at++]
    const size = message.readInt32LE(at)
    if (size < 5 || at + size > end) throw new ProtocolError('a section reaches past the end of its message')
    const section = message.subarray(at, at + size)
    at += size
    if (kind === 0) {
      request.bodyBytes = section
      request.body = decode(section)
    } else if (kind === 1) {
      const [name, documents] = parseSequence(section)
      request.sequences.set(name, documents)
    } else throw new ProtocolError(`sections of kind ${kind} are not spoken here`)
  }
  if (!request.body) throw new ProtocolError('a message without a body')
  return { ...request, body: request.body }
}

function parseSequence(section: Buffer): [string, Buffer[]] {
  const nameEnd = section.indexOf(0, 4)
  const documents: Buffer[] = []
  for (let at = nameEnd + 1; at < section.length; ) {
    const size = section.readInt32LE(at)
    if (size < 5 || at + size > section.length)
      throw new ProtocolError('a document reaches past the end of its section')
    documents.push(section.subarray(at, at + size))
    at += size
  }
  return [section.toString('utf8', 4, nameEnd), documents]
}

/** Drivers send their first hello as OP_QUERY. */
function parseQuery(message: Buffer, id: number): Request {
  const nameEnd = message.indexOf(0, HEADER + 4)
  const at = nameEnd + 1 + 8
  const bodyBytes = message.subarray(at, at + message.readInt32LE(at))
  const body: Doc = { ...decode(bodyBytes), $db: message.toString('utf8', HEADER + 4, nameEnd).split('.')[0] }
  return { id, message, legacy: true, silent: false, body, bodyBytes, sequences: new Map() }
}

export const exactBody = (request: Request): Doc => decodeExact(request.bodyBytes)

export function encodeReply(request: Request, reply: Doc | Uint8Array): Buffer {
  const body = reply instanceof Uint8Array ? reply : encode(reply)
  const prefix = request.legacy ? 20 : 5
  const message = Buffer.allocUnsafe(HEADER + prefix + body.length)
  message.writeInt32LE(message.length, 0)
  message.writeInt32LE(nextId++ & 0x7fffffff, 4)
  message.writeInt32LE(request.id, 8)
  message.writeInt32LE(request.legacy ? OP_REPLY : OP_MSG, 12)
  message.fill(0, HEADER, HEADER + prefix)
  // OP_REPLY has the flag AwaitCapable and the number of documents.
  if (request.legacy) {
    message.writeInt32LE(8, HEADER)
    message.writeInt32LE(1, HEADER + 16)
  }
  message.set(body, HEADER + prefix)
  return message
}
