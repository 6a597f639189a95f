import type { Paper } from '@assay/shared/papers.ts'
import PDFKit from 'pdfkit'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { biologyQuiz } from '../../../../tests/papers/demo-biology.ts'
import { demoStudents } from '../../../../tests/papers/demo-students.ts'
import { drawStudentPaper } from '../../../../tests/papers/draw-papers.ts'
import type { PaperStyle } from '../../../../tests/papers/drawn-assignment.ts'
import { simulateScan } from '../../../../tests/papers/scan.ts'
import { toBuffer } from '../../../../tests/papers/sheet.ts'
import { usePaperReader } from '../../testing/cached-paper-reader.ts'

const { reader, papers } = usePaperReader()
const [student] = demoStudents
const answers = biologyQuiz.papers[0]?.answers ?? []
const draw = (style: PaperStyle) => drawStudentPaper(biologyQuiz, student, answers, style)
const drawOnePage = () =>
  drawStudentPaper({ ...biologyQuiz, questions: biologyQuiz.questions.slice(0, 2) }, student, answers, 'typed')
const read = async (bytes: Buffer): Promise<Paper> => reader.read(await papers.put(bytes))

const words = (paper: Paper): string =>
  paper.pages
    .flatMap((page) => page.lines.map((line) => line.text))
    .join(' ')
    .replace(/\s+/g, '')

function errorRate(read: string, meant: string): number {
  let previous = Array.from({ length: meant.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...read].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...meant].entries()) {
      const change = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(change, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return (previous.at(-1) ?? 0) / meant.length
}

it.each([
  ['as phones take them', { seed: 11 }],
  ['crooked by three degrees, in deep shade', { seed: 12, skew: -3, shade: 0.6 }],
  ['laid down crooked by eight degrees', { seed: 14, skew: 8 }],
  ['crooked by fourteen degrees', { seed: 15, skew: -14, shade: 0.2 }],
  ['coarse, as faxes are', { seed: 13, dpi: 110, skew: 0.3, shade: 0.1 }],
])('reads scans %s with at most 2 %% wrong letters', async (_, options) => {
  const typed = await draw('typed')
  const meant = await read(typed)
  const paper = await read(await simulateScan(typed, options))
  expect(errorRate(words(paper), words(meant))).toBeLessThan(0.02)
  for (const line of paper.pages.flatMap((page) => page.lines)) {
    expect(line.source).toBe('ocr')
    expect(line.confidence).toBeGreaterThan(0.6)
    expect(line.confidence).toBeLessThanOrEqual(1)
  }
})

it('gives each line its box on the page before deskewing', async () => {
  const typed = await drawOnePage()
  const meant = await read(typed)
  const paper = await read(await simulateScan(typed, { seed: 21, skew: 1.2 }))
  const line = meant.pages[0]?.lines.find((one) => one.text.startsWith('1. What'))
  const found = paper.pages[0]?.lines.find((one) => one.text.startsWith('1. What'))
  expect(Math.abs((found?.box.x ?? 0) - (line?.box.x ?? 0))).toBeLessThan(25)
  expect(Math.abs((found?.box.y ?? 0) - (line?.box.y ?? 0))).toBeLessThan(12)
  const tilt = (found?.box.height ?? 0) - (line?.box.height ?? 0)
  expect(tilt).toBeGreaterThan(2)
  expect(tilt).toBeLessThan(12)
})

it('gives each word its box on a page turned by twelve degrees, no higher than the word', async () => {
  const [typed, skew] = [await drawOnePage(), 12]
  const [meant, paper] = [await read(typed), await read(await simulateScan(typed, { seed: 22, skew, shade: 0.1 }))]
  const [upright, page] = [meant.pages[0], paper.pages[0]]
  const line = upright?.lines.find((one) => one.text.startsWith('1. What'))
  const word = page?.lines.find((one) => one.text.startsWith('1. What'))?.words?.[0]
  if (!upright || !page || !line || !word) throw new Error('a line')
  const angle = (skew * Math.PI) / 180
  const [x, y] = [
    line.box.x + word.box.width / 2 - upright.width / 2,
    line.box.y + line.box.height / 2 - upright.height / 2,
  ]
  const [turnedX, turnedY] = [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)]
  expect(Math.abs(word.box.x + word.box.width / 2 - page.width / 2 - turnedX)).toBeLessThan(6)
  expect(Math.abs(word.box.y + word.box.height / 2 - page.height / 2 - turnedY)).toBeLessThan(6)
  expect(word.box.height).toBeLessThan(12)
})

it.each([90, 180, 270] as const)('reads a scan rotated by %i°, and turns the page upright', async (lying) => {
  const typed = await drawOnePage()
  const meant = await read(typed)
  const paper = await read(await simulateScan(typed, { seed: 41, lying, skew: 0.4 }))
  expect(errorRate(words(paper), words(meant))).toBeLessThan(0.02)
  const [upright, shown] = [meant.pages[0], paper.pages[0]]
  expect(shown?.turned).toBe(360 - lying)
  expect([shown?.width, shown?.height].map((length) => Math.round(length ?? 0))).toEqual(
    [upright?.width, upright?.height].map((length) => Math.round(length ?? 0)),
  )
  const [title, found] = [upright?.lines[0]?.box, shown?.lines[0]?.box]
  expect(Math.abs((found?.x ?? 0) - (title?.x ?? 99))).toBeLessThan(8)
  expect(Math.abs((found?.y ?? 0) - (title?.y ?? 99))).toBeLessThan(8)
})

it('turns a noisy page upright whose figures can be read upside down as well', async () => {
  const doc = new PDFKit({ size: 'A4', margin: 0 })
  doc.fontSize(12)
  for (let i = 0; i < 14; i += 1)
    doc.text(i % 2 ? 'It was 8108 and 6119 at NOON' : 'then XI OXO 1961 8008 SOS 69', 60, 80 + 40 * i, {
      lineBreak: false,
    })
  const paper = await read(await simulateScan(await toBuffer(doc), { seed: 42, lying: 180, noise: 30, dpi: 110 }))
  expect(paper.pages[0]?.turned).toBe(180)
  expect(words(paper)).toContain('and6119at')
})

it('finds nothing on a scan of an empty page, without an error', async () => {
  const doc = new PDFKit({ size: 'A4', margin: 0 })
  doc.addPage({ size: 'A4', margin: 0 })
  const paper = await read(await simulateScan(await toBuffer(doc), { seed: 5 }))
  expect(paper.pages.map((page) => page.lines)).toEqual([[], []])
})

it('reads an answer pasted into a typed page as an image, at its position', async () => {
  const doc = new PDFKit({ size: 'A4', margin: 0 })
  doc.fontSize(12).text('1. Why is the sky blue?', 60, 80, { lineBreak: false })
  doc.text('2. Why is grass green?', 60, 500, { lineBreak: false })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1400" height="500"><rect width="1400" height="500" fill="#dcd8cf"/>
    <text x="60" y="140" font-family="Liberation Sans, DejaVu Sans, Arial, sans-serif" font-size="44">Air scatters short waves of light most</text></svg>`
  doc.image(await sharp(Buffer.from(svg)).jpeg().toBuffer(), 60, 120, { width: 470 })
  const paper = await read(await toBuffer(doc))
  expect(paper.pages[0]?.lines.map((line) => [line.text, line.source])).toEqual([
    ['1. Why is the sky blue?', 'text'],
    ['Air scatters short waves of light most', 'ocr'],
    ['2. Why is grass green?', 'text'],
  ])
})

it('reads numbers in print with their points and exponents, in boxes as low as a line', async () => {
  const answers = ['t = 1.43 s', 'W = 45.5 J', '9.81 m/s²', '12.75 kg', 'a = 3.25 m/s²', '0.8', 'n = 7', 'V = 64 cm³']
  const lines = await readAnswers(answers, (doc, y) => doc.rect(70, y - 4, 200, 19).stroke())
  for (const answer of answers) expect(lines).toContain(answer.replaceAll(' ', ''))
})

it('reads what is typed on dotted lines', async () => {
  const lines = await readAnswers(Array(6).fill('Some moss grows on bare rock'), (doc, y) =>
    doc.text('. '.repeat(60), 72, y + 1, { lineBreak: false }),
  )
  expect(lines.filter((line) => line === 'Somemossgrowsonbarerock').length).toBeGreaterThanOrEqual(5)
})

async function readAnswers(answers: string[], draw: (doc: PDFKit.PDFDocument, y: number) => void): Promise<string[]> {
  const doc = new PDFKit({ size: 'A4', margin: 0 })
  doc.fontSize(11)
  for (const [index, text] of answers.entries()) {
    const y = 80 + index * 44
    doc.text(`${index + 1}. What follows from the second table?`, 60, y - 20, { lineBreak: false })
    draw(doc, y)
    doc.text(text, 76, y, { lineBreak: false })
  }
  const paper = await read(await simulateScan(await toBuffer(doc), { seed: 51, dpi: 200, skew: 0.4, shade: 0.1 }))
  return (paper.pages[0]?.lines ?? [])
    .map(({ text }) => text.replaceAll(' ', ''))
    .filter((text) => !text.includes('Whatfollows'))
}

it('reads each paper independently of the one before', async () => {
  const [first, second] = [
    await simulateScan(await drawOnePage(), { seed: 31 }),
    await simulateScan(await drawOnePage(), { seed: 32 }),
  ]
  const alone = words(await read(second))
  await read(first)
  expect(words(await read(second))).toBe(alone)
})
