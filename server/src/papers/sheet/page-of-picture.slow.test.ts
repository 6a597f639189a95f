import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawEssay } from '../../../../tests/papers/draw-essay.ts'
import { heicPicture } from '../../../../tests/papers/heic-picture.ts'
import { drawPhoto, type Photo } from '../../../../tests/papers/photo.ts'
import { usePaperReader } from '../../testing/cached-paper-reader.ts'
import { PaperError } from '../paper-error.ts'
import { findSheets } from './find-sheet.ts'
import type { PageOfPicture } from './page-of-picture.ts'

const { reader, papers } = usePaperReader()
let photo: Photo
beforeAll(async () => {
  photo = await drawPhoto(await drawEssay(1), { seed: 3, table: 'wood', width: 700 })
})

const open = async (bytes: Buffer, turns: 0 | 1 = 0): Promise<PageOfPicture> =>
  reader.pageOfPicture({ file: await papers.put(bytes), corners: 'find', turns })
const raw = (one: Photo) => sharp(one.data, { raw: { width: one.width, height: one.height, channels: 3 } })
const place = { IFD0: { Make: 'Phone' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
/** In parts of the picture's width: how far the true corners are outside those found. */
function cutOff(truth: Photo, found: readonly (readonly [number, number])[]): number {
  const outside = found.flatMap(([x1, y1], i) => {
    const [x2, y2] = found[(i + 1) % 4] ?? [0, 0]
    return [truth.corners[i], truth.corners[(i + 1) % 4]].map((corner) => {
      const [x, y] = corner ?? [0, 0]
      return ((y2 - y1) * (x - x1) - (x2 - x1) * (y - y1)) / Math.hypot(x2 - x1, y2 - y1)
    })
  })
  return Math.max(...outside) / truth.width
}

describe('the sheet in a photo', () => {
  it.each(['wood', 'dark', 'stripes', 'white', 'checks'] as const)(
    'is found on a table (%s), nothing cut off',
    async (table) => {
      const drawn = await drawPhoto(await drawEssay(1), { seed: 21, table, width: 700, shadow: 0.5 })
      const [found, ...others] = await findSheets({ ...drawn, channels: 3 })
      expect([found === undefined, others]).toEqual([false, []])
      expect(cutOff(drawn, found ?? [])).toBeLessThan(0.006)
      const off = drawn.corners.map(([x, y], i) => Math.hypot(x - (found?.[i]?.[0] ?? 0), y - (found?.[i]?.[1] ?? 0)))
      expect(Math.max(...off) / drawn.width).toBeLessThan(table === 'checks' ? 0.07 : 0.02)
    },
  )

  it('is the whole picture where no sheet is surely found', async () => {
    const table = await raw(photo).extract({ left: 200, top: 300, width: 300, height: 400 }).jpeg().toBuffer()
    expect(await open(table)).toMatchObject({ corners: null, pixels: { width: 300, height: 400 } })
  })

  it('becomes a straight page without shadow, turned as asked', async () => {
    const page = await open(await raw(photo).jpeg().toBuffer(), 1)
    expect(page.corners).not.toBeNull()
    expect(page.points.width).toBeGreaterThan(page.points.height)
    const { data, info } = await sharp(page.jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([page.pixels.width, page.pixels.height])
    const light = data.filter((value) => value > 215).length / data.length
    expect(light).toBeGreaterThan(0.7)
    const border =
      data.subarray(3 * info.width, 6 * info.width).filter((value) => value < 150).length / (3 * info.width)
    expect(border).toBeLessThan(0.1)
  })
})

describe('a picture', () => {
  it('is shown upright by its EXIF, and kept without the place it was taken at', async () => {
    const turned = await raw(photo).rotate(270).withExif(place).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const withPlace = await sharp(turned).keepExif().withExifMerge(place).jpeg().toBuffer()
    expect(withPlace.includes('GPS') || (await sharp(withPlace).metadata()).exif).toBeTruthy()
    const page = await open(withPlace)
    expect(page.pixels.height).toBeGreaterThan(page.pixels.width)
    const kept = await sharp(page.original).metadata()
    expect([kept.orientation, kept.exif?.length ?? 0]).toEqual([6, 36 - 4])
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    expect((await pixels(page.original)).equals(await pixels(withPlace))).toBe(true)
  })

  it('may be HEIC, kept without the place too', async () => {
    expect(heicPicture().includes('Phone')).toBe(true)
    const page = await open(heicPicture())
    expect(page).toMatchObject({ type: 'heic', corners: null, pixels: { width: 64, height: 48 } })
    expect(page.original.includes('Phone')).toBe(false)
    expect((await open(page.original)).jpeg.equals(page.jpeg)).toBe(true)
  })

  it.each(['png', 'webp'] as const)('may be a %s, of which the pixels are kept', async (format) => {
    const bytes = await raw(photo).resize(200).withExif(place).toFormat(format).toBuffer()
    const page = await open(bytes)
    expect(page.type).toBe(format)
    expect((await sharp(page.original).metadata()).exif).toBeUndefined()
    expect((await sharp(page.original).raw().toBuffer()).equals(await sharp(bytes).raw().toBuffer())).toBe(true)
  })

  it('may be in CMYK or have 16 bits', async () => {
    for (const bytes of [
      await raw(photo).toColourspace('cmyk').jpeg().toBuffer(),
      await raw(photo).toColourspace('rgb16').png().toBuffer(),
    ])
      expect((await open(bytes)).corners).not.toBeNull()
  })
})

describe('what is no page ends in words', () => {
  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'white' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
  const moving = () =>
    sharp(Buffer.alloc(40 * 80 * 3, 200).fill(10, 0, 4800), {
      raw: { width: 40, height: 80, channels: 3, pageHeight: 40 },
    })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer()
  const cases: [string, string, () => Promise<Buffer>][] = [
    ['nothing', 'empty', async () => Buffer.alloc(0)],
    ['a PDF', 'not_picture', async () => Buffer.from('%PDF-1.7 not a picture')],
    ['an SVG named as a picture', 'not_picture', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a cut-off JPEG', 'damaged', async () => (await raw(photo).jpeg().toBuffer()).subarray(0, 20_000)],
    ['a cut-off HEIC', 'damaged', async () => heicPicture().subarray(0, heicPicture().length - 60)],
    ['a JPEG of a head alone', 'damaged', async () => Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff])],
    ['100 megapixels in a few bytes', 'too_many_pixels', () => blank(10_000, 10_000)],
    ['a moving picture', 'moving', moving],
  ]
  it.each(cases)('%s', async (_, code, create) => {
    const error = await open(await create()).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(PaperError)
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^This (is|picture|file) .*\. [A-Z].*\.$/) })
  })
})
