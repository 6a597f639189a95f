/** What a page's code says (14 bytes): no names, and a copy's id of 80 random bits, which nobody can guess. */
export interface PageCode {
  /** 20 hexadecimal digits. */
  copyId: string
  page: number
  format: SheetFormat
  /** By how many percent the blank's page is smaller than fits the sheet, 0 to 31. */
  reduction: number
}

/** In the order of their numbers in a code: append only. Sideways they are `landscape`. */
export const sheetFormats = ['a4', 'letter', 'legal', 'a3'] as const
export interface SheetFormat {
  name: (typeof sheetFormats)[number]
  landscape: boolean
}

export const codePlaces = ['top', 'bottom'] as const
export type CodePlace = (typeof codePlaces)[number]

/** The first byte: chosen so that a text in a code is never taken for one of ours. */
const VERSION = { top: 0xd1, bottom: 0xd2 } as const
const LENGTH = 14
export const ID_BYTES = 10
/** A separator sheet's `copyId`. The same for every assignment, so that last month's sheets can be used again. */
export const SEPARATOR_ID = Buffer.from('separator\0', 'latin1').toString('hex')
export const MOST_PAGES = 255
export const MOST_REDUCTION = 31

/** @throws {RangeError} of a page or reduction that does not fit */
export function encodePageCode(code: PageCode, place: CodePlace): Buffer {
  const id = Buffer.from(code.copyId, 'hex')
  const fits = code.page >= 1 && code.page <= MOST_PAGES && code.reduction >= 0 && code.reduction <= MOST_REDUCTION
  if (id.length !== ID_BYTES || !fits) throw new RangeError('not to be written as a page code')
  const format = 2 * sheetFormats.indexOf(code.format.name) + (code.format.landscape ? 1 : 0)
  const content = Buffer.from([VERSION[place], ...id, code.page, (format << 5) | code.reduction])
  return Buffer.concat([content, Buffer.of(crc8(content))])
}

/** Null for anything but one of our codes: anyone can print a code. */
export function decodePageCode(bytes: Uint8Array): (PageCode & { place: CodePlace }) | null {
  const place = codePlaces.find((one) => VERSION[one] === bytes[0])
  if (bytes.length !== LENGTH || !place || crc8(bytes.subarray(0, LENGTH - 1)) !== bytes[LENGTH - 1]) return null
  const [page = 0, layout = 0] = bytes.subarray(1 + ID_BYTES)
  const name = sheetFormats[layout >> 6]
  if (page === 0 || !name) return null
  return {
    place,
    copyId: Buffer.from(bytes.subarray(1, 1 + ID_BYTES)).toString('hex'),
    page,
    format: { name, landscape: ((layout >> 5) & 1) === 1 },
    reduction: layout & MOST_REDUCTION,
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
