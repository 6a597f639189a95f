import { crc32 } from 'node:zlib'

export interface ZipEntry {
  /** With folders, as “papers/Quiz 4.pdf”. */
  name: string
  bytes: Buffer
}

const VERSION = { plain: 20, zip64: 45 }
/** Names are UTF-8 (general purpose bit 11). */
const FLAGS = 0x800
/** Said to be made by MS-DOS, Info-ZIP would take names for those of an old code page. */
const MADE_ON_UNIX = 3 << 8
/** A file, which its owner may write and everybody may read. */
const FILE_MODE = 0o100644
const NOT_COMPRESSED = 0
const OVERFLOW_16 = 0xffff
const OVERFLOW_32 = 0xffffffff

interface Limits {
  /** Offset in bytes and number of entries from which the ZIP64 extension is used. */
  offset: number
  entries: number
}

/**
 * A ZIP file in pieces, as its entries come. They are PDFs and pictures and are not compressed again. However many there
 * are, and however large together: from 4 GiB or 65,535 entries on, ZIP64 records tell where they are, which unzip, Windows,
 * macOS and every browser’s reader understand. Each entry is under 4 GiB. (PKWARE APPNOTE 6.3.10, 4.3.7 to 4.3.16, 4.5.3.)
 */
export async function* zipStream(
  entries: AsyncIterable<ZipEntry>,
  at: Date,
  limits: Limits = { offset: OVERFLOW_32, entries: OVERFLOW_16 },
): AsyncGenerator<Uint8Array> {
  const central: Buffer[] = []
  let offset = 0
  for await (const { name, bytes } of entries) {
    const common = commonFields(bytes, Buffer.byteLength(name), at)
    const header = localHeader(bytes, name, at, offset >= limits.offset)
    central.push(centralRecord(common, name, offset, limits))
    yield header
    yield bytes
    offset += header.length + bytes.length
  }
  const directory = Buffer.concat(central)
  yield directory
  yield endRecords(central.length, directory.length, offset, limits)
}

function localHeader(bytes: Buffer, name: string, at: Date, isFar: boolean): Buffer {
  // Info-ZIP reads a name as UTF-8 where it has extra fields, here as in the central directory. This one has to hold both sizes (4.5.3).
  const size = uint64(bytes.length)
  const extra = isFar ? Buffer.concat([uint16(1), uint16(16), size, size]) : Buffer.alloc(0)
  const common = commonFields(bytes, Buffer.byteLength(name), at, isFar ? OVERFLOW_32 : bytes.length)
  const version = isFar ? VERSION.zip64 : VERSION.plain
  return Buffer.concat([uint32(0x04034b50), uint16(version), common, uint16(extra.length), Buffer.from(name), extra])
}

/** What an entry’s header and its record in the central directory have in common: flags to the length of its name. */
function commonFields(bytes: Buffer, nameLength: number, at: Date, size = bytes.length): Buffer {
  const { time, date } = dosTime(at)
  return Buffer.concat([
    uint16(FLAGS),
    uint16(NOT_COMPRESSED),
    uint16(time),
    uint16(date),
    uint32(crc32(bytes)),
    uint32(size),
    uint32(size),
    uint16(nameLength),
  ])
}

function centralRecord(common: Buffer, name: string, offset: number, limits: Limits): Buffer {
  const isFar = offset >= limits.offset
  const version = isFar ? VERSION.zip64 : VERSION.plain
  const extra = isFar ? Buffer.concat([uint16(1), uint16(8), uint64(offset)]) : Buffer.alloc(0)
  return Buffer.concat([
    uint32(0x02014b50),
    uint16(MADE_ON_UNIX | version),
    uint16(version),
    common,
    uint16(extra.length),
    // No comment, the first disk, no internal attributes.
    Buffer.alloc(2 + 2 + 2),
    uint32(FILE_MODE * 2 ** 16),
    uint32(isFar ? OVERFLOW_32 : offset),
    Buffer.from(name),
    extra,
  ])
}

function endRecords(entries: number, size: number, offset: number, limits: Limits): Buffer {
  const isLarge = entries >= limits.entries || offset >= limits.offset || size >= limits.offset
  const end = Buffer.concat([
    uint32(0x06054b50),
    Buffer.alloc(2 + 2),
    uint16(isLarge ? OVERFLOW_16 : entries),
    uint16(isLarge ? OVERFLOW_16 : entries),
    uint32(isLarge ? OVERFLOW_32 : size),
    uint32(isLarge ? OVERFLOW_32 : offset),
    uint16(0),
  ])
  if (!isLarge) return end
  const end64 = Buffer.concat([
    uint32(0x06064b50),
    // Of what follows in this record.
    uint64(44),
    uint16(VERSION.zip64),
    uint16(VERSION.zip64),
    Buffer.alloc(4 + 4),
    uint64(entries),
    uint64(entries),
    uint64(size),
    uint64(offset),
  ])
  const locator = Buffer.concat([uint32(0x07064b50), uint32(0), uint64(offset + size), uint32(1)])
  return Buffer.concat([end64, locator, end])
}

/** Local time in steps of two seconds, from 1980 on, as ZIP files have it. */
function dosTime(at: Date): { time: number; date: number } {
  return {
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
    date: ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
