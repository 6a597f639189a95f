import { getStroke } from 'perfect-freehand'
import type { PenColour, PenMarkKind } from '../pen-marks.ts'

// The same on screens and in PDFs, in points of a page as wide as A4.

export const penColours: Record<PenColour, `#${string}`> = {
  red: '#c4161c',
  blue: '#1f4fbf',
  green: '#1b7a34',
  orange: '#d97706',
}

export const penMarkWords: Record<PenMarkKind, string> = {
  ink: 'Drawing',
  highlight: 'Highlight',
  text: 'Text',
  stamp: 'Stamp',
  tick: 'Tick',
  cross: 'Cross',
}

export const PEN_TEXT_SIZE = 11
export const PEN_LINE_HEIGHT = 14
const INK_SIZE = 2.6

export const signPaths = { tick: 'M -8 1 L -3 7 L 9 -8', cross: 'M -7 -7 L 7 7 M 7 -7 L -7 7' }
export const SIGN_WIDTH = 2.6
export const SIGN_RADIUS = 11

/** A scan's page may be several times as large as A4. */
export const penScale = ({ width, height }: { width: number; height: number }) =>
  Math.max(0.6, Math.min(width, height) / 595.28)

export const inkPoints = (points: readonly number[]): [x: number, y: number, pressure: number][] =>
  Array.from({ length: Math.floor(points.length / 3) }, (_, i) => [
    points[3 * i] ?? 0,
    points[3 * i + 1] ?? 0,
    points[3 * i + 2] ?? 0,
  ])

const rounded = (value: number) => Math.round(value * 100) / 100

/** An SVG path to be filled; thicker where pressed harder. */
export function inkPath(points: readonly number[], scale: number): string {
  const outline = getStroke(inkPoints(points), {
    size: INK_SIZE * scale,
    thinning: 0.5,
    streamline: 0.35,
    simulatePressure: false,
    last: true,
  })
  return outline.length === 0 ? '' : `M ${outline.map(([x = 0, y = 0]) => `${rounded(x)} ${rounded(y)}`).join(' L ')} Z`
}
