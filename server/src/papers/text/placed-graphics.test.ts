import { describe, expect, it } from 'vitest'
import type { PaintedPath } from '../pdf/page-graphics.ts'
import { placeGraphics } from './placed-graphics.ts'

const viewport = { width: 595, height: 842, transform: [1, 0, 0, 1, 0, 0] }

const path = (
  [x, y, width, height]: [number, number, number, number],
  how: Partial<PaintedPath> = {},
): PaintedPath => ({ rect: [x, y, x + width, y + height], fill: null, stroked: false, drawn: true, ...how })

const placed = (...paths: PaintedPath[]) =>
  placeGraphics({ styles: [], paths, pictures: [], mayHideText: false, annotations: false }, viewport)

describe('what is painted on a page', () => {
  it('is a mark where it is small and filled, beside the frame it fills, or a stroke of a pen', () => {
    const kinds = (...paths: PaintedPath[]) => placed(...paths).shapes.map(({ kind }) => kind)
    expect(kinds(path([60, 100, 12, 12], { stroked: true }))).toEqual(['frame'])
    expect(kinds(path([60, 100, 12, 12], { stroked: true, fill: '#444444' }))).toEqual(['frame', 'mark'])
    expect(kinds(path([62, 102, 6, 6], { fill: '#000000' }))).toEqual(['mark'])
    expect(kinds(path([60, 100, 40, 18], { fill: '#0044cc' }))).toEqual(['mark'])
    // A word's background, a shadow, and what is painted white.
    expect(kinds(path([60, 100, 40, 18], { fill: '#ffee55', drawn: false }))).toEqual([])
    expect(kinds(path([60, 100, 12, 12], { fill: '#eeeeee' }), path([60, 100, 12, 12], { fill: '#ffffff' }))).toEqual(
      [],
    )
  })

  it('has no marks where it is full of them, and no fraction bars round framed words', () => {
    const dots = Array.from({ length: 400 }, (_, i) =>
      path([60 + (i % 20) * 8, 100 + Math.floor(i / 20) * 8, 4, 4], { fill: '#000000' }),
    )
    expect(placed(...dots).shapes).toEqual([])
    const bar = (x: number, y: number, width: number, height: number) =>
      path([x, y, width, height], { fill: '#000000' })
    const frame = [bar(80, 100, 60, 0.5), bar(80, 116, 60, 0.5), bar(80, 100, 0.5, 16.5), bar(139.5, 100, 0.5, 16.5)]
    expect(placed(...frame, bar(80, 200, 30, 0.5)).rules).toHaveLength(1)
  })
})
