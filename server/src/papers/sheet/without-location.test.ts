import { expect, it } from 'vitest'
import { heicPicture } from '../../../../tests/papers/heic-picture.ts'
import { withoutLocation } from './without-location.ts'

const box = (type: string, content: string) => {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type + content, 'latin1')])
  bytes.writeUInt32BE(bytes.length)
  return bytes
}

it.each(['mpvd', 'sefd', 'uuid', 'moov', 'free'])('deletes what an HEIC photo has in a %s box', (type) => {
  const picture = heicPicture()
  const [head, rest] = [picture.subarray(0, 28), picture.subarray(28)]
  const alone = withoutLocation(picture, 'heic')
  expect(alone.includes('Phone')).toBe(false)
  const film = box(type, 'a film of the place')
  const behind = withoutLocation(Buffer.concat([picture, film]), 'heic')
  expect([behind.includes('film'), behind.subarray(0, picture.length).equals(alone)]).toEqual([false, true])
  expect(withoutLocation(Buffer.concat([head, film, rest]), 'heic').includes('film')).toBe(false)
})

it('deletes what follows the last box of an HEIC photo', () => {
  const picture = heicPicture()
  // Less than a box, one longer than the file, and one shorter than its own head.
  for (const trailer of ['place', '\xff\xff\xff\xffmdatplace', '\0\0\0\x02mdatplace']) {
    const clean = withoutLocation(Buffer.concat([picture, Buffer.from(trailer, 'latin1')]), 'heic')
    expect([clean.includes('place'), clean.length]).toEqual([false, picture.length + trailer.length])
  }
})
