import { roundPoints } from './points.ts'

export interface PointsOfItem {
  kind: 'gives' | 'takes' | 'comment'
  points: number
}

export interface ItemizedCriterion<T extends PointsOfItem = PointsOfItem> {
  items: readonly T[]
  points?: number | undefined
  /** Points typed beyond the items'; they stay when an item changes. */
  adjustment?: number | undefined
}

const within = (points: number, most: number) => roundPoints(Math.min(most, Math.max(0, points)))
const gives = ({ kind }: PointsOfItem) => kind === 'gives'
const counts = ({ kind }: PointsOfItem) => kind !== 'comment'

/** From nothing up where an item gives points, else down from `most`. Without items, all points. */
export function sumOfItems(items: readonly PointsOfItem[], most: number): number {
  const total = (kind: PointsOfItem['kind']) =>
    items.reduce((sum, item) => (item.kind === kind ? sum + item.points : sum), 0)
  return within((items.some(gives) ? total('gives') : most) - total('takes'), most)
}

/** Undefined where no item changes points and nobody has typed any. */
export function pointsWithItems(
  { items, adjustment }: Pick<ItemizedCriterion, 'items' | 'adjustment'>,
  most: number,
): number | undefined {
  if (adjustment === undefined && !items.some(counts)) return undefined
  return within(sumOfItems(items, most) + (adjustment ?? 0), most)
}

/** Undefined where no item changes points. One that makes these points already stays, so that changes can be undone. */
export function adjustmentFor({ items, points, adjustment }: ItemizedCriterion, most: number): number | undefined {
  if (points === undefined || !items.some(counts)) return undefined
  return pointsWithItems({ items, adjustment }, most) === points
    ? adjustment
    : roundPoints(points - sumOfItems(items, most))
}

/**
 * Typed points move along, except where items begin or cease to give points; without an item that counts, they are as
 * typed, or undecided.
 */
export function withItems<T extends PointsOfItem>(
  before: ItemizedCriterion<T>,
  items: readonly T[],
  most: number,
): ItemizedCriterion<T> {
  const counted = before.items.filter(counts)
  const now = items.filter(counts)
  const same = counted.length === now.length && counted.every((item) => now.includes(item))
  if (same) return { ...before, items }
  const typed = counted.length > 0 ? before.adjustment : before.points === undefined ? undefined : before.points - most
  const adjustment = counted.some(gives) === now.some(gives) ? typed : undefined
  const points = pointsWithItems({ items, adjustment }, most)
  return { items, points, adjustment: now.length > 0 && adjustment !== undefined ? roundPoints(adjustment) : undefined }
}

/** Other content, removed or brought back: what was typed moves along. */
export function withChangedItem<T extends PointsOfItem>(
  before: ItemizedCriterion<T>,
  items: readonly T[],
  most: number,
): ItemizedCriterion<T> {
  const counted = before.items.some(counts)
  if (!counted && !items.some(counts)) return { ...before, items }
  // Without an item that counts it belongs to a removed one, which comes back now.
  const plain = counted || before.points === undefined ? undefined : roundPoints(before.points - most)
  const adjustment = before.adjustment ?? plain
  return { items, points: pointsWithItems({ items, adjustment }, most), adjustment }
}
