import type { Box, Cell } from '@assay/shared/papers.ts'
import type { PageViewport } from 'pdfjs-dist'
import type { TextContent, TextItem, TextStyle } from 'pdfjs-dist/types/src/display/api.js'
import { boundingBox, type Matrix, multiply, type Point, toMatrix } from '../geometry/matrix.ts'

/** Degrees clockwise, on the page as shown. */
export type Direction = 0 | 90 | 180 | 270

export type RunStyle = Pick<Cell, 'bold' | 'colour' | 'highlight' | 'underlined'>

export interface TextRun {
  text: string
  box: Box
  direction: Direction
  /** Of the font as shown, in points. */
  size: number
  /** Points from the page's top. */
  baseline: number
  style?: RunStyle
  endsLine: boolean
}

export function toTextRuns(content: TextContent, viewport: PageViewport): TextRun[] {
  const view = toMatrix(viewport.transform)
  const runs: TextRun[] = []
  for (const item of content.items) {
    if (!('str' in item)) continue
    const style = content.styles[item.fontName]
    if (item.str === '') {
      const last = runs.at(-1)
      if (item.hasEOL && last) last.endsLine = true
      continue
    }
    runs.push(toTextRun(item, style, view))
  }
  return runs
}

function toTextRun(item: TextItem, style: TextStyle | undefined, view: Matrix): TextRun {
  const m = multiply(view, toMatrix(item.transform))
  const size = Math.hypot(m[2], m[3])
  const scale = Math.hypot(view[0], view[1])
  const along = unitVector(m[0], m[1])
  const up = unitVector(m[2], m[3])
  const length = item.width * scale
  const [ascent, descent] = style?.vertical ? [1, 0] : ascentAndDescent(style)
  const [x, y] = [m[4], m[5]]
  const corners: Point[] = style?.vertical
    ? [
        [x - size / 2, y],
        [x + size / 2, y + item.height * scale],
      ]
    : [
        [x + up[0] * size * ascent, y + up[1] * size * ascent],
        [x + up[0] * size * descent, y + up[1] * size * descent],
        [x + along[0] * length + up[0] * size * ascent, y + along[1] * length + up[1] * size * ascent],
        [x + along[0] * length + up[0] * size * descent, y + along[1] * length + up[1] * size * descent],
      ]
  return {
    text: withTeXSigns(item.str, length / size / item.str.length),
    box: boundingBox(corners),
    direction: directionOf(along),
    size,
    baseline: y,
    endsLine: item.hasEOL,
  }
}

/** By code, and by the key with that code in Apple's keyboard encoding, which macOS writes; operators are wide. */
const TEX_SIGNS: Record<string, [wide: string, narrow: string]> = {
  '\0': ['−', ''],
  '\x01': ['Δ', '·'],
  '\x02': ['×', 'Θ'],
  '\x03': ['Λ', '∗'],
  '\x0b': ['α', 'α'],
  '\x0c': ['β', 'β'],
  '\x0e': ['δ', 'δ'],
  '\x0f': ['ε', 'ε'],
  '\x14': ['≤', 'κ'],
  '\x15': ['≥', 'λ'],
  '\x18': ['∼', 'ξ'],
  '\x19': ['≈', 'π'],
  '\x1c': ['≪', 'τ'],
  '\x1d': ['≫', 'υ'],
  '⇥': ['×', '×'],
  '⇤': ['∗', '∗'],
  '↵': ['α', 'α'],
  '✏': ['ε', 'ε'],
  '⇠': ['∼', 'ξ'],
  '⇡': ['≈', 'π'],
  '⇢': ['ρ', 'ρ'],
  '⌧': ['≪', 'τ'],
  '⇣': ['(', '('],
  '⌘': ['⌘', ')'],
  '\u{F8FF}': ['≤', 'κ'],
}
const WIDE = 0.75
/** From code 11 on in TeX's text fonts, from 27 on in the newer T1 encoding. */
const LIGATURES = ['ff', 'fi', 'fl', 'ffi', 'ffl']
const ligatureOf = (code: string) => LIGATURES[code.charCodeAt(0) - 27] ?? LIGATURES[code.charCodeAt(0) - 11] ?? code
/** Words and keys have a font of their own in the files that macOS writes. */
const ONLY_SIGNS = /^[\p{Cc}\s⇥⇤↵✏⇠⇡⇢⌧⇣⌘\u{F8FF}]+$/u

/** `em`: mean width of the characters, which tells the two fonts apart. Codes without a sign become spaces. */
const withTeXSigns = (text: string, em: number): string =>
  text
    .replace(/(?<=\p{L})\p{Cc}|\p{Cc}(?=\p{Ll})/gu, ligatureOf)
    .replace(ONLY_SIGNS.test(text) ? /\S|\p{Cc}/gu : /\p{Cc}/gu, (sign) => TEX_SIGNS[sign]?.[em > WIDE ? 0 : 1] || ' ')

/** Fonts with no or an impossible height get typical values. */
function ascentAndDescent(style: TextStyle | undefined): [number, number] {
  const ascent = style?.ascent ?? 0
  const descent = style?.descent ?? 0
  return [ascent > 0.3 && ascent < 1.3 ? ascent : 0.85, descent < 0 && descent > -0.6 ? descent : -0.22]
}

function directionOf([x, y]: readonly [number, number]): Direction {
  const degrees = (Math.round(Math.atan2(y, x) / (Math.PI / 2)) * 90 + 360) % 360
  return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0
}

function unitVector(x: number, y: number): readonly [number, number] {
  const length = Math.hypot(x, y) || 1
  return [x / length, y / length]
}
