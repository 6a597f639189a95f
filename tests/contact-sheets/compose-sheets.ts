import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type OverlayOptions } from 'sharp'
import { type ScreenVariant, variantName } from './screen-variants.ts'

const ROW_HEIGHT = 420
const LABEL = 34
const GAP = 16
const SHEET_WIDTH = 2600
const ROWS_A_SHEET = 4

interface Tile {
  content: Buffer
  width: number
  label: string
}

const escapeXml = (text: string) => text.replace(/[<&]/g, (sign) => (sign === '<' ? '&lt;' : '&amp;'))

async function tileOf(folder: string, look: ScreenVariant): Promise<Tile | null> {
  const file = join(folder, 'all', `${variantName(look)}.png`)
  if (!existsSync(file)) return null
  const content = await sharp(file).resize({ height: ROW_HEIGHT }).png().toBuffer()
  const { width = 0 } = await sharp(content).metadata()
  return { content, width, label: variantName(look).replaceAll('_', ' · ') }
}

function rowsOf(tiles: Tile[]): Tile[][] {
  const rows: Tile[][] = []
  let used = Number.POSITIVE_INFINITY
  for (const tile of tiles) {
    if (used + GAP + tile.width > SHEET_WIDTH) {
      rows.push([])
      used = GAP
    }
    rows.at(-1)?.push(tile)
    used += tile.width + GAP
  }
  return rows
}

async function writeSheet(file: string, rows: Tile[][]): Promise<void> {
  const parts: OverlayOptions[] = []
  rows.forEach((row, r) => {
    const top = GAP + r * (ROW_HEIGHT + LABEL + GAP)
    let left = GAP
    for (const { content, width, label } of row) {
      const size = width < 300 ? 11 : 15
      // Long names of narrow screenshots are wrapped.
      const half = label.length > width / 7 ? label.lastIndexOf(' · ', label.length / 2) : label.length
      const lines = [label.slice(0, half), label.slice(half).replace(/^ · /, '')]
      const spans = lines.map(
        (line, i) => `<text x="0" y="${14 + i * 15}" font-size="${size}">${escapeXml(line)}</text>`,
      )
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${LABEL}" font-family="sans-serif">${spans.join('')}</svg>`
      parts.push({ input: Buffer.from(svg), left, top })
      parts.push({ input: content, left, top: top + LABEL })
      left += width + GAP
    }
  })
  const height = GAP + rows.length * (ROW_HEIGHT + LABEL + GAP)
  await sharp({ create: { width: SHEET_WIDTH, height, channels: 3, background: '#d9d9d9' } })
    .composite(parts)
    .png()
    .toFile(file)
}

/** Arranges the screenshots on contact sheets; returns the sheets' files. */
export async function composeSheets(folder: string, looks: ScreenVariant[]): Promise<string[]> {
  const files: string[] = []
  for (const sheet of ['public', 'teacher', 'student', 'admin'] as const) {
    const tiles: Tile[] = []
    for (const look of looks.filter(({ screen }) => screen.sheet === sheet)) {
      const tile = await tileOf(folder, look)
      if (tile) tiles.push(tile)
    }
    const rows = rowsOf(tiles)
    for (let i = 0; i < rows.length; i += ROWS_A_SHEET) {
      const file = join(folder, `${sheet}-${i / ROWS_A_SHEET + 1}.png`)
      await writeSheet(file, rows.slice(i, i + ROWS_A_SHEET))
      files.push(file)
    }
  }
  return files
}
