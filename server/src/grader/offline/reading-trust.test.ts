import { afterAll, expect, it } from 'vitest'
import { buildPaper, type LineSpec } from '../testing/build-paper.ts'
import { createOfflineGrader } from './offline-grader.ts'

const grader = createOfflineGrader()
afterAll(() => grader.close())

const Q = ['1. How fast is the cart? (1 point)', '2. How heavy is the cart? (1 point)']
const paper = (speed: string | LineSpec, mass: string | LineSpec) =>
  buildPaper([Q[0] ?? '', speed, '', Q[1] ?? '', mass])
const scanned = (text: string, confidence: number): LineSpec => ({ text, source: 'ocr', confidence })

async function grade(...papers: ReturnType<typeof buildPaper>[]) {
  const [blank, key] = [paper('', ''), paper('12.5 m/s', '48 kg')]
  const rubric = await grader.generateRubric(blank, key)
  const extracted = await Promise.all(papers.map((one) => grader.extractAnswers(rubric, blank, one)))
  const everyone = {
    key: JSON.stringify(papers),
    submissions: extracted.map((one, i) => ({ id: i + 1, extracted: one })),
  }
  return Promise.all(papers.map((_, i) => grader.grade(rubric, i + 1, everyone)))
}

it('counts print that was hard to read where it says just what the key does, and nothing else', async () => {
  const [right, wrong, hand] = await grade(
    paper(scanned('12.5 m/s', 0.4), scanned('48 kg', 0.96)),
    paper(scanned('71 m/s', 0.4), scanned('48 kg', 0.96)),
    // No word could be read: that one looks right may be chance.
    paper(scanned('12.5 m/s', 0.4), scanned('AB k9', 0.3)),
  )
  expect(right?.criteria.map(({ score }) => score)).toEqual([1, 1])
  expect(right?.reasons.map(({ code }) => code)).not.toContain('poor_reading')
  expect(wrong?.criteria.map(({ score, unscored_reason }) => [score, unscored_reason])).toEqual([
    [null, 'unreadable'],
    [1, undefined],
  ])
  expect(wrong?.reasons.map(({ code }) => code)).toContain('poor_reading')
  expect(hand?.criteria.map(({ unscored_reason }) => unscored_reason)).toEqual(['unreadable', 'unreadable'])
})

it('is sure that an answer is wrong only as far as OCR is sure what it says', async () => {
  const [doubtful, likely, certain] = await grade(
    paper(scanned('71 m/s', 0.8), scanned('48 kg', 0.8)),
    paper(scanned('71 m/s', 0.9), scanned('48 kg', 0.9)),
    paper(scanned('71 m/s', 0.96), scanned('48 kg', 0.96)),
  )
  const [low, middle, high] = [doubtful, likely, certain].map((one) => one?.criteria[0])
  expect([low?.score, middle?.score, high?.score]).toEqual([0, 0, 0])
  expect(low?.confidence).toBeLessThan(middle?.confidence ?? 0)
  expect(middle?.confidence).toBeLessThan(0.9)
  expect(high?.confidence).toBeGreaterThanOrEqual(0.9)
  expect(doubtful?.criteria[1]).toMatchObject({ score: 1, confidence: certain?.criteria[1]?.confidence })
})
