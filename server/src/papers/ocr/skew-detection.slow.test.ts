import sharp from 'sharp'
import { expect, it } from 'vitest'
import { detectSkew, lineDirection } from './skew-detection.ts'

const [width, height] = [1654, 2339]

async function pageOf({ rows, degrees = 0, drawn = '' }: { rows: number; degrees?: number; drawn?: string }) {
  const words = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: 12 }, (_, word) => {
      const [x, y] = [300 + word * 90 + ((row * 37) % 23), 700 + row * 40]
      return `<rect x="${x}" y="${y}" width="${40 + ((word * 13 + row * 7) % 30)}" height="14"/>`
    }).join(''),
  )
  const turned = `<g transform="rotate(${degrees} ${width / 2} ${height / 2})">${words.join('')}</g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${turned}${drawn}</svg>`
  const data = await sharp(Buffer.from(svg)).flatten().toColourspace('b-w').raw().toBuffer()
  return { data, width, height }
}

it.each([-15, -8.3, -2, 0, 3.4, 11, 15])('finds that a page is turned by %d degrees', async (degrees) => {
  expect(Math.abs(detectSkew(await pageOf({ rows: 20, degrees })) - degrees)).toBeLessThanOrEqual(0.31)
})

it('does not turn a straight page for what is drawn aslant on it', async () => {
  const lines = Array.from({ length: 5 }, (_, i) => {
    const y = 1300 + 150 * i
    return `<line x1="250" y1="${y}" x2="1450" y2="${y + 210}" stroke="#000" stroke-width="5"/>`
  })
  expect(Math.abs(detectSkew(await pageOf({ rows: 8, drawn: lines.join('') })))).toBeLessThanOrEqual(0.31)
})

it.each([0, 7, -13])('tells lines across from lines down on a page turned by %d degrees', async (degrees) => {
  expect(lineDirection(await pageOf({ rows: 20, degrees }))).toBe('across')
  expect(lineDirection(await pageOf({ rows: 20, degrees: degrees + 90 }))).toBe('down')
})
