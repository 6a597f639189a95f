import { randomUUID } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { addPhoto, getPhotoDraft, getPhotoPicture } from '@assay/shared/photo-drafts.ts'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { heicPicture } from '../../../../../tests/papers/heic-picture.ts'
import { buildEmptyAssignment } from '../../../testing/build-course.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'

const { api } = useTestApi()

async function buildPeople() {
  const { instructor, teacher, students, params } = await buildEmptyAssignment(api, { students: 2 })
  await teacher.send(publishAssignment, { params })
  const by = (person: Person) => ({
    add: (name: string, bytes: Buffer, key = randomUUID() as string) =>
      api.as(person).send(addPhoto, { params: { ...params, key }, files: { photo: [{ name, bytes }] } }),
    pages: async () => (await api.as(person).send(getPhotoDraft, { params })).body.pages.map((page) => page.file_name),
    picture: async (key: string) => (await api.as(person).send(getPhotoPicture, { params: { ...params, key } })).bytes,
  })
  return { student: by(students[0] as Person), teacher: by(instructor) }
}

const white = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'white' }, limitInputPixels: false })

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const zeros = () => deflateSync(Buffer.alloc(200 * 2 ** 20), { level: 9 })

async function pngWithLargeProfile(): Promise<Buffer> {
  const png = await white(60, 80).png().toBuffer()
  const profile = Buffer.concat([Buffer.from('icc\0\0', 'latin1'), zeros()])
  return Buffer.concat([png.subarray(0, 33), chunk('iCCP', profile), png.subarray(33)])
}

/** A PNG (ISO 15948) whose head says one size, with a stream that unpacks to far more than its few bytes. */
function pngBomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([16, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', zeros()),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** HEIC that says it is far larger than it is: its `ispe` boxes (ISO 23008-12, 6.5.3). */
function enlargedHeic(side: number): Buffer {
  const bytes = heicPicture()
  for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 4)) {
    bytes.writeUInt32BE(side, at + 8)
    bytes.writeUInt32BE(side, at + 12)
  }
  return bytes
}

/** Two frames, one after the other. */
const moving = async (format: 'gif' | 'webp') => {
  const frames = await Promise.all([white(60, 80), white(60, 80).negate()].map((one) => one.png().toBuffer()))
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
}

/** With a script, and ten billion pixels. */
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><script>alert(1)</script><rect width="9" height="9"/></svg>'

describe('a hostile picture ends in words, and what was added before and after is there', () => {
  const cases: [string, string, () => Promise<Buffer> | Buffer][] = [
    ['a PDF under the name of a photo', 'Only JPEG, PNG, WebP and HEIC', () => Buffer.from('%PDF-1.7')],
    ['a page of HTML', 'Only JPEG, PNG, WebP and HEIC', () => Buffer.from('<html><script>alert(1)</script>')],
    ['a drawing in SVG', 'Only JPEG, PNG, WebP and HEIC', () => Buffer.from(svg)],
    ['a GIF', 'Only JPEG, PNG, WebP and HEIC', () => white(50, 50).gif().toBuffer()],
    ['a GIF that moves', 'Only JPEG, PNG, WebP and HEIC', () => moving('gif')],
    ['a WebP that moves', 'is a moving picture', () => moving('webp')],
    ['a file of no bytes', 'is empty', () => Buffer.alloc(0)],
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
    ['a PNG with a colour profile of 200 MB', 'too much memory', pngWithLargeProfile],
    ['a WebP that ends in the middle', 'is damaged', async () => (await noise('webp')).subarray(0, 20_000)],
    ['an HEIC that ends in the middle', 'is damaged', () => heicPicture().subarray(0, heicPicture().length - 70)],
    ['a head and nothing else', 'is damaged', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ]
  it.each(cases)('%s', async (_, words, create) => {
    const { student, teacher } = await buildPeople()
    const bytes = await create()
    await student.add('before.heic', heicPicture())
    for (const { add } of [student, teacher]) {
      const reply = await add('holiday.jpg', bytes)
      expect(reply.status).toBe(422)
      expect(reply.body).toMatchObject({ error_code: 'files_refused' })
      expect(reply.text).toMatch(new RegExp(`holiday.jpg: [^"]*(${words})`))
    }
    expect((await student.add('after.heic', heicPicture())).status).toBe(200)
    expect([await student.pages(), await teacher.pages()]).toEqual([['before.heic', 'after.heic'], []])
  })
})

const noise = (format: 'webp' | 'jpeg') =>
  sharp(Buffer.from(Array.from({ length: 400 * 600 * 3 }, (_, i) => (i * 7919) % 251)), {
    raw: { width: 400, height: 600, channels: 3 },
  })
    .toFormat(format)
    .toBuffer()

it('shows a photo upright, whichever of the eight ways its EXIF says it was held', async () => {
  const { add, picture } = (await buildPeople()).student
  // Dark at the top left, so that each way can be told from the others.
  const upright = { width: 300, height: 400 }
  const corner = await white(100, 60).negate().png().toBuffer()
  const straight = await sharp({ create: { ...upright, channels: 3, background: 'white' } })
    .composite([{ input: corner, left: 0, top: 0 }])
    .png()
    .toBuffer()
  // What a camera held so would see (EXIF 2.3, tag 274).
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
