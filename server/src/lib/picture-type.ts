/** By its first bytes; name and declared type do not count. */
export type PictureType = 'jpeg' | 'png' | 'webp' | 'heic'
const heicBrands = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'hevc', 'hevx', 'msf1'])

export function pictureType(head: Uint8Array): PictureType | null {
  const text = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to))
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  return text(4, 8) === 'ftyp' && heicBrands.has(text(8, 12)) ? 'heic' : null
}
