/** 64 by 48 pixels, left half light, right half red, with the EXIF of a phone (its place included), encoded with x265. */
export const heicPicture = (): Buffer => Buffer.from(base64, 'base64')

const base64 = [
  'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAeFtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAA',
  'EGlkYXQAAAAAAEAAMAAAAExpbG9jAQAAAERAAAMAAQAAAAAAAAIFAAEAAAAAAAAAOAACAAEAAAAAAAAAAQAAAAAAAAAIAAMAAAAAAAACPQABAAAAAAAAAQwA',
  'AABNaWluZgAAAAAAAwAAABVpbmZlAgAAAQABAABodmMxAAAAABVpbmZlAgAAAAACAABncmlkAAAAABVpbmZlAgAAAQADAABFeGlmAAAAANVpcHJwAAAAs2lw',
  'Y28AAABzaHZjQwEDcAAAAAAAAAAAAB7wAPz9+PgAAA8DIAABABhAAQwB//8DcAAAAwCQAAADAAADAB66AkAhAAEAJ0IBAQNwAAADAJAAAAMAAAMAHqAggQWW',
  '6uSmubAgAAADACAAAAMAISIAAQAGRAHBc8CJAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAUaXNwZQAAAAAAAABAAAAAMAAAABBwaXhpAAAAAAMICAgAAAAaaXBt',
  'YQAAAAAAAAACAAECgQIAAgIDhAAAAChpcmVmAAAAAAAAAA5kaW1nAAIAAQABAAAADmNkc2MAAwABAAIAAAFMbWRhdAAAADQoAa9Y5gHiHsP4FQ7cuM/+bpm4',
  'MSaxMoYEs5/4dUbbOCFP/DFsfY7vF0LxipPWPKVEo8KRAAAAAElJKgAIAAAACAAPAQIABgAAAH4AAAASAQMAAQAAAAEAAAAaAQUAAQAAAG4AAAAbAQUAAQAA',
  'AHYAAAAoAQMAAQAAAAIAAAATAgMAAQAAAAEAAABphwQAAQAAAIQAAAAliAQAAQAAANIAAAAAAAAAOGMAAOgDAAA4YwAA6AMAAFBob25lAAYAAJAHAAQAAAAw',
  'MjEwAZEHAAQAAAABAgMAAKAHAAQAAAAwMTAwAaADAAEAAAD//wAAAqAEAAEAAABAAAAAA6AEAAEAAAAwAAAAAAAAAAIAAQACAAIAAABOAAAAAgAFAAMAAADw',
  'AAAAAAAAADMAAAABAAAAHgAAAAEAAAAAAAAAAQAAAA==',
].join('')

/**
 * The small picture's one tile under the head of a large one: a decoder makes room for all of it, as for a phone's photo, and finds its first
 * 64 pixels. Sides in multiples of 8.
 */
export function largeHeic(width: number, height: number): Buffer {
  const small = heicPicture()
  const at = { meta: 28, idat: 87, iloc: 103, iprp: 256, ipco: 264, hvcC: 272, ispe: [387, 407], mdat: 509 }
  // The sequence parameter set (H.265, 7.3.2.2): a length of 16 bits, 39 bytes; its sides begin 4 bits behind the 15 bytes of head and profile.
  const spsAt = small.indexOf('420101', 'hex')
  const sps = withoutEmulation(small.subarray(spsAt, spsAt + 39))
  const bits = [...sps].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const sides = 15 * 8 + 4
  const resized =
    bits.slice(0, sides) + exponentialGolomb(width) + exponentialGolomb(height) + bits.slice(sides + 2 * 13)
  const bytes = resized.replace(/0*$/, '').match(/.{1,8}/g) ?? []
  const large = withEmulation(Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))))
  const grown = large.length - 39
  const head = Buffer.concat([small.subarray(0, spsAt), large, small.subarray(spsAt + 39)])
  head.writeUInt16BE(large.length, spsAt - 2)
  for (const box of [at.meta, at.iprp, at.ipco, at.hvcC]) head.writeUInt32BE(head.readUInt32BE(box) + grown, box)
  for (const box of at.ispe) {
    head.writeUInt32BE(width, box + grown + 12)
    head.writeUInt32BE(height, box + grown + 16)
  }
  head.writeUInt16BE(width, at.idat + 12)
  head.writeUInt16BE(height, at.idat + 14)
  // Where the tile and the EXIF are in the file.
  for (const item of [at.iloc + 22, at.iloc + 62]) head.writeUInt32BE(head.readUInt32BE(item) + grown, item)
  return head
}

function exponentialGolomb(value: number): string {
  const binary = (value + 1).toString(2)
  return '0'.repeat(binary.length - 1) + binary
}

/** A 3 behind two zeros is no content (H.265, 7.4.2). */
function withoutEmulation(nal: Buffer): number[] {
  return [...nal].filter((byte, i) => !(byte === 3 && i > 1 && nal[i - 1] === 0 && nal[i - 2] === 0))
}
function withEmulation(content: Buffer): Buffer {
  const nal: number[] = []
  for (const byte of content) {
    if (byte <= 3 && nal.at(-1) === 0 && nal.at(-2) === 0) nal.push(3)
    nal.push(byte)
  }
  return Buffer.from(nal)
}
