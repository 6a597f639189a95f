import { randomUUID } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { addPhoto, getPhotoDraft, getPhotoPicture } from '@assay/shared/photo-drafts.ts'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { heicPicture } from '../../../../tests/papers/heic-picture.ts'
import { createTestApi, type Person } from '../../testing/api.ts'
import { buildAssignment, buildCourse } from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'

const server = useServer()
const api = createTestApi(server)

async function buildStudent() {
  const { instructor, students, courseId } = await buildCourse(api)
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
  const [student] = students as [Person]
  const params = { assignmentId }
  return {
    add: (name: string, bytes: Buffer, key = randomUUID() as string) =>
      api.as(student).send(addPhoto, { params: { ...params, key }, files: { photo: [{ name, bytes }] } }),
    draft: async () => (await api.as(student).send(getPhotoDraft, { params })).body,
    picture: async (key: string) => (await api.as(student).send(getPhotoPicture, { params: { ...params, key } })).bytes,
  }
}

const white = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'white' }, limitInputPixels: false })

/** A PNG (ISO 15948) whose head says one size, with a stream that unpacks to far more than its few bytes. */
function pngBomb(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([16, 6, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(200 * 2 ** 20), { level: 9 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** In 16 bits with transparency, and all of it before the first row is whole: 392 MB of pixels. */
const interlaced = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#ffffff80' } })
    .toColourspace('rgb16')
    .png({ progressive: true, compressionLevel: 9 })
    .toBuffer()

/** HEIC that says it is far larger than it is: its `ispe` boxes (ISO 23008-12, 6.5.3). */
function enlargedHeic(side: number): Buffer {
  const bytes = heicPicture()
  for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 4)) {
    bytes.writeUInt32BE(side, at + 8)
    bytes.writeUInt32BE(side, at + 12)
  }
  return bytes
}

describe('a hostile picture ends in words, and the next one is taken', () => {
  const cases: [string, string, () => Promise<Buffer> | Buffer][] = [
    ['a PDF under the name of a photo', 'Only JPEG, PNG, WebP and HEIC', () => Buffer.from('%PDF-1.7')],
    ['a page of HTML', 'Only JPEG, PNG, WebP and HEIC', () => Buffer.from('<html><script>alert(1)</script>')],
    ['a GIF', 'Only JPEG, PNG, WebP and HEIC', () => white(50, 50).gif().toBuffer()],
    ['100 megapixels of PNG', 'more pixels than can be used', () => white(10_000, 10_000).png().toBuffer()],
    [
      '100 megapixels of JPEG',
      'more pixels than can be used',
      () => white(12_500, 8_000).jpeg({ quality: 5 }).toBuffer(),
    ],
    ['100 megapixels of HEIC, as it says', 'more pixels than can be used|is damaged', () => enlargedHeic(10_000)],
    ['a PNG whose rows are too short', 'is damaged', () => pngBomb(6900, 6900)],
    [
      'a JPEG that ends in the middle',
      'is damaged',
      async () => (await white(2000, 3000).jpeg().toBuffer()).subarray(0, 9000),
    ],
    ['a PNG that must be held whole', 'too much memory', () => interlaced(7000, 7000)],
    ['a WebP that ends in the middle', 'is damaged', async () => (await noise('webp')).subarray(0, 20_000)],
    ['an HEIC that ends in the middle', 'is damaged', () => heicPicture().subarray(0, heicPicture().length - 70)],
    ['a head and nothing else', 'is damaged', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ]
  it.each(cases)('%s', async (_, words, create) => {
    const { add, draft } = await buildStudent()
    const reply = await add('holiday.jpg', await create())
    expect(reply.status).toBe(422)
    expect(reply.body).toMatchObject({ error_code: 'files_refused' })
    expect(reply.text).toMatch(new RegExp(`holiday.jpg: [^"]*(${words})`))
    expect((await draft()).pages).toEqual([])
    expect((await add('good.heic', heicPicture())).status).toBe(200)
  })
})

const noise = (format: 'webp' | 'jpeg') =>
  sharp(Buffer.from(Array.from({ length: 400 * 600 * 3 }, (_, i) => (i * 7919) % 251)), {
    raw: { width: 400, height: 600, channels: 3 },
  })
    .toFormat(format)
    .toBuffer()

it('shows a photo upright, whichever of the eight ways its EXIF says it was held', async () => {
  const { add, picture } = await buildStudent()
  // Dark at the top left, so that each way can be told from the others.
  const upright = { width: 300, height: 400 }
  const corner = await white(100, 60).negate().png().toBuffer()
  const straight = await sharp({ create: { ...upright, channels: 3, background: 'white' } })
    .composite([{ input: corner, left: 0, top: 0 }])
    .png()
    .toBuffer()
  // What a camera that is held so would see (EXIF 2.3, tag 274): the inverse of what a viewer does.
  const held = [
    { turn: 0, mirror: false },
    { turn: 0, mirror: true },
    { turn: 180, mirror: false },
    { turn: 180, mirror: true },
    { turn: 90, mirror: true },
    { turn: 270, mirror: false },
    { turn: 270, mirror: true },
    { turn: 90, mirror: false },
  ]
  for (const [i, { turn, mirror }] of held.entries()) {
    const turned = await sharp(straight).rotate(turn).png().toBuffer()
    const seen = mirror ? await sharp(turned).flop().png().toBuffer() : turned
    const bytes = await sharp(seen)
      .withMetadata({ orientation: i + 1 })
      .jpeg()
      .toBuffer()
    const key = randomUUID()
    expect((await add(`${i + 1}.jpg`, bytes, key)).status).toBe(200)
    const { data, info } = await sharp(await picture(key))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) =>
      (data[Math.round(y * info.height) * info.width + Math.round(x * info.width)] ?? 0) > 128
    expect([i + 1, info.width < info.height, at(0.1, 0.05), at(0.9, 0.05), at(0.1, 0.9), at(0.9, 0.9)]).toEqual([
      i + 1,
      true,
      false,
      true,
      true,
      true,
    ])
  }
})
