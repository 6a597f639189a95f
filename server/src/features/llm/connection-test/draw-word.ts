import sharp from 'sharp'
import type { Picture } from '../../../grader/grader.ts'

/** Letters of seven rows of five dots, a number a row. */
const letters: Record<string, readonly number[]> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  C: [14, 17, 16, 16, 16, 17, 14],
  E: [31, 16, 16, 30, 16, 16, 31],
  G: [14, 17, 16, 23, 17, 17, 15],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  P: [30, 17, 17, 30, 16, 16, 16],
  R: [30, 17, 17, 30, 20, 18, 17],
  T: [31, 4, 4, 4, 4, 4, 4],
}

/** Any of them can be drawn; which it is, an LLM can only know by reading the picture. */
export const drawableWords = ['HERON', 'MAPLE', 'TIGER', 'LEMON', 'PIANO', 'CAMEL', 'ORANGE', 'MIRROR'] as const

const DOT = 14
const ROWS = 7
const COLUMNS = 6

/** Black on white, big enough to be read by anything that reads pictures; about 2 kB. Without a font: the system may have none. */
export async function drawWord(word: string): Promise<Picture> {
  const width = (word.length * COLUMNS + 3) * DOT
  const height = (ROWS + 4) * DOT
  const pixels = Buffer.alloc(width * height, 255)
  for (const [at, letter] of [...word].entries()) {
    for (const [row, dots] of (letters[letter] ?? []).entries()) {
      for (let column = 0; column < 5; column++) {
        if (!(dots & (16 >> column))) continue
        const [x, y] = [(2 + at * COLUMNS + column) * DOT, (2 + row) * DOT]
        for (let line = y; line < y + DOT; line++) pixels.fill(0, line * width + x, line * width + x + DOT)
      }
    }
  }
  const bytes = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer()
  return { bytes, media_type: 'image/png' }
}
