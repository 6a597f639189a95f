import type { Line, Paper } from '@assay/shared/papers.ts'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { biologyQuiz } from '../../../tests/papers/demo-biology.ts'
import { demoStudents } from '../../../tests/papers/demo-students.ts'
import { drawStudentPaper } from '../../../tests/papers/draw-papers.ts'
import { comparedPapers } from '../../../tests/papers/fixtures/compared-papers.ts'
import popplerLines from '../../../tests/papers/fixtures/poppler-lines.json' with { type: 'json' }
import { layOutPaper } from '../../../tests/papers/paper-layout.ts'
import { onePage } from '../../../tests/papers/raw-pdf.ts'
import { drawSheets, emptySheet, sheetHeight, sheetWidth } from '../../../tests/papers/sheet.ts'
import { usePaperReader } from '../testing/cached-paper-reader.ts'

const { reader, papers } = usePaperReader()
const read = async (bytes: Buffer): Promise<Paper> => reader.read(await papers.put(bytes))
const [student] = demoStudents
const answers = biologyQuiz.papers[0]?.answers ?? []

function find(paper: Paper, text: string): Line & { page: number } {
  for (const page of paper.pages)
    for (const line of page.lines) if (line.text.includes(text)) return { ...line, page: page.number }
  throw new Error(`No line has “${text}”`)
}

describe('text of a page', () => {
  const Poppler = z.array(
    z.array(z.object({ text: z.string(), box: z.tuple([z.number(), z.number(), z.number(), z.number()]) })),
  )

  it.each(Object.keys(comparedPapers))('has the positions poppler finds (%s)', async (name) => {
    const paper = await read(await (comparedPapers[name]?.() ?? Promise.reject(new Error(name))))
    const theirs = Poppler.parse(Object.entries(popplerLines).find(([key]) => key === name)?.[1])
    expect(paper.pages).toHaveLength(theirs.length)
    let compared = 0
    for (const [index, lines] of theirs.entries())
      for (const { text, box } of lines) {
        const ours = paper.pages[index]?.lines.find((line) => line.text.includes(text))
        expect(ours, text).toBeDefined()
        if (!ours || ours.text !== text) continue
        compared += 1
        expect(Math.abs(ours.box.x - box[0])).toBeLessThan(1)
        expect(Math.abs(ours.box.x + ours.box.width - box[2])).toBeLessThan(1)
        expect(Math.abs(ours.box.y - box[1])).toBeLessThan(1.5)
        expect(Math.abs(ours.box.y + ours.box.height - box[3])).toBeLessThan(1.5)
      }
    expect(compared).toBeGreaterThan(0.9 * theirs.flat().length)
  })

  it('is in reading order, one column after the other', async () => {
    const paper = await read(await (comparedPapers.essay?.() ?? Promise.reject(new Error('essay'))))
    const lines = paper.pages[2]?.lines ?? []
    const firstRight = lines.findIndex((line) => line.box.x > sheetWidth / 2)
    expect(firstRight).toBeGreaterThan(40)
    expect(lines.slice(firstRight).every((line) => line.box.x > sheetWidth / 2)).toBe(true)
  })

  it('orders text added to a finished page by its position', async () => {
    const sheet = emptySheet()
    const ink = (text: string, y: number) => sheet.ink.push({ text, x: 60, y, font: 'Helvetica', size: 12 })
    for (const number of [1, 2, 3, 4]) ink(`${number}. Question`, 100 + number * 100)
    for (const number of [1, 2, 3, 4]) ink(`Answer to ${number}`, 130 + number * 100)
    const paper = await read(await drawSheets([sheet], { title: 'Typed later' }))
    expect(paper.pages[0]?.lines.map((line) => line.text)).toEqual(
      [1, 2, 3, 4].flatMap((number) => [`${number}. Question`, `Answer to ${number}`]),
    )
  })

  it('keeps right-aligned points with their question', async () => {
    const sheet = emptySheet()
    sheet.ink.push({ text: '1. Why is the sky blue?', x: 60, y: 100, font: 'Helvetica', size: 12 })
    sheet.ink.push({ text: '(10 points)', x: 470, y: 100, font: 'Helvetica', size: 12 })
    const paper = await read(await drawSheets([sheet], { title: 'Flush right' }))
    expect(paper.pages[0]?.lines.map((line) => line.text)).toEqual(['1. Why is the sky blue? (10 points)'])
  })

  it.each([0, 90, 180, 270] as const)(
    'has boxes of the page as shown when it is stored rotated by %i°',
    async (rotate) => {
      const { sheets } = layOutPaper(biologyQuiz, {})
      const turned = await read(await drawSheets(sheets, { title: 'Turned', rotate }))
      const upright = await read(await drawSheets(sheets, { title: 'Upright' }))
      expect(turned.pages[0]?.width).toBeCloseTo(sheetWidth, 0)
      expect(turned.pages[0]?.height).toBeCloseTo(sheetHeight, 0)
      expect(turned.pages[0]?.lines.map((line) => line.text)).toEqual(upright.pages[0]?.lines.map((line) => line.text))
      for (const [index, line] of (turned.pages[0]?.lines ?? []).entries()) {
        const same = upright.pages[0]?.lines[index]?.box
        expect(Math.abs(line.box.x - (same?.x ?? 0)) + Math.abs(line.box.y - (same?.y ?? 0))).toBeLessThan(1)
      }
    },
  )

  it('measures boxes from the corner of the crop box, which is what is shown', async () => {
    const paper = await read(onePage({ mediaBox: '[-100 -50 595 842]', page: '/CropBox [50 100 545 792]' }))
    expect(paper.pages[0]).toMatchObject({ width: 495, height: 692 })
    expect(paper.pages[0]?.lines[0]?.box.x).toBeCloseTo(22, 0)
    expect(paper.pages[0]?.lines[0]?.box.y).toBeCloseTo(82, -1)
  })

  it('may be missing', async () => {
    const paper = await read(onePage({ content: '' }))
    expect(paper.pages).toEqual([{ number: 1, width: 595, height: 842, lines: [] }])
  })
})

describe('form fields and notes', () => {
  it('reads typed form values at their fields, between the questions', async () => {
    const paper = await read(await drawStudentPaper(biologyQuiz, student, answers, 'form'))
    const lines = paper.pages.flatMap((page) => page.lines)
    for (const [index, answer] of answers.entries()) {
      const at = lines.findIndex((line) => line.source === 'field' && line.text === answer)
      expect(at, answer).toBeGreaterThan(0)
      const question = biologyQuiz.questions[index]
      const before = lines.slice(0, at).findLast((line) => /^\d\./.test(line.text))
      expect(before?.text.startsWith(`${question?.number}.`)).toBe(true)
    }
  })

  it('reads ticked boxes, chosen options and multiline values, and no empty fields', async () => {
    const doc = await PDFDocument.create()
    const page = doc.addPage([595, 842])
    page.drawText('Tick what is true.', { x: 50, y: 780, font: await doc.embedFont(StandardFonts.Helvetica), size: 12 })
    const form = doc.getForm()
    const ticked = form.createCheckBox('ticked')
    ticked.addToPage(page, { x: 50, y: 700, width: 12, height: 12 })
    ticked.check()
    form.createCheckBox('open').addToPage(page, { x: 50, y: 670, width: 12, height: 12 })
    const choice = form.createDropdown('choice')
    choice.addOptions(['Mitosis', 'Meiosis'])
    choice.select('Meiosis')
    choice.addToPage(page, { x: 50, y: 600, width: 200, height: 20 })
    const text = form.createTextField('text')
    text.enableMultiline()
    text.setText('First line\nSecond line')
    text.addToPage(page, { x: 50, y: 500, width: 300, height: 60 })
    form.createTextField('nothing').addToPage(page, { x: 50, y: 400, width: 300, height: 60 })
    const paper = await read(Buffer.from(await doc.save()))
    const fields = paper.pages[0]?.lines.filter((line) => line.source === 'field') ?? []
    expect(fields.map((line) => line.text.trim())).toEqual(['[x]', 'Meiosis', 'First line', 'Second line'])
    expect(fields[1]?.box.y).toBeCloseTo(842 - 620, -1)
    expect(find(paper, 'Second line').box.y).toBeGreaterThan(find(paper, 'First line').box.y)
  })

  it('reads text annotations, on a rotated page too', async () => {
    const note = '<< /Type /Annot /Subtype /FreeText /Rect [60 600 260 630] /Contents (Oxygen) /DA (/F1 12 Tf 0 g) >>'
    const content = 'BT /F1 12 Tf 60 700 Td (1. Name a gas.) Tj 0 -200 Td (2. Name a metal.) Tj ET'
    const paper = await read(onePage({ content, page: '/Annots [5 0 R]', more: [note] }))
    expect(paper.pages[0]?.lines.map((line) => line.text)).toEqual(['1. Name a gas.', 'Oxygen', '2. Name a metal.'])
    expect(find(paper, 'Oxygen')).toMatchObject({
      source: 'annotation',
      confidence: 1,
      box: { x: 60, y: 842 - 630, width: 200, height: 30 },
    })
    const turned = await read(onePage({ content, page: '/Rotate 90 /Annots [5 0 R]', more: [note] }))
    expect(find(turned, 'Oxygen').box).toEqual({ x: 600, y: 60, width: 30, height: 200 })
  })
})

describe('page images', () => {
  it('have the requested width, and show form values', async () => {
    const file = await papers.put(await drawStudentPaper(biologyQuiz, student, answers, 'form'))
    const empty = await papers.put(await drawStudentPaper(biologyQuiz, student, [], 'form'))
    const [full, blank] = [
      await reader.renderPage(file, 1, { width: 600 }),
      await reader.renderPage(empty, 1, { width: 600 }),
    ]
    expect(full.subarray(1, 4).toString()).toBe('PNG')
    expect(full.readUInt32BE(16)).toBe(600)
    expect(full.length).toBeGreaterThan(blank.length * 1.2)
  })

  it('are refused with a message for a missing page', async () => {
    const file = await papers.put(onePage())
    await expect(reader.renderPage(file, 9, { width: 100 })).rejects.toMatchObject({
      name: 'PaperError',
      message: /no page 9/,
    })
  })

  it('never have more pixels than allowed', async () => {
    const file = await papers.put(onePage({ mediaBox: '[0 0 10 14000]' }))
    const png = await reader.renderPage(file, 1, { width: 2000 })
    expect(png.readUInt32BE(16) * png.readUInt32BE(20)).toBeLessThan(16.1e6)
  })
})

it('says how many pages a file has without reading it', async () => {
  expect(await reader.check(await papers.put(await drawStudentPaper(biologyQuiz, student, [], 'typed')))).toEqual({
    pages: 2,
  })
})

it('reports each page as it is read', async () => {
  const progress: string[] = []
  const file = await papers.put(await drawStudentPaper(biologyQuiz, student, answers, 'typed'))
  await reader.read(file, { onPage: (done, total) => progress.push(`${done}/${total}`) })
  expect(progress).toEqual(['1/2', '2/2'])
})
