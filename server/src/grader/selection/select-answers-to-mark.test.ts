import { expect, it } from 'vitest'
import { type MarkableAnswer, meanExpectedError, selectAnswersToMark } from './select-answers-to-mark.ts'

const answer = (changed: Partial<MarkableAnswer> = {}): MarkableAnswer => ({
  share: 0.5,
  error: 0.4,
  count: 1,
  comparable: true,
  decided: false,
  ...changed,
})
const unlike = () => 0
const bothIn =
  (...groups: number[][]) =>
  (a: number, b: number) =>
    groups.some((group) => group.includes(a) && group.includes(b)) ? 0.9 : 0

it('takes the answer that most others are like', () => {
  const answers = Array.from({ length: 6 }, () => answer())
  expect(selectAnswersToMark(answers, bothIn([1, 2, 3]), { count: 1 })).toEqual([1])
})

it('takes one of those alike, and then one that is not', () => {
  const answers = Array.from({ length: 6 }, () => answer())
  const [first, second] = selectAnswersToMark(answers, bothIn([0, 1, 2], [3, 4, 5]), { count: 2 })
  expect(first).toBeLessThan(3)
  expect(second).toBeGreaterThan(2)
})

it('takes what many wrote and what is doubtful before what one wrote or is sure', () => {
  expect(selectAnswersToMark([answer(), answer({ count: 30 }), answer()], unlike, { count: 1 })).toEqual([1])
  expect(
    selectAnswersToMark([answer({ error: 0.05 }), answer({ error: 0.05 }), answer()], unlike, { count: 1 }),
  ).toEqual([2])
})

it('takes none that are decided, and no more than there are', () => {
  const answers = [answer({ decided: true }), answer(), answer({ comparable: false })]
  expect(selectAnswersToMark(answers, unlike, { count: 5 }).sort()).toEqual([1, 2])
})

it('takes none whose expected error reduction in the others is small', () => {
  const least = { count: 2, leastReduction: 0.01 }
  const undecided = Array.from({ length: 6 }, () => answer())
  expect(selectAnswersToMark([answer({ decided: true }), ...undecided], bothIn([1, 2, 3]), least)).toHaveLength(2)
  const apart = undecided.map((one) => ({ ...one, comparable: false }))
  expect(selectAnswersToMark(apart, unlike, least)).toEqual([])
  expect(selectAnswersToMark([...apart, answer({ comparable: false, count: 3 })], unlike, least)).toEqual([6])
})

it('gives the same choice each time', () => {
  const answers = Array.from({ length: 40 }, (_, i) =>
    answer({ share: ((i * 7) % 40) / 40, error: 0.1 + (i % 5) / 10 }),
  )
  const similarity = (a: number, b: number) => ((a * b) % 10) / 10
  expect(selectAnswersToMark(answers, similarity)).toEqual(selectAnswersToMark(answers, similarity))
})

it('compares the words of each two answers once, which is what takes the time', () => {
  const compared: string[] = []
  selectAnswersToMark(
    Array.from({ length: 20 }, () => answer()),
    (a, b) => {
      compared.push([a, b].sort((x, y) => x - y).join(' '))
      return 0.5
    },
  )
  expect(compared).toHaveLength((20 * 19) / 2)
  expect(new Set(compared).size).toBe(compared.length)
})

it('expects of the others as much error as each is written, and none where all is marked', () => {
  const answers = [answer({ error: 0.2, count: 3 }), answer({ error: 0.6 })]
  expect(meanExpectedError(answers)).toBeCloseTo(0.3)
  expect(meanExpectedError([...answers, answer({ error: 0.9, decided: true })])).toBeCloseTo(0.3)
  expect(meanExpectedError([answer({ decided: true })])).toBe(0)
})
