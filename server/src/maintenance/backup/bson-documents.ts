import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { BSON } from 'bson'
import type { mongo } from 'mongoose'

/** MongoDB's limit of 16 MB, and the 16 kB it allows itself on top. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024 + 16 * 1024
const READ_BYTES = 1024 * 1024

/** The documents of a file that has them one after the other, as `mongodump` writes it. Throws where the file is not that. */
export async function* bsonDocuments(path: string): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES })) {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    while (rest.length - at >= 4) {
      const size = rest.readInt32LE(at)
      if (size < 5 || size > MAX_DOCUMENT_BYTES) throw new Error(`a document of ${size} bytes`)
      if (rest.length - at < size) break
      yield rest.subarray(at, at + size)
      at += size
    }
    rest = rest.subarray(at)
  }
  if (rest.length > 0) throw new Error('the last document is cut off')
}

/** Every value with its BSON type. Throws on bytes that are no document. */
const decode = (bytes: Uint8Array): mongo.Document =>
  BSON.deserialize(bytes, { promoteValues: false, promoteLongs: false, bsonRegExp: true })

/**
 * What the driver sends as exactly these bytes. Objects put keys like "2" in front, as JavaScript does, and so may order others than they
 * were stored; maps do not, and are slower.
 */
export function sendable(bytes: Uint8Array): mongo.Document | Map<string, unknown> {
  const plain = decode(bytes)
  const same = Buffer.compare(BSON.serialize(plain, { ignoreUndefined: false }), bytes) === 0
  return same ? plain : toMap(bytes)
}

const OBJECT = 3
const ARRAY = 4

function toMap(bytes: Uint8Array): Map<string, unknown> {
  const map = new Map<string, unknown>()
  for (const element of BSON.onDemand.parseToElements(bytes)) {
    const [, nameAt, nameLength] = element
    map.set(Buffer.from(bytes.subarray(nameAt, nameAt + nameLength)).toString('utf8'), valueOfElement(bytes, element))
  }
  return map
}

function valueOfElement(bytes: Uint8Array, [type, , , at, length]: BSON.OnDemand['BSONElement']): unknown {
  const value = bytes.subarray(at, at + length)
  if (type === OBJECT) return toMap(value)
  if (type === ARRAY) return [...BSON.onDemand.parseToElements(value)].map((element) => valueOfElement(value, element))
  // A document of this value alone: its size, the type, the name "v", the value, and the end.
  const alone = Buffer.alloc(4 + 1 + 2 + length + 1)
  alone.writeInt32LE(alone.length, 0)
  alone[4] = type
  alone.write('v', 5)
  alone.set(value, 7)
  return decode(alone).v
}

/** Counts documents, and sums the sha256 of each, so that two collections can be compared whatever order they are read in. */
export class DocumentDigest {
  documents = 0
  bytes = 0
  #sum = 0n

  add(document: Uint8Array): void {
    this.documents++
    this.bytes += document.length
    this.#sum += BigInt(`0x${createHash('sha256').update(document).digest('hex')}`)
  }

  get sum(): string {
    return BigInt.asUintN(256, this.#sum).toString(16)
  }

  equals(other: DocumentDigest): boolean {
    return this.documents === other.documents && this.bytes === other.bytes && this.sum === other.sum
  }
}

/** Throws on bytes that are no document, also where only a part of it is none. */
export const checkDocument = (bytes: Uint8Array): mongo.Document => decode(bytes)
