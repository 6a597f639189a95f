import { describe, expect, it } from 'vitest'
import { DEFAULT_SIGNAL_SETTINGS } from '../text/signal-settings.ts'
import { errorOfMarks, errorOfOneMark, TextJudge } from './judge-text.ts'

const point = (id: string, expected: string, points = 1, alternatives: string[] = []) => ({
  id,
  text: expected,
  points,
  expected,
  alternatives,
})
const SCHEME = [
  point('q1.1', 'The clay swells when it takes up water'),
  point('q1.2', 'so the wall above it cracks', 1, ['so the house leans']),
  point('q1.3', 'Tree roots dry the ground in summer'),
]
const ANSWERS = [
  'The clay swells when it takes up water, so the wall above it cracks. Tree roots dry the ground in summer.',
  'The clay swells when it takes up water.',
  'The house leans.',
  'The painters were late.',
  'Roots of the tree dry out the ground in the summer and the clay takes up water and swells.',
  'It is old.',
]
const marksOf = (answers: string[], criteria = SCHEME, prompt = 'Why did the cottage move?') => {
  const judge = new TextJudge({ prompt, criteria }, answers, () => 1, DEFAULT_SIGNAL_SETTINGS)
  return answers.map((_, i) => criteria.map((one) => judge.judge(i, one)))
}

describe('a question of several points', () => {
  it('has whole marks for the points an answer has, in any order and by any of their ways to say it', () => {
    const shares = marksOf(ANSWERS).map((own) => own.map(({ share }) => share))
    expect(shares[0]).toEqual([1, 1, 1])
    expect(shares[1]?.[0]).toBe(1)
    expect(shares[2]?.[1]).toBe(1)
    expect(shares[3]).toEqual([0, 0, 0])
    expect(shares[4]).toEqual([1, 0, 1])
    expect(shares[5]).toEqual([0, 0, 0])
    expect(shares.flat().every(Number.isInteger)).toBe(true)
  })

  it('is sure of nothing but the key’s own words in another language', () => {
    const key = 'Elle va au marché avec les enfants'
    const answers = [
      key,
      'Elle vas au marché avec les enfants',
      'Elle va à la plage',
      'Ils vont au marché',
      'Non',
      'Elle va',
    ]
    const [same, ending] = marksOf(answers, [point('q1', key, 2)], 'Translate the sentence.').map(
      ([one]) => one?.confidence,
    )
    expect(same).toBeGreaterThan(0.9)
    expect(ending).toBeLessThanOrEqual(0.5)
  })

  it('says which points are found beyond doubt', () => {
    const found = marksOf(ANSWERS).map((own) => own.map(({ points }) => points?.[0]?.found))
    expect(found[0]).toEqual([true, true, true])
    expect(found[1]).toEqual([true, false, false])
    expect(found[3]).toEqual([false, false, false])
  })

  it('is read from a key of one piece, too', () => {
    const key = [point('q1', 'The clay swells; the wall cracks; roots dry the ground', 3)]
    const [best, part, none] = marksOf(
      [ANSWERS[0] ?? '', 'The wall cracks', 'It is old.', ...ANSWERS.slice(1)],
      key,
    ).map(([only]) => only)
    expect(best?.share).toBeGreaterThan(0.85)
    expect(part?.points?.map(({ found }) => found)).toEqual([false, true, false])
    expect(part?.share).toBeGreaterThan((none?.share ?? 1) + 0.2)
  })
})

describe('an answer in the key’s words', () => {
  const one = (key: string, answer: string) => marksOf([answer, ...ANSWERS], [point('q1', key)], 'Explain.')[0]?.[0]

  it('earns nothing like the points with the parts exchanged, or the other way', () => {
    const heron = one('The heron catches the frog', 'The heron catches the frog')
    expect(heron).toMatchObject({ share: 1, remarks: ['verbatim'] })
    expect(heron?.confidence).toBeGreaterThan(0.9)
    const frog = one('The heron catches the frog', 'The frog catches the heron')
    expect(frog?.share).toBeLessThan(0.5)
    expect(frog?.confidence).toBeLessThan(0.9)
    expect(one('The pressure rises', 'The pressure falls')?.share).toBeLessThan(
      one('The pressure rises', 'Pressure is rising')?.share ?? 0,
    )
  })

  it('is sure only of the key’s very words', () => {
    expect(one('chalk and clay', 'chalk and clay')?.confidence).toBeGreaterThan(0.95)
    expect(one('chalk and clay', 'wet chalk and some clay')?.confidence).toBeLessThan(0.9)
    expect(one('chalk and clay', 'sand')?.confidence).toBeLessThan(0.9)
  })

  it('is doubted where the key is but an example', () => {
    const open = one('e.g. a heron on a river', 'my sister keeps a very old parrot in the kitchen')
    expect(open?.confidence).toBeLessThan(0.6)
    expect(open?.share).toBeGreaterThanOrEqual(0.5)
  })
})

it('gives no more than half for “what is it, and where?” to who names another place', () => {
  const prompt = 'What is erosion, and where on a coast does it happen most?'
  const key = 'Erosion is the wearing away of rock by the waves of the sea. It happens most at headlands.'
  const same = 'Erosion is the wearing away of rock by the waves of the sea.'
  const shareOf = (place: string, alternatives: string[] = []) =>
    marksOf([`${same} ${place}`], [point('q1', key, 10, alternatives)], prompt)[0]?.[0]?.share
  expect(shareOf('It happens most at beaches.')).toBe(0.5)
  expect(shareOf('')).toBe(0.5)
  expect(shareOf('It happens most at hedlands, not beaches.')).toBeGreaterThan(0.8)
  expect(shareOf('It happens most at cliffs.', ['The sea wears rock away, mostly at cliffs.'])).toBeGreaterThan(0.5)
})

describe('the expected error of an answer in words', () => {
  const shares = Array.from({ length: 21 }, (_, i) => i / 20)

  it('is largest between nothing and all, and never small enough to be sure', () => {
    for (const error of [(share: number) => errorOfOneMark(share, 6), errorOfMarks]) {
      const errors = shares.map(error)
      expect(Math.max(...errors)).toBe(Math.max(...errors.slice(7, 14)))
      expect(Math.min(...errors)).toBeGreaterThan(0.1)
      expect(errors[10]).toBeGreaterThan(2 * (errors[20] ?? 1))
    }
  })

  it('is larger for a long answer without the key’s words than for a short one', () => {
    expect(errorOfOneMark(0, 30)).toBeGreaterThan(errorOfOneMark(0, 3) + 0.1)
    expect(errorOfOneMark(1, 30)).toBeLessThanOrEqual(errorOfOneMark(1, 3))
  })
})
