/// <reference path="./fontkit.d.ts" />
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import { create, type FontkitFont } from 'fontkit'
import type { PDFDocument, PDFFont } from 'pdf-lib'
import type { Formula, Formulas } from './draw-math.ts'

const files = {
  regular: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
  /** Covers nearly every script, for names. */
  fallback: '@fontsource/unifont/files/unifont-latin-400-normal.woff',
}
type FontFile = keyof typeof files
export type Weight = 'regular' | 'bold'

interface LoadedFont {
  bytes: Uint8Array
  font: FontkitFont
}

const loading = new Map<FontFile, Promise<LoadedFont>>()

function loadFont(name: FontFile): Promise<LoadedFont> {
  const known = loading.get(name)
  if (known) return known
  const file = createRequire(import.meta.url).resolve(files[name])
  const load = readFile(file).then((stored) => {
    const bytes = file.endsWith('.woff') ? unpackWoff(stored) : stored
    return { bytes, font: create(bytes) }
  })
  loading.set(name, load)
  return load
}

type TextRun = { text: string; font: PDFFont } | { formula: Formula }

/** A character comes from the first font that has it, or is shown as a box. */
export interface MarkupFonts {
  runs(text: string, weight: Weight): TextRun[]
  width(text: string, size: number, weight: Weight): number
  /** Reach of a line's formulas above and below its baseline, in em. */
  extent(text: string): { above: number; below: number }
}

export const widthOf = (run: TextRun, size: number) =>
  'formula' in run ? run.formula.width * size : run.font.widthOfTextAtSize(run.text, size)

const MISSING = '\u25a1'

/** Only `texts` will be written: the large font is loaded where they need it. */
export async function embedFonts(
  document: PDFDocument,
  texts: readonly string[],
  formulas: Formulas = new Map(),
): Promise<MarkupFonts> {
  const [regular, bold] = [await loadFont('regular'), await loadFont('bold')]
  const letters = new Set(texts.flatMap((text) => [...printable(text)]).filter((letter) => !formulas.has(letter)))
  const unusual = [...letters].some((letter) => !has(regular.font, letter) || !has(bold.font, letter))
  const fallback = unusual ? await loadFont('fallback') : null
  const embed = (font: LoadedFont) => embedSubset(document, font)
  const embedded = {
    regular: await embed(regular),
    bold: await embed(bold),
    fallback: fallback ? await embed(fallback) : null,
  }
  const parsed = { regular: regular.font, bold: bold.font }

  function runs(text: string, weight: Weight): TextRun[] {
    const all: TextRun[] = []
    for (const letter of printable(text)) {
      const formula = formulas.get(letter)
      if (formula) {
        all.push({ formula })
        continue
      }
      const [font, written] = choose(letter, weight)
      const last = all.at(-1)
      if (last && 'font' in last && last.font === font) last.text += written
      else all.push({ text: written, font })
    }
    return all
  }

  function choose(letter: string, weight: Weight): [PDFFont, string] {
    if (has(parsed[weight], letter)) return [embedded[weight], letter]
    if (fallback && embedded.fallback && has(fallback.font, letter)) return [embedded.fallback, letter]
    return [embedded[weight], MISSING]
  }

  const widths = new Map<string, number>()
  function widthOfWord(word: string, weight: Weight): number {
    const key = `${weight} ${word}`
    const known = widths.get(key)
    if (known !== undefined) return known
    const width = runs(word, weight).reduce((sum, run) => sum + widthOf(run, 1), 0)
    widths.set(key, width)
    return width
  }

  return {
    runs,
    extent(text) {
      const found = [...text].flatMap((letter) => formulas.get(letter) ?? [])
      return {
        above: Math.max(0, ...found.map(({ ascent }) => ascent)),
        below: Math.max(0, ...found.map(({ descent }) => descent)),
      }
    },
    // Line breaking measures the same words again and again.
    width(text, size, weight) {
      const words = printable(text).split(' ')
      const gaps = (words.length - 1) * widthOfWord(' ', weight)
      return size * words.reduce((sum, word) => sum + (word === '' ? 0 : widthOfWord(word, weight)), gaps)
    },
  }
}

function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\s/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}]|\p{Variation_Selector}/gu, '')
}

const has = (font: FontkitFont, letter: string) => font.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0)

/** pdf-lib expects an older fontkit, whose subsets are streams. Without ligatures words can be searched. */
async function embedSubset(document: PDFDocument, { bytes, font }: LoadedFont): Promise<PDFFont> {
  const adapted = Object.create(font, { createSubset: { value: () => streamed(font.createSubset()) } })
  document.registerFontkit({ create: () => adapted })
  return document.embedFont(bytes, { subset: true, features: { liga: false } })
}

function streamed(subset: ReturnType<FontkitFont['createSubset']>): object {
  return Object.assign(subset, {
    encodeStream() {
      const stream = {
        on(event: string, listener: (bytes?: Uint8Array) => void) {
          if (event === 'data') listener(subset.encode())
          if (event === 'end') listener()
          return stream
        },
      }
      return stream
    },
  })
}

interface Table {
  tag: Buffer
  checksum: number
  data: Buffer
}

/** WOFF (https://www.w3.org/TR/WOFF/) is unpacked once, as fontkit would inflate its tables for each use. */
function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, i) => readTable(woff, 44 + 20 * i))
  const header = Buffer.alloc(12 + 16 * count)
  header.writeUInt32BE(woff.readUInt32BE(4), 0)
  header.writeUInt16BE(count, 4)
  const power = Math.floor(Math.log2(count))
  header.writeUInt16BE(16 * 2 ** power, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE(16 * count - 16 * 2 ** power, 10)
  const pieces: Buffer[] = [header]
  let offset = header.length
  for (const [i, { tag, checksum, data }] of tables.entries()) {
    const entry = 12 + 16 * i
    tag.copy(header, entry)
    header.writeUInt32BE(checksum, entry + 4)
    header.writeUInt32BE(offset, entry + 8)
    header.writeUInt32BE(data.length, entry + 12)
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4)
    pieces.push(data, padding)
    offset += data.length + padding.length
  }
  return Buffer.concat(pieces)
}

function readTable(woff: Buffer, at: number): Table {
  const offset = woff.readUInt32BE(at + 4)
  const packed = woff.subarray(offset, offset + woff.readUInt32BE(at + 8))
  const length = woff.readUInt32BE(at + 12)
  return {
    tag: woff.subarray(at, at + 4),
    checksum: woff.readUInt32BE(at + 16),
    data: packed.length < length ? inflateSync(packed) : packed,
  }
}
