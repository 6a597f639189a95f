import { expect, it } from 'vitest'
import { similarClusters } from './SimilarityPage.tsx'

const pair = (first: number, second: number) => ({ first: { submission_id: first }, second: { submission_id: second } })
const named = (pairs: ReturnType<typeof pair>[]) =>
  pairs.map(({ first, second }) => [first.submission_id, second.submission_id])

it('puts connected pairs in one group, in the order they come', () => {
  const pairs = [pair(1, 2), pair(8, 9), pair(3, 4), pair(2, 3), pair(1, 4), pair(5, 6)]
  expect(similarClusters(pairs).map(named)).toEqual([
    [
      [1, 2],
      [3, 4],
      [2, 3],
      [1, 4],
    ],
    [[8, 9]],
    [[5, 6]],
  ])
  expect(similarClusters([])).toEqual([])
})
