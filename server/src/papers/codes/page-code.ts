/** 14 bytes, no names; a copy's id is 80 random bits, so that nobody can guess it. */
export interface PageCode {
  /** 20 hexadecimal digits. */
  copyId: string
  page: number
  layout: SheetLayout
  format: SheetFormat
  /** Percent by which the blank's page is printed smaller, 0 to 31. */
  reduction: number
}

/** Append only: a code holds the index. */
export const sheetFormats = ['a4', 'letter', 'legal', 'a3'] as const
export interface SheetFormat {
  name: (typeof sheetFormats)[number]
  landscape: boolean
}

/** What was printed with an earlier layout must still be read. */
export type SheetLayout = 1 | 2
export const NEWEST_LAYOUT = 2
export const codePlaces = ['top', 'bottom'] as const
export type CodePlace = (typeof codePlaces)[number]

/** The first byte is chosen so that a text in a code is never taken for one of ours. */
const versions: readonly { byte: number; layout: SheetLayout; place: CodePlace }[] = [
  { byte: 0xd1, layout: 1, place: 'top' },
  { byte: 0xd2, layout: 1, place: 'bottom' },
  { byte: 0xd3, layout: 2, place: 'top' },
  { byte: 0xd4, layout: 2, place: 'bottom' },
]
const LENGTH = 14
export const ID_BYTES = 10
export const SEPARATOR_ID = Buffer.from('separator\0', 'latin1').toString('hex')
export const MOST_PAGES = 255
export const MOST_REDUCTION = 31

/** @throws {RangeError} */
export function encodePageCode(code: PageCode, place: CodePlace): Buffer {
  const id = Buffer.from(code.copyId, 'hex')
  const fits = code.page >= 1 && code.page <= MOST_PAGES && code.reduction >= 0 && code.reduction <= MOST_REDUCTION
  const version = versions.find((one) => one.layout === code.layout && one.place === place)
  if (id.length !== ID_BYTES || !fits || !version) throw new RangeError('not to be written as a page code')
  const format = 2 * sheetFormats.indexOf(code.format.name) + (code.format.landscape ? 1 : 0)
  const content = Buffer.from([version.byte, ...id, code.page, (format << 5) | code.reduction])
  return Buffer.concat([content, Buffer.of(crc8(content))])
}

/** Null for anything but our codes. */
export function decodePageCode(bytes: Uint8Array): (PageCode & { place: CodePlace }) | null {
  const version = versions.find(({ byte }) => byte === bytes[0])
  if (bytes.length !== LENGTH || !version || crc8(bytes.subarray(0, LENGTH - 1)) !== bytes[LENGTH - 1]) return null
  const [page = 0, format = 0] = bytes.subarray(1 + ID_BYTES)
  const name = sheetFormats[format >> 6]
  if (page === 0 || !name) return null
  return {
    place: version.place,
    layout: version.layout,
    copyId: Buffer.from(bytes.subarray(1, 1 + ID_BYTES)).toString('hex'),
    page,
    format: { name, landscape: ((format >> 5) & 1) === 1 },
    reduction: format & MOST_REDUCTION,
  }
}

/** CRC-8 of polynomial x⁸ + x² + x + 1. */
function crc8(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : (crc << 1) & 0xff
  }
  return crc
}
