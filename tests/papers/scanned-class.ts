import { degrees, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { codeBox, sheetSize } from '../../server/src/papers/codes/sheet-layout.ts'
import { drawExam, type WrittenPlace } from './class-stack.ts'
import { type CopiedSheet, copySheets, type Stain } from './copier.ts'
import { createResultCache, hashOf } from './result-cache.ts'
import type { WritableExam } from './writable-exams.ts'

const PAGES = 4

export interface ClassStudent {
  name: string
  number: string
}

const first =
  'Amina Bruno Chloe Dario Elif Femi Greta Hugo Ines Jonas Kaya Liam Mira Noor Oskar Paula Rafael Sofia Tariq Uma'
const last =
  'Abbott Bianchi Castell Dawson Eriksen Fischer Gallagher Hakimi Ivanov Jensen Keller Lindqvist Moreau Novak Okonkwo'

/** Students whose names are apart, as a class's mostly are. */
export function nameStudents(count: number, seed: number): ClassStudent[] {
  const random = seededRandom(seed)
  const [firsts, lasts] = [first.split(' '), last.split(' ')]
  return Array.from({ length: count }, (_, i) => ({
    name: `${firsts[(i * 3) % firsts.length]} ${lasts[(i * 7 + Math.floor(i / 15)) % lasts.length]}`,
    number: String(100_000 + Math.floor(random() * 899_999)),
  }))
}

export interface ScannedSheet {
  /** Whose page it is, from 0, and which, from 1; null for a page of another exam. */
  student: number | null
  page: number | null
  /** It lies in the stack a second time. */
  twice: boolean
  /** Both its codes are torn off. */
  spoilt: boolean
  upsideDown: boolean
}

export interface ScannedClass {
  /** Drawn when it is called: about a minute for 160 sheets. */
  scan: () => Promise<Buffer>
  sheets: ScannedSheet[]
}

interface ClassOptions {
  students: readonly ClassStudent[]
  seed: number
  /** Copies with codes, in the students' order; else the blank is copied for each. */
  printed?: Buffer
}

const cached = createResultCache('scanned-classes', [
  'tests/papers/scanned-class.ts',
  'tests/papers/copier.ts',
  'tests/papers/writable-exams.ts',
  'tests/papers/class-stack.ts',
])

/**
 * A class as a copier and a tired teacher hand it on: written on, some sheets upside down, all of them askew, in grey JPEGs of 100 to 200
 * dpi, coffee over some or a piece torn out; three pages are missing, one is there twice, two are of another exam. Copies with codes lie in any order; without
 * codes students' papers lie one behind the other, some with their pages in another order.
 */
export async function scanClass(exam: WritableExam, options: ClassOptions): Promise<ScannedClass> {
  const { students, seed, printed } = options
  const random = seededRandom(seed)
  const written = await writeClass(exam, options, random)
  const stack = stackSheets(students.length, printed !== undefined, random)
  const copied = stack.map((sheet) => ({ ...treat(sheet, printed !== undefined, random), page: sheet.source }))
  const scan = () => cached([hashOf([written]), copied, seed], () => copySheets(written, copied, seed))
  const sheets = stack.map(
    ({ source: _, ...sheet }, i): ScannedSheet => ({ ...sheet, upsideDown: (copied[i]?.turned ?? 0) > 90 }),
  )
  return { scan, sheets }
}

/** All students' papers, answered, with two pages of another exam behind them. */
async function writeClass(
  exam: WritableExam,
  { students, seed, printed }: ClassOptions,
  random: () => number,
): Promise<Buffer> {
  const document = printed ? await PDFDocument.load(printed) : await PDFDocument.create()
  if (!printed) {
    const blank = await PDFDocument.load(exam.pdf)
    for (const _ of students) for (const page of await document.copyPages(blank, [0, 1, 2, 3])) document.addPage(page)
  }
  const foreign = await PDFDocument.load((await drawExam('History, midterm test', seed + 99)).pdf)
  for (const page of await document.copyPages(foreign, [1, 2])) document.addPage(page)
  const font = await document.embedFont(StandardFonts.TimesRomanItalic)
  const pages = document.getPages()
  for (const [i, student] of students.entries()) {
    const hand = drawHand(random)
    const diligence = 0.35 + 0.65 * random()
    const write = (place: WrittenPlace, text: string) => {
      const page = pages[i * PAGES + place.page - 1]
      if (page) writeByHand(page, font, place, text, hand, random)
    }
    write(exam.student.name, student.name)
    if (exam.student.number) write(exam.student.number, student.number)
    for (const place of exam.answers) if (random() < diligence) write(place, someWords(place.width, random))
  }
  document.setCreationDate(new Date(0))
  document.setModificationDate(new Date(0))
  return Buffer.from(await document.save())
}

const words =
  'because the water rises warm air and then it cools down so less pressure more energy moves from hot to cold which is why they measured again with another scale it was wrong by some grams'.split(
    ' ',
  )

function someWords(width: number, random: () => number): string {
  const most = Math.min(Math.floor(width / 8), 20 + Math.floor(random() * 45))
  let text = ''
  while (text.length < most) text += `${words[Math.floor(random() * words.length)]} `
  return text.slice(0, most).trim()
}

interface Hand {
  lean: number
  size: number
  dark: number
}

const drawHand = (random: () => number): Hand => ({
  lean: -6 + 16 * random(),
  size: 12.5 + 4 * random(),
  dark: 0.1 + 0.25 * random(),
})

/** Letters of odd size, slant and height. */
function writeByHand(
  page: PDFPage,
  font: PDFFont,
  { x, y }: WrittenPlace,
  text: string,
  { lean, size, dark }: Hand,
  random: () => number,
): void {
  let at = x
  for (const letter of text) {
    const own = size * (0.9 + 0.2 * random())
    page.drawText(letter, {
      x: at,
      y: page.getHeight() - y + random() * 2 - 1,
      size: own,
      font,
      rotate: degrees(random() * 12 - 6),
      xSkew: degrees(lean),
      color: rgb(dark, dark, dark + 0.15),
    })
    at += (letter === ' ' ? 0.34 : 0.12 + font.widthOfTextAtSize(letter, 1)) * own * 0.95
  }
}

interface StackedSheet extends Omit<ScannedSheet, 'upsideDown'> {
  /** Page of the written PDF, from 1. */
  source: number
}

function stackSheets(students: number, coded: boolean, random: () => number): StackedSheet[] {
  const below = (count: number) => Math.floor(random() * count)
  const missing = new Set<number>()
  while (missing.size < 3) missing.add(below(students * PAGES))
  let double = below(students * PAGES)
  while (missing.has(double)) double = below(students * PAGES)
  const sheet = (index: number): StackedSheet => ({
    student: Math.floor(index / PAGES),
    page: (index % PAGES) + 1,
    twice: index === double,
    spoilt: coded && random() < 0.03,
    source: index + 1,
  })
  const papers = Array.from({ length: students }, (_, student) => {
    const own = Array.from({ length: PAGES }, (_, page) => student * PAGES + page).filter((at) => !missing.has(at))
    const at = own.indexOf(double)
    if (at >= 0) own.splice(below(own.length), 0, double)
    if (random() < 0.12) own.splice(below(own.length), 0, ...own.splice(below(own.length), 1))
    return own.map(sheet)
  })
  const stack = papers.flat()
  if (coded) shuffle(stack, random)
  for (const foreign of [1, 2]) {
    const source = students * PAGES + foreign
    stack.splice(below(stack.length + 1), 0, { student: null, page: null, twice: false, spoilt: false, source })
  }
  return stack
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let i = list.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1))
    ;[list[i], list[j]] = [list[j] as T, list[i] as T]
  }
}

const size = sheetSize({ name: 'a4', landscape: false })

function treat({ spoilt }: StackedSheet, coded: boolean, random: () => number): Omit<CopiedSheet, 'page'> {
  const over = (place: 'top' | 'bottom', radius: number): Stain => {
    const code = codeBox(place, size)
    return {
      x: code.x + code.width * (spoilt ? 0.5 : random()),
      y: code.y + code.height * (spoilt ? 0.5 : random()),
      radius,
      kind: spoilt || random() < 0.3 ? 'torn' : 'coffee',
    }
  }
  const somewhere: Stain = {
    x: size.width * random(),
    y: size.height * random(),
    radius: 30 + 40 * random(),
    kind: 'coffee',
  }
  const one = random() < 0.5 ? 'top' : 'bottom'
  const stains = spoilt
    ? [over('top', 26), over('bottom', 26)]
    : [...(coded && random() < 0.3 ? [over(one, 12 + 20 * random())] : []), ...(random() < 0.1 ? [somewhere] : [])]
  const askew = random() < 0.08 ? 12 * (random() - 0.5) : 4 * (random() - 0.5)
  return {
    turned: (random() < 0.15 ? 180 : 0) + askew,
    dpi: [100, 150, 200][Math.floor(random() * 3)] ?? 150,
    stains,
  }
}
