const CURSOR_FIXED = 4 + 1

/** Documents are already BSON and copied once. */
export function cursorReply(batchName: 'firstBatch' | 'nextBatch', docs: Uint8Array[], id: bigint, ns: string): Buffer {
  const nsBytes = Buffer.byteLength(ns)
  let arraySize = 5
  for (const [index, doc] of docs.entries()) arraySize += 1 + String(index).length + 1 + doc.length
  const cursorSize = CURSOR_FIXED + (1 + batchName.length + 1 + arraySize) + (1 + 3 + 8) + (1 + 3 + 4 + nsBytes + 1)
  const total = 4 + (1 + 7 + cursorSize) + (1 + 3 + 8) + 1
  const out = Buffer.allocUnsafe(total)
  let at = out.writeInt32LE(total, 0)
  at = name(out, at, 3, 'cursor')
  at = out.writeInt32LE(cursorSize, at)
  at = name(out, at, 4, batchName)
  at = out.writeInt32LE(arraySize, at)
  for (const [index, doc] of docs.entries()) {
    at = name(out, at, 3, String(index))
    out.set(doc, at)
    at += doc.length
  }
  at = out.writeUInt8(0, at)
  at = name(out, at, 18, 'id')
  at = out.writeBigInt64LE(id, at)
  at = name(out, at, 2, 'ns')
  at = out.writeInt32LE(nsBytes + 1, at)
  at += out.write(ns, at, 'utf8')
  at = out.writeUInt8(0, at)
  at = out.writeUInt8(0, at)
  at = name(out, at, 1, 'ok')
  at = out.writeDoubleLE(1, at)
  out.writeUInt8(0, at)
  return out
}

function name(out: Buffer, at: number, type: number, text: string): number {
  out[at] = type
  const end = at + 1 + out.write(text, at + 1, 'latin1')
  out[end] = 0
  return end + 1
}
