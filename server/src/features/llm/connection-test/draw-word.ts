import sharp from 'sharp'
import type { Picture } from '../../../grader/grader.ts'

/** Seven rows of five dots, a bit mask a row. */
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

/** One is drawn at random, so the LLM must read the picture to know it. */
export const drawableWords = ['HERON', 'MAPLE', 'TIGER', 'LEMON', 'PIANO', 'CAMEL', 'ORANGE', 'MIRROR'] as const

const DOT = 14
const ROWS = 7
const COLUMNS = 6

/** Without a font, as the system may have none; about 2 kB. */
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
