import { expect, it } from 'vitest'
import { estimateAgreement, quadraticWeightedKappa, type ScorePair } from './estimate-agreement.ts'

const pairsOf = (points: [number, number][], most: number): ScorePair[] =>
  points.map(([grader, person]) => ({ grader: grader / most, person: person / most, level: 1 / most }))

const counted = (counts: [number, number, number][]) =>
  counts.flatMap(([grader, person, count]) => Array.from({ length: count }, (): [number, number] => [grader, person]))

it('quadratic weighted kappa is as computed elsewhere', () => {
  // Artstein and Poesio (2008), table 1: with two levels, weighted is unweighted.
  const two = counted([
    [0, 0, 20],
    [0, 1, 20],
    [1, 0, 10],
    [1, 1, 50],
  ])
  expect(quadraticWeightedKappa(pairsOf(two, 1))).toBeCloseTo(0.348, 3)
  // `test_cohen_kappa` of scikit-learn, weights="quadratic".
  const three = counted([
    [0, 0, 46],
    [1, 0, 4],
    [1, 1, 40],
    [2, 2, 10],
  ])
  expect(quadraticWeightedKappa(pairsOf(three, 2))).toBeCloseTo(0.9541, 4)
})

it('quadratic weighted kappa is 1 for the same scores, −1 for opposite ones, and null where nothing differs', () => {
  const same: [number, number][] = [
    [0, 0],
    [1, 1],
    [2, 2],
  ]
  const opposite: [number, number][] = [
    [0, 2],
    [2, 0],
  ]
  expect(quadraticWeightedKappa(pairsOf(same, 2))).toBeCloseTo(1, 12)
  expect(quadraticWeightedKappa(pairsOf(opposite, 2))).toBeCloseTo(-1, 12)
  expect(quadraticWeightedKappa(pairsOf([[2, 2]], 2))).toBeNull()
  expect(quadraticWeightedKappa([])).toBeNull()
})

it('figures are exact where no other answers are left', () => {
  const points: [number, number][] = [
    [3, 1],
    [2, 2],
    [2, 1],
    [4, 4],
  ]
  const exact = (value: number) => ({ value, low: value, high: value })
  expect(estimateAgreement(pairsOf(points, 4), false)).toMatchObject({
    within_one_level: exact(0.75),
    mean_error: exact(0.1875),
    bias: exact(0.1875),
  })
})

it('intervals are those of all resamples', () => {
  // Of the 27 resamples of 0, 0 and 3 of 6 points, 8 have the mean 0, 12 1/6, 6 2/6 and 1 3/6: 5 % are not above 0 and
  // 95 % not above 2/6.
  const { bias, mean_error } = estimateAgreement(
    pairsOf(
      [
        [1, 1],
        [4, 4],
        [5, 2],
      ],
      6,
    ),
    true,
  )
  expect(bias?.value).toBeCloseTo(1 / 6, 12)
  expect(bias?.low).toBe(0)
  expect(bias?.high).toBeCloseTo(2 / 6, 12)
  expect(mean_error).toEqual(bias)
})

it('intervals close with more marks, hold the value, and are the same each time', () => {
  const width = (marks: number) => {
    const pairs = pairsOf(
      Array.from({ length: marks }, (_, i): [number, number] => [(i * 7) % 11, (i * 3) % 11]),
      10,
    )
    const { kappa } = estimateAgreement(pairs, true)
    expect(estimateAgreement(pairs, true).kappa).toEqual(kappa)
    if (!kappa) throw new Error('no kappa')
    expect(kappa.low).toBeLessThan(kappa.value)
    expect(kappa.high).toBeGreaterThan(kappa.value)
    return kappa.high - kappa.low
  }
  expect(width(88)).toBeLessThan(width(22))
})

it('an interval does without resamples in which nothing differs, and there is none where nothing ever does', () => {
  const { kappa } = estimateAgreement(
    pairsOf(
      [
        [0, 0],
        [2, 2],
      ],
      2,
    ),
    true,
  )
  expect(kappa).toEqual({ value: 1, low: 1, high: 1 })
  expect(estimateAgreement(pairsOf([[1, 1]], 2), true).kappa).toBeNull()
})
