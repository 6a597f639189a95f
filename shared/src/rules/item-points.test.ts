import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  adjustmentFor,
  type ItemizedCriterion,
  type PointsOfItem,
  pointsWithItems,
  sumOfItems,
  withChangedItem,
  withItems,
} from './item-points.ts'

const gives = (points: number): PointsOfItem => ({ kind: 'gives', points })
const takes = (points: number): PointsOfItem => ({ kind: 'takes', points })
const comment: PointsOfItem = { kind: 'comment', points: 0 }

describe('the points of items', () => {
  it('count up from nothing where one gives points, else down from all', () => {
    expect(sumOfItems([takes(2), takes(0.5)], 5)).toBe(2.5)
    expect(sumOfItems([gives(2), gives(1.5)], 5)).toBe(3.5)
    expect(sumOfItems([gives(3), takes(1)], 5)).toBe(2)
    expect(sumOfItems([gives(0)], 5)).toBe(0)
    expect(sumOfItems([takes(0)], 5)).toBe(5)
  })

  it('stay between nothing and all', () => {
    expect(sumOfItems([takes(4), takes(4)], 5)).toBe(0)
    expect(sumOfItems([gives(4), gives(4)], 5)).toBe(5)
  })

  it('are none where only comments are there, and nothing was typed', () => {
    expect(pointsWithItems({ items: [comment] }, 5)).toBeUndefined()
    expect(withItems({ items: [], points: 4 }, [comment], 5)).toEqual({ items: [comment], points: 4 })
  })

  it('move what was typed along, but give way where items begin to give points', () => {
    expect(withItems({ items: [], points: 4 }, [takes(1)], 5)).toMatchObject({ points: 3, adjustment: -1 })
    expect(withItems({ items: [], points: 4 }, [gives(2)], 5)).toMatchObject({ points: 2, adjustment: undefined })
  })

  it('add up without the errors of binary fractions', () => {
    expect(sumOfItems([gives(0.1), gives(0.2)], 5)).toBe(0.3)
  })
})

const points = fc.integer({ min: 0, max: 40 }).map((quarters) => quarters / 4)
const item = fc.record({ kind: fc.constantFrom('gives' as const, 'takes' as const, 'comment' as const), points })
const items = fc.array(item, { maxLength: 6 })
const most = fc.integer({ min: 1, max: 40 }).map((quarters) => quarters / 4)
/** As stored: typed points are plain without an item that counts, an adjustment with one. */
const criterion = fc.tuple(items, fc.option(points, { nil: undefined }), most).map(([own, typed, max]) => {
  const capped = typed === undefined ? undefined : Math.min(typed, max)
  const plain: ItemizedCriterion = { items: own }
  const adjustment = adjustmentFor({ ...plain, points: capped }, max)
  return { max, before: { items: own, points: capped ?? pointsWithItems(plain, max), adjustment } }
})

describe('of any criterion', () => {
  it('the points are between nothing and all, in whatever order the items are', () => {
    fc.assert(
      fc.property(items, most, (own, max) => {
        const sum = sumOfItems(own, max)
        expect(sum).toBeGreaterThanOrEqual(0)
        expect(sum).toBeLessThanOrEqual(max)
        expect(sumOfItems(own.toReversed(), max)).toBe(sum)
      }),
    )
  })

  it('an adjustment comes to the points that were typed', () => {
    fc.assert(
      fc.property(criterion, points, ({ before, max }, typed) => {
        const capped = Math.min(typed, max)
        const adjustment = adjustmentFor({ ...before, points: capped }, max)
        if (adjustment !== undefined) expect(pointsWithItems({ items: before.items, adjustment }, max)).toBe(capped)
      }),
    )
  })

  it('adding an item that takes points and taking it away again changes nothing', () => {
    fc.assert(
      fc.property(criterion, points, ({ before, max }, taken) => {
        const added = withItems(before, [...before.items, takes(taken)], max)
        expect(withItems(added, before.items, max)).toEqual({ ...before, adjustment: before.adjustment })
      }),
    )
  })

  it('changing an item and changing it back changes nothing', () => {
    fc.assert(
      fc.property(criterion, item, ({ before, max }, other) => {
        const [first, ...rest] = before.items
        if (!first) return
        const there = withChangedItem(before, [other, ...rest], max)
        expect(withChangedItem(there, before.items, max).points).toBe(before.points)
      }),
    )
  })

  it('a higher penalty never gives more points', () => {
    fc.assert(
      fc.property(criterion, points, points, ({ before, max }, one, more) => {
        const added = withItems(before, [...before.items, takes(one)], max)
        const raised = withChangedItem(added, [...before.items, takes(one + more)], max)
        expect(raised.points ?? 0).toBeLessThanOrEqual(added.points ?? 0)
      }),
    )
  })
})
