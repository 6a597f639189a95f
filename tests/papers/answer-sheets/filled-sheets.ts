import sharp from 'sharp'
import { seededRandom } from '../../../server/src/lib/seeded-random.ts'
import { layOutSheet, type SheetDesign } from '../../../server/src/papers/answer-sheet/sheet-design.ts'
import { defaultPaperLimits } from '../../../server/src/papers/paper-limits.ts'
import { withPdfium } from '../../../server/src/papers/pdf/pdfium-document.ts'
import { addPicture, newDocument, toBuffer } from '../sheet.ts'
import { type Canvas, cross, crossOut, erased, fill, ring, smudge, speck, tick } from './pencil.ts'

type Style = 'fill' | 'cross' | 'tick'
export const changesOfMind = ['ringed', 'crossed out', 'moved', 'moved to ring', 'both'] as const
type ChangeOfMind = (typeof changesOfMind)[number]

export interface MeantMark {
  kind: 'question' | 'digit' | 'version'
  id: string
  /** Null: none, or two. */
  chosen: number | null
  how: Style | ChangeOfMind | 'changed' | 'smeared' | 'double' | 'faint' | 'blank' | 'abandoned'
}

export interface FilledSheet {
  page: number
  design: SheetDesign
  sheetPage: number
  /** By group; others are drawn by lot. */
  choices?: ReadonlyMap<string, number | null>
  /** What happens to some groups, whatever is drawn by lot. */
  accidents?: ReadonlyMap<string, MeantMark['how']>
  /** By lot where absent. */
  turned?: number
  dpi?: number
  /** Covers a circle of the sheet with the paper behind it, in points. */
  torn?: { x: number; y: number; radius: number }
  careful?: boolean
  /** By lot where absent. */
  style?: Style
}

/** Shares of questions; the rest are marked as asked. */
const SHARES = { changed: 0.025, double: 0.002, faint: 0.003, blank: 0.003, abandoned: 0.004 }
const CROSSES = 0.08
const TICKS = 0.05
const between = (random: () => number, from: number, to: number) => from + (to - from) * random()

/** Grey JPEG at 100 to 200 dpi, askew, stretched, in more or less light; each student has their own pencil. */
export async function scanFilledSheets(
  pdf: Buffer,
  sheets: readonly FilledSheet[],
  seed: number,
): Promise<{ scan: Buffer; meant: MeantMark[][] }> {
  const random = seededRandom(seed)
  const doc = newDocument()
  const meant: MeantMark[][] = []
  await withPdfium(pdf, async (document) => {
    for (const sheet of sheets) {
      const dpi = sheet.dpi ?? [100, 150, 200][Math.floor(random() * 3)] ?? 150
      const scale = (1.5 * dpi) / 72
      const image = await document.render(sheet.page, { scale }, defaultPaperLimits, 'Gray')
      const canvas: Canvas = { ...image, scale }
      meant.push(mark(canvas, sheet, random))
      if (sheet.torn) tear(canvas, sheet.torn)
      const jpeg = await scanSheet(canvas, dpi, sheet.turned ?? turn(random), random)
      addPicture(doc, jpeg, image.width / scale, image.height / scale)
    }
  })
  return { scan: await toBuffer(doc), meant }
}

const turn = (random: () => number) => (random() < 0.2 ? 180 : 0) + 1.6 * (random() + random() - 1)

function mark(
  canvas: Canvas,
  { design, sheetPage, choices, accidents, careful = false, style: given }: FilledSheet,
  random: () => number,
): MeantMark[] {
  const layout = layOutSheet(design)[sheetPage - 1]
  const pencil = careful ? 0.8 : between(random, 0.28, 0.95)
  const lot = random()
  const style = given ?? (careful ? 'fill' : lot < CROSSES ? 'cross' : lot < CROSSES + TICKS ? 'tick' : 'fill')
  const meant = (layout?.groups ?? []).map(({ kind, id, bubbles }): MeantMark => {
    const at = (i: number) => bubbles[i]?.at ?? ([0, 0] as const)
    const choice = choices?.get(id)
    const chosen = choice === undefined ? Math.floor(random() * bubbles.length) : choice
    if (chosen === null) return { kind, id, chosen, how: 'blank' }
    const other = (chosen + 1 + Math.floor(random() * (bubbles.length - 1))) % bubbles.length
    const dark = Math.min(0.97, pencil * between(random, 0.8, 1.15))
    const how = accidents?.get(id) ?? (careful ? style : accident(random, style))
    // Who makes strokes presses harder than who fills.
    const pressed = Math.min(0.97, 0.45 + 0.55 * dark)
    const draw = (i: number, as = style) =>
      ({ fill, cross, tick })[as](canvas, ...at(i), as === 'fill' ? dark : pressed, random)
    if (isChangeOfMind(how)) {
      const before = how === 'crossed out' ? chosen : other
      if (how !== 'ringed') draw(before)
      if (how !== 'ringed' && how !== 'both') crossOut(canvas, ...at(before), pressed, random)
      if (how === 'moved') draw(chosen)
      else if (how !== 'crossed out') ring(canvas, ...at(chosen), pressed, random)
      return { kind, id, chosen: how === 'crossed out' || how === 'both' ? null : chosen, how }
    }
    if (how === 'blank') return { kind, id, chosen: null, how }
    if (how === 'abandoned') {
      erased(canvas, ...at(chosen), dark, random)
      return { kind, id, chosen: null, how }
    }
    if (how === 'faint') fill(canvas, ...at(chosen), between(random, 0.05, 0.14), random)
    else draw(chosen, how === 'cross' || how === 'tick' ? how : 'fill')
    if (how === 'changed') erased(canvas, ...at(other), dark, random)
    if (how === 'smeared') fill(canvas, ...at(other), dark * 0.42, random)
    if (how === 'double') fill(canvas, ...at(other), dark * between(random, 0.8, 1), random)
    return { kind, id, chosen: how === 'double' ? null : chosen, how }
  })
  const [width, height] = [canvas.width / canvas.scale, canvas.height / canvas.scale]
  const spots = careful ? 0 : Math.floor(random() * 5)
  for (let i = 0; i < spots; i += 1)
    smudge(canvas, width * random(), height * random(), between(random, 8, 30), between(random, 0.02, 0.1), random)
  const specks = careful ? 0 : Math.floor(random() * 25)
  for (let i = 0; i < specks; i += 1) speck(canvas, width * random(), height * random(), random)
  return meant
}

const isChangeOfMind = (how: MeantMark['how']): how is ChangeOfMind => changesOfMind.some((one) => one === how)

function accident(random: () => number, style: Style): MeantMark['how'] {
  let lot = random()
  for (const how of ['changed', 'double', 'faint', 'blank', 'abandoned'] as const) {
    if (lot < SHARES[how]) return how
    lot -= SHARES[how]
  }
  return style
}

function tear(canvas: Canvas, { x, y, radius }: { x: number; y: number; radius: number }): void {
  const { data, width, height, scale } = canvas
  for (let py = 0; py < height; py += 1)
    for (let px = 0; px < width; px += 1)
      if (Math.hypot(px / scale - x, py / scale - y) < radius) data[py * width + px] = 255
}

async function scanSheet(canvas: Canvas, dpi: number, turned: number, random: () => number): Promise<Buffer> {
  const { width, height } = canvas
  const upsideDown = Math.cos((turned * Math.PI) / 180) < 0
  const data = upsideDown ? canvas.data.toReversed() : canvas.data
  const radians = ((upsideDown ? turned - 180 : turned) * Math.PI) / 180
  const [c, s] = [Math.cos(radians), Math.sin(radians)]
  const [sx, sy, slant] = [between(random, 0.993, 1.004), between(random, 0.993, 1.004), between(random, -0.003, 0.003)]
  const [w, h] = [Math.round((width * dpi) / 72 / canvas.scale), Math.round((height * dpi) / 72 / canvas.scale)]
  const moved = await sharp(data, { raw: { width, height, channels: 1 } })
    .affine([sx * c - slant * s, -sx * s - slant * c, sy * s, sy * c], {
      background: '#fff',
      interpolator: 'bicubic',
      idx: -width / 2,
      idy: -height / 2,
      odx: width / 2,
      ody: height / 2,
    })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width: wide, height: high } = moved.info
  const [left, top] = [Math.max(0, Math.round((wide - width) / 2)), Math.max(0, Math.round((high - height) / 2))]
  const small = await sharp(moved.data, { raw: { width: wide, height: high, channels: 1 } })
    .extract({ left, top, width: Math.min(width, wide - left), height: Math.min(height, high - top) })
    .resize(w, h, { fit: 'fill' })
    .linear(between(random, 0.7, 0.92), between(random, 10, 35))
    .blur(between(random, 0.35, 0.7))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const noise = between(random, 4, 14)
  const [gx, gy] = [between(random, -12, 12), between(random, -12, 12)]
  for (let i = 0; i < small.data.length; i += 1) {
    const [x, y] = [(i % w) / w - 0.5, Math.floor(i / w) / h - 0.5]
    const value = (small.data[i] ?? 0) + (random() + random() - 1) * noise + gx * x + gy * y
    small.data[i] = Math.max(0, Math.min(255, value))
  }
  return sharp(small.data, { raw: { width: small.info.width, height: small.info.height, channels: 1 } })
    .jpeg({ quality: Math.round(between(random, 55, 85)) })
    .toBuffer()
}
