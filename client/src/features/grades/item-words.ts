import type { ItemWords } from '@assay/shared/item-words.ts'
import { formatPoints, plural } from '../../lib/format.ts'

/** None has another meaning on the screen; for the left hand, as the right one moves. */
export const ITEM_KEYS = ['q', 'w', 'e', 'r', 't', 'd', 'f', 'g', 'c', 'v', 'b', 'y', 'u', 'h', 'l']
export const ADD_ITEM_KEY = 'i'

/** `+2`, `−0.5`; empty for a comment. */
export function itemWorth({ kind, points }: Pick<ItemWords, 'kind' | 'points'>): string {
  if (kind === 'comment') return ''
  return `${kind === 'gives' ? '+' : '−'}${formatPoints(points)}`
}

export function itemWorthInWords({ kind, points }: Pick<ItemWords, 'kind' | 'points'>): string {
  if (kind === 'comment') return 'Comment'
  return `${kind === 'gives' ? 'Gives' : 'Takes off'} ${plural(Number(formatPoints(points)), 'point')}`
}

export const signed = (points: number) => `${points < 0 ? '−' : '+'}${formatPoints(Math.abs(points))}`
