import { inflateSync } from 'node:zlib'

interface Table {
  tag: Buffer
  checksum: number
  data: Buffer
}

/**
 * The font in a WOFF file (https://www.w3.org/TR/WOFF/), as fonts that are not packed are: fontkit could read it as it is, but inflates a
 * table of megabytes anew for each use.
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, i) => readTable(woff, 44 + 20 * i))
  const header = Buffer.alloc(12 + 16 * count)
  header.writeUInt32BE(woff.readUInt32BE(4), 0)
  header.writeUInt16BE(count, 4)
  const power = Math.floor(Math.log2(count))
  header.writeUInt16BE(16 * 2 ** power, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE(16 * count - 16 * 2 ** power, 10)
  const pieces: Buffer[] = [header]
  let offset = header.length
  for (const [i, { tag, checksum, data }] of tables.entries()) {
    const entry = 12 + 16 * i
    tag.copy(header, entry)
    header.writeUInt32BE(checksum, entry + 4)
    header.writeUInt32BE(offset, entry + 8)
    header.writeUInt32BE(data.length, entry + 12)
    // Tables begin at multiples of four bytes.
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4)
    pieces.push(data, padding)
    offset += data.length + padding.length
  }
  return Buffer.concat(pieces)
}

function readTable(woff: Buffer, at: number): Table {
  const offset = woff.readUInt32BE(at + 4)
  const packed = woff.subarray(offset, offset + woff.readUInt32BE(at + 8))
  const length = woff.readUInt32BE(at + 12)
  return {
    tag: woff.subarray(at, at + 4),
    checksum: woff.readUInt32BE(at + 16),
    data: packed.length < length ? inflateSync(packed) : packed,
  }
}
