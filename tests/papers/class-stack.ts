import sharp from 'sharp'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { defaultPaperLimits } from '../../server/src/papers/paper-limits.ts'
import type { PageImage } from '../../server/src/papers/pdf/page-image.ts'
import { withPdfium } from '../../server/src/papers/pdf/pdfium-document.ts'
import { createResultCache } from './result-cache.ts'
import { addPicture, newDocument, toBuffer } from './sheet.ts'

const words =
  'river mountain energy cell force planet market treaty engine carbon voltage orbit tissue enzyme province parliament harvest canal granite magnet sulphur reactor protein fraction gradient triangle velocity pressure membrane colony empire railway factory plankton glacier volcano current circuit crystal solvent polymer isotope neutron photon lever pulley friction'.split(
    ' ',
  )

const PAGES = 4
const [width, height] = [595.28, 841.89]

interface WrittenPlace {
  page: number
  x: number
  y: number
  width: number
}

export async function drawExam(title: string, seed: number): Promise<{ pdf: Buffer; places: WrittenPlace[] }> {
  const random = seededRandom(seed)
  const word = () => words[Math.floor(random() * words.length)] ?? ''
  const doc = newDocument({ Title: title })
  const places: WrittenPlace[] = []
  let question = 0
  for (let page = 1; page <= PAGES; page += 1) {
    doc.addPage({ size: [width, height], margin: 0 })
    const print = (text: string, x: number, y: number, size = 11) =>
      doc.font('Helvetica').fontSize(size).text(text, x, y, { lineBreak: false })
    print(title, 60, 40, 13)
    print(`Page ${page} of ${PAGES}`, 480, 800, 9)
    let y = 75
    if (page === 1) {
      print('Name:', 60, y)
      doc
        .moveTo(100, y + 12)
        .lineTo(300, y + 12)
        .lineWidth(0.7)
        .stroke()
      print('Student number:', 320, y)
      doc
        .moveTo(410, y + 12)
        .lineTo(535, y + 12)
        .stroke()
      places.push({ page, x: 104, y: y + 9, width: 190 }, { page, x: 414, y: y + 9, width: 115 })
      y += 40
    }
    while (y < 690) {
      question += 1
      const text = `${question}  Explain how the ${word()} of a ${word()} depends on ${word()}, ${word()} and ${word()}. [${1 + Math.floor(random() * 4)}]`
      print(text.slice(0, 88), 60, y)
      if (random() < 0.5) {
        y += 15
        print(`Use the words ${word()}, ${word()} and ${word()} in your answer.`, 76, y)
      }
      const lines = 2 + Math.floor(random() * 4)
      for (let line = 0; line < lines; line += 1) {
        y += 23
        doc.moveTo(76, y).lineTo(535, y).lineWidth(0.6).stroke()
        places.push({ page, x: 80, y: y - 4, width: 440 })
      }
      y += 24
    }
  }
  return { pdf: await toBuffer(doc), places }
}

interface StackPage {
  /** Null for a page of something else. */
  student: number | null
  page: number | null
  jpeg: Buffer
  dpi: number
  points: { width: number; height: number }
  upsideDown: boolean
}

interface ScanTreatment {
  dpi: number
  skew: number
  upsideDown: boolean
  scale: number
  shift: { x: number; y: number }
  quality: number
  contrast: number
}

const dpiOfDrawing = 150

function drawPages(pdf: Buffer): Promise<PageImage[]> {
  return withPdfium(pdf, async (document) => {
    const pages: PageImage[] = []
    for (let page = 1; page <= document.pages; page += 1)
      pages.push(await document.render(page, { scale: dpiOfDrawing / 72 }, defaultPaperLimits, 'Gray'))
    return pages
  })
}

async function writeOn(
  page: PageImage,
  texts: readonly { text: string; x: number; y: number }[],
  seed: number,
): Promise<PageImage> {
  const random = seededRandom(seed)
  const lean = -12 + 20 * random()
  const size = 13 + 4 * random()
  const dark = Math.round(30 + 70 * random())
  const letters = texts.flatMap(({ text, x, y }) => {
    let at = x
    return [...text].map((letter) => {
      const own = size * (0.9 + 0.2 * random())
      const here = at
      at += (letter === ' ' ? 0.32 : 0.52) * own
      const place = `translate(${here.toFixed(1)} ${(y + random() * 2 - 1).toFixed(1)}) rotate(${(random() * 12 - 6).toFixed(1)}) skewX(${lean.toFixed(1)})`
      return `<text transform="${place}" font-size="${own.toFixed(1)}">${letter}</text>`
    })
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${page.width}" height="${page.height}" viewBox="0 0 ${width} ${height}"><g font-family="Liberation Serif, serif" font-style="italic" fill="rgb(${dark},${dark},${dark})">${letters.join('')}</g></svg>`
  const data = await sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } })
    .toColourspace('srgb')
    .composite([{ input: Buffer.from(svg) }])
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: data.info.width, height: data.info.height, data: data.data }
}

async function scanPage(page: PageImage, how: ScanTreatment): Promise<Omit<StackPage, 'student' | 'page'>> {
  const { dpi, skew, upsideDown, scale, shift, quality, contrast } = how
  const [w, h] = [Math.round((page.width * dpi) / dpiOfDrawing), Math.round((page.height * dpi) / dpiOfDrawing)]
  // A picture turned askew is larger by its corners.
  const radians = (Math.abs(skew) * Math.PI) / 180
  const grown = Math.cos(radians) + (page.height / page.width) * Math.sin(radians)
  const turned = await sharp(page.data, { raw: { width: page.width, height: page.height, channels: 1 } })
    .rotate(skew, { background: '#ffffff' })
    .resize({ width: Math.round(w * scale * grown) })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const [left, top] = [
    Math.round((w - turned.info.width) / 2 + (shift.x * dpi) / 72),
    Math.round((h - turned.info.height) / 2 + (shift.y * dpi) / 72),
  ]
  const out = new Uint8Array(w * h).fill(255)
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1) {
      const [u, v] = [x - left, y - top]
      if (u >= 0 && v >= 0 && u < turned.info.width && v < turned.info.height)
        out[y * w + x] = turned.data[v * turned.info.width + u] ?? 255
    }
  for (let i = 0; i < out.length; i += 1) out[i] = 245 - (255 - (out[i] ?? 255)) * contrast
  const jpeg = await sharp(out, { raw: { width: w, height: h, channels: 1 } })
    .rotate(upsideDown ? 180 : 0)
    .toColourspace('b-w')
    .jpeg({ quality })
    .toBuffer()
  return { jpeg, dpi, points: { width: (w * 72) / dpi, height: (h * 72) / dpi }, upsideDown }
}

function randomTreatment(random: () => number): ScanTreatment {
  return {
    dpi: [100, 150, 200][Math.floor(random() * 3)] ?? 150,
    skew: (random() * 2 - 1) * 2.5,
    upsideDown: random() < 0.12,
    scale: 0.96 + 0.05 * random(),
    shift: { x: (random() * 2 - 1) * 14, y: (random() * 2 - 1) * 14 },
    quality: 45 + Math.round(35 * random()),
    contrast: 0.6 + 0.35 * random(),
  }
}

function stackToPdf(pages: readonly StackPage[]): Promise<Buffer> {
  const doc = newDocument()
  for (const { jpeg, points } of pages) addPicture(doc, jpeg, points.width, points.height)
  return toBuffer(doc)
}

export interface StackStudent {
  name: string
  number: string
}

interface StackOptions {
  students: readonly StackStudent[]
  seed: number
  /** Pages taken out, by student and page. */
  missing?: readonly [number, number][]
  twice?: readonly [number, number][]
  /** How many papers have their pages in another order. */
  shuffled?: number
  foreign?: number
  dpi?: number
}

export async function drawStack(
  exam: { pdf: Buffer; places: WrittenPlace[] },
  { students, seed, missing = [], twice = [], shuffled = 0, foreign = 0, dpi }: StackOptions,
): Promise<StackPage[]> {
  const random = seededRandom(seed)
  const treat = () => ({ ...randomTreatment(random), ...(dpi ? { dpi } : {}) })
  const pages = await drawPages(exam.pdf)
  const word = () => words[Math.floor(random() * words.length)] ?? ''
  const stack: StackPage[] = []
  const has = (list: readonly [number, number][], student: number, page: number) =>
    list.some(([a, b]) => a === student && b === page)
  for (const [student, { name, number }] of students.entries()) {
    const own: StackPage[] = []
    const diligence = 0.35 + 0.65 * random()
    for (let page = 1; page <= PAGES; page += 1) {
      const texts = exam.places
        .filter((place) => place.page === page)
        .flatMap((place, i) => {
          if (page === 1 && i === 0) return [{ ...place, text: name }]
          if (page === 1 && i === 1) return [{ ...place, text: number }]
          if (random() > diligence) return []
          const text = Array.from({ length: 3 + Math.floor(random() * 5) }, word).join(' ')
          return [{ ...place, text: text.slice(0, Math.floor(place.width / 8)) }]
        })
      const blank = pages[page - 1]
      if (!blank || has(missing, student, page)) continue
      const written = await writeOn(blank, texts, seed * 1000 + student)
      own.push({ student, page, ...(await scanPage(written, treat())) })
      if (has(twice, student, page)) own.push({ student, page, ...(await scanPage(written, treat())) })
    }
    if (student % 7 === 3 && shuffled > 0 && Math.floor(student / 7) < shuffled) {
      const moved = own.splice(1 + Math.floor(random() * (own.length - 1)), 1)
      own.splice(Math.floor(random() * own.length), 0, ...moved)
    }
    stack.push(...own)
  }
  if (foreign > 0) {
    const other = await drawPages((await drawExam('History, midterm test', seed + 99)).pdf)
    for (let i = 0; i < foreign; i += 1) {
      const page = other[(i * 2 + 1) % other.length]
      if (!page) continue
      const scanned = await scanPage(page, treat())
      stack.splice(Math.floor(random() * stack.length), 0, { student: null, page: null, ...scanned })
    }
  }
  return stack
}

const cached = createResultCache('class-stacks', ['tests/papers/class-stack.ts'])

export function drawClassStack(options: StackOptions): Promise<Buffer> {
  return cached([JSON.stringify(options)], async () =>
    stackToPdf(await drawStack(await drawExam('Science, end of year examination', 5), options)),
  )
}

export function drawMixedStack(name: string, draw: () => Promise<StackPage[]>): Promise<Buffer> {
  return cached([name], async () => stackToPdf(await draw()))
}
