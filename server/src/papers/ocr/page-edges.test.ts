import sharp from 'sharp'
import { expect, it } from 'vitest'
import { correctFlatField } from './flat-field-correction.ts'
import { inkShare, withoutDarkEdges } from './page-edges.ts'
import { detectSkew } from './skew-detection.ts'

const [width, height] = [827, 1170]

async function pageOf(drawn: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#eee"/>${drawn}</svg>`
  const data = await sharp(Buffer.from(svg)).flatten().toColourspace('b-w').raw().toBuffer()
  const page = { data, width, height }
  return { ...page, data: await correctFlatField(withoutDarkEdges(page)) }
}

const turned = (degrees: number, drawn: string) =>
  `<rect width="100%" height="100%" fill="#181818"/><g transform="rotate(${degrees} ${width / 2} ${height / 2})">
  <rect x="35" y="40" width="${width - 70}" height="${height - 80}" fill="#eee"/>${drawn}</g>`
const words = Array.from({ length: 20 * 9 }, (_, i) => {
  const [row, word] = [Math.floor(i / 9), i % 9]
  return `<rect x="${130 + word * 62 + ((row * 37) % 23)}" y="${250 + row * 30}" width="${25 + ((word * 13 + row * 7) % 25)}" height="8"/>`
}).join('')
const holes = [335, 835].map((y) => `<circle cx="48" cy="${y}" r="12" fill="#222"/>`).join('')
const frame = `<rect x="60" y="70" width="${width - 120}" height="${height - 150}" fill="none" stroke="#000" stroke-width="3"/>`

it.each([-2.5, 3, 7])('finds that a page in a straight black border is turned by %d degrees', async (degrees) => {
  const page = await pageOf(
    `<g transform="rotate(${degrees} ${width / 2} ${height / 2})">${words.split('<rect').slice(0, 60).join('<rect')}</g>
    <rect x="15" y="15" width="${width - 30}" height="${height - 30}" fill="none" stroke="#181818" stroke-width="30"/>`,
  )
  expect(Math.abs(detectSkew(page) - degrees)).toBeLessThanOrEqual(0.31)
})

it.each([
  ['a black border', turned(1.5, '')],
  ['punched holes', holes],
  ['a printed frame', frame],
  ['a dark shadow along an edge', `<rect x="${width - 14}" width="14" height="100%" fill="#333"/>`],
  ['all of these', turned(2, holes + frame)],
])('finds no ink on a page that is blank but for %s', async (_, drawn) => {
  expect(inkShare(await pageOf(drawn), 128)).toBeLessThan(0.0004)
})

it('finds the ink of a few words in a border, a frame and between holes', async () => {
  const few = words.split('<rect').slice(0, 9).join('<rect')
  expect(inkShare(await pageOf(turned(2, holes + frame + few)), 128)).toBeGreaterThan(0.0012)
})
