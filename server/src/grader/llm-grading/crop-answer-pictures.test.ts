import type { Evidence } from '@assay/shared/papers.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import type { Answer, Picture } from '../grader.ts'
import { cropAnswerPictures } from './prepare-questions.ts'

const PAGE = { width: 600, height: 800 }

/** 1200 × 1600 pixels; rows from y to y + height (in points) are black. */
async function page(y: number, height: number, points = true): Promise<Picture> {
  const ink = await sharp({ create: { width: 1200, height: height * 2, channels: 3, background: '#000000' } })
    .png()
    .toBuffer()
  const bytes = await sharp({ create: { width: 1200, height: 1600, channels: 3, background: '#ffffff' } })
    .composite([{ input: ink, left: 0, top: y * 2 }])
    .png()
    .toBuffer()
  return { bytes, media_type: 'image/png', ...(points ? { points: PAGE } : {}) }
}

const line = (y: number, on = 1): Evidence => ({ page: on, box: { x: 60, y, width: 300, height: 20 }, quote: 'x' })
const answer = (...evidence: Evidence[]): Answer => ({
  question_id: 'q1',
  text: 'x',
  found: true,
  evidence,
  reading: 0.5,
})
const question = (kind: Question['kind'], y = 400): Question => ({
  id: 'q1',
  number: '1',
  prompt: 'Draw a cell.',
  kind,
  criteria: [{ id: 'q1', text: '', points: 4, expected: '', alternatives: [] }],
  regions: [{ page: 1, box: { x: 0, y, width: 600, height: 200 } }],
})

/** 0..1. */
async function black({ bytes }: Picture): Promise<number> {
  const { data } = await sharp(bytes).grayscale().raw().toBuffer({ resolveWithObject: true })
  return data.filter((value) => value < 128).length / data.length
}
const first = (pictures: Picture[]): Picture => {
  const [one] = pictures
  if (!one) throw new Error('there is no picture')
  return one
}

it('cuts the answer out of its page and leaves the name above it', async () => {
  const name = await page(40, 60)
  const cut = first(await cropAnswerPictures(question('text'), answer(line(300), line(330)), async () => name, []))
  const { width = 0, height = 0, format } = await sharp(cut.bytes).metadata()
  expect(format).toBe('jpeg')
  expect(width).toBe(1200)
  // From 286 to 364 points, at two pixels a point.
  expect(height).toBe(156)
  expect(await black(cut)).toBe(0)
  const ink = await page(300, 50)
  expect(
    await black(first(await cropAnswerPictures(question('text'), answer(line(300), line(330)), async () => ink, []))),
  ).toBeGreaterThan(0.6)
})

it('shows the answer space of a drawing, where no words are', async () => {
  const drawn = await page(420, 100)
  const cut = first(await cropAnswerPictures(question('drawing'), answer(), async () => drawn, []))
  expect((await sharp(cut.bytes).metadata()).height).toBe(520)
  expect(await black(cut)).toBeCloseTo(100 / 260, 1)
})

it('covers lines that identify the student', async () => {
  const white = await page(700, 10)
  const cut = first(await cropAnswerPictures(question('text'), answer(line(300)), async () => white, [line(300)]))
  expect(await black(cut)).toBeCloseTo((300 * 20) / (600 * 48), 1)
})

it('shows each page once, three at most', async () => {
  const asked: number[] = []
  const white = await page(700, 10)
  const lines = [line(100), line(200), line(50, 2), line(50, 3), line(50, 4)]
  const cut = await cropAnswerPictures(
    question('text'),
    answer(...lines),
    async (n) => {
      asked.push(n)
      return white
    },
    [],
  )
  expect(asked).toEqual([1, 2, 3])
  expect(cut).toHaveLength(3)
})

it('leaves out the head of a first page of unknown size, and shows nothing that it could not cover', async () => {
  const name = await page(20, 60, false)
  const cut = await cropAnswerPictures(question('text'), answer(line(300)), async () => name, [])
  expect(await black(first(cut))).toBe(0)
  expect(await cropAnswerPictures(question('text'), answer(line(300)), async () => name, [line(300)])).toEqual([])
})
