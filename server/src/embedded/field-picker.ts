import { type Doc, decode, isDoc } from './bson-values.ts'

/** Bytes of a double, an ObjectId, a boolean, a date, null, an int and a long. */
const FIXED = new Map<number, number>([
  [0x01, 8],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x12, 8],
])

export type FieldPicker = (bytes: Uint8Array) => Doc

/** Decodes only some top-level fields, at a tenth of the cost for two. */
export function fieldPicker(names: Iterable<string>): FieldPicker {
  const pick = bytesPicker(names)
  return (bytes) => decode(pick(bytes) ?? bytes)
}

/** Undefined for a document with a value it cannot skip. */
export function bytesPicker(names: Iterable<string>): (bytes: Uint8Array) => Uint8Array | undefined {
  const wanted = [...new Set(names)].map((name) => Buffer.from(`${name}\0`, 'utf8'))
  return (bytes) => pickFields(bytes, wanted)
}

function pickFields(bytes: Uint8Array, wanted: Buffer[]): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const parts: [number, number][] = []
  let size = 5
  let at = 4
  while (at < bytes.length - 1 && parts.length < wanted.length) {
    const nameEnd = bytes.indexOf(0, at + 1)
    const end = valueEnd(view, bytes[at] ?? 0, nameEnd + 1)
    if (nameEnd === -1 || end === undefined) return undefined
    if (wanted.some((name) => sameName(bytes, at + 1, nameEnd, name))) {
      parts.push([at, end])
      size += end - at
    }
    at = end
  }
  const result = Buffer.allocUnsafe(size)
  result.writeInt32LE(size, 0)
  let to = 4
  for (const [from, end] of parts) {
    result.set(bytes.subarray(from, end), to)
    to += end - from
  }
  result[to] = 0
  return result
}

function sameName(bytes: Uint8Array, from: number, end: number, name: Buffer): boolean {
  if (end - from !== name.length - 1) return false
  for (let i = 0; i < name.length - 1; i++) if (bytes[from + i] !== name[i]) return false
  return true
}

function valueEnd(view: DataView, type: number, at: number): number | undefined {
  const fixed = FIXED.get(type)
  if (fixed !== undefined) return at + fixed
  switch (type) {
    case 0x02: // string
      return at + 4 + view.getInt32(at, true)
    case 0x03: // document
    case 0x04: // array
      return at + view.getInt32(at, true)
    case 0x05: // binary
      return at + 5 + view.getInt32(at, true)
    default:
      return undefined
  }
}

export function fieldsOfFilter(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, operand]) => {
    if (!key.startsWith('$')) return [topLevel(key)]
    return Array.isArray(operand) ? operand.filter(isDoc).flatMap(fieldsOfFilter) : []
  })
}

export function topLevel(path: string): string {
  const dot = path.indexOf('.')
  return dot === -1 ? path : path.slice(0, dot)
}
