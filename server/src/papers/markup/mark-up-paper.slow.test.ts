import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Line, Paper } from '@assay/shared/papers.ts'
import type { PenMark, PenMarkContent } from '@assay/shared/pen-marks.ts'
import { degrees, PDFDocument, PDFName, PDFNumber, type PDFPage, StandardFonts } from 'pdf-lib'
import PDFKitDocument from 'pdfkit'
import { describe, expect, it } from 'vitest'
import { biologyQuiz } from '../../../../tests/papers/demo-biology.ts'
import { drawDemoPaper } from '../../../../tests/papers/demo-course.ts'
import { toBuffer } from '../../../../tests/papers/sheet.ts'
import { usePaperReader } from '../../testing/cached-paper-reader.ts'
import type { MarkupNote, PaperMarkup } from './paper-markup.ts'

const { reader, papers } = usePaperReader()
const answer = 'The molecules are further apart in ice'
const blankMarkup: PaperMarkup = {
  title: 'Quiz',
  cover: [{ kind: 'title', text: 'Quiz', above: '' }],
  notes: [],
  turned: [],
  pen: [],
}

async function drawPage(change: (page: PDFPage) => void, size: [number, number] = [595, 842]): Promise<Buffer> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage(size)
  for (const [i, text] of ['1. Why does ice float?', answer, 'because of the hydrogen bonds.'].entries())
    page.drawText(text, { x: 120, y: 500 - i * 30, size: 12, font })
  change(page)
  return Buffer.from(await document.save())
}

function find(paper: Paper, text: string): Line & { page: number } {
  for (const page of paper.pages)
    for (const line of page.lines) if (line.text.includes(text)) return { ...line, page: page.number }
  throw new Error(
    `No line has “${text}”: ${JSON.stringify(paper.pages.map(({ lines }) => lines.map((line) => line.text)))}`,
  )
}

const noteOn = (line: Line & { page: number }, more: Partial<MarkupNote> = {}): MarkupNote => ({
  key: 'a',
  page: line.page,
  box: line.box,
  verdict: 'partial',
  points: '3 / 5',
  part: '',
  comment: '',
  ...more,
})

async function markUp(bytes: Buffer, markup: Partial<PaperMarkup> | ((paper: Paper) => Partial<PaperMarkup>)) {
  const file = await papers.put(bytes)
  const original = await reader.read(file)
  const made = await reader.markUp(file, {
    ...blankMarkup,
    ...(typeof markup === 'function' ? markup(original) : markup),
  })
  return { original, made, paper: await reader.read(await papers.put(made)) }
}

const middle = ({ box }: Pick<Line, 'box'>) => box.y + box.height / 2

function expectMarked({ original, paper }: Awaited<ReturnType<typeof markUp>>, words = answer, points = '3 / 5') {
  const line = find(original, words)
  const mark = find(paper, points)
  expect(mark.page).toBe(line.page + 1)
  expect(middle(mark)).toBeGreaterThanOrEqual(line.box.y)
  expect(middle(mark)).toBeLessThanOrEqual(line.box.y + line.box.height)
  for (const page of original.pages)
    for (const { text, box } of page.lines) {
      if (text.length < 12) continue
      const still = find(paper, text)
      expect(still.page).toBe(page.number + 1)
      expect(Math.abs(middle(still) - middle({ box }))).toBeLessThan(4)
      expect(Math.abs(still.box.x - box.x)).toBeLessThan(2)
    }
}

describe('points on the page', () => {
  const shifted = (page: PDFPage) => {
    page.setMediaBox(-100, -50, 695, 892)
    page.setCropBox(40, 60, 500, 700)
  }
  it.each<[string, (page: PDFPage) => void]>([
    ['upright', () => {}],
    ['turned by 90°', (page) => page.setRotation(degrees(90))],
    ['turned by 180°', (page) => page.setRotation(degrees(180))],
    ['turned by 270°', (page) => page.setRotation(degrees(-90))],
    ['cropped', shifted],
    [
      'cropped and turned',
      (page) => {
        shifted(page)
        page.setRotation(degrees(90))
      },
    ],
    ['in units of two points', (page) => page.node.set(PDFName.of('UserUnit'), PDFNumber.of(2))],
    ['large', (page) => page.setSize(1191, 1684)],
    ['in landscape', (page) => page.setSize(842, 595)],
  ])('stand in the line they are for, on a page that is %s', async (_, change) => {
    expectMarked(await markUp(await drawPage(change), (paper) => ({ notes: [noteOn(find(paper, answer))] })))
  })

  it('stand on the right page of a paper, beside values of form fields', async () => {
    const form = biologyQuiz.papers.find(({ style }) => style === 'form')
    if (!form) throw new Error('a form')
    const { bytes } = await drawDemoPaper(biologyQuiz, form)
    const made = await markUp(bytes, (paper) => ({ notes: [noteOn(find(paper, 'x500'))] }))
    expectMarked(made, 'x500')
    const fields = (await PDFDocument.load(made.made)).getForm().getFields()
    expect(fields.length).toBe((await PDFDocument.load(bytes)).getForm().getFields().length)
  })

  it('turn a page upright that was scanned on its side', async () => {
    const upright = await PDFDocument.load(await drawPage(() => {}))
    const sideways = await PDFDocument.create()
    const [content] = await sideways.embedPdf(upright)
    if (!content) throw new Error('a page')
    sideways.addPage([842, 595]).drawPage(content, { x: 842, y: 0, rotate: degrees(90) })
    const shown = await reader.read(await papers.put(Buffer.from(await upright.save())))
    const line = find(shown, answer)
    const made = await reader.markUp(await papers.put(Buffer.from(await sideways.save())), {
      ...blankMarkup,
      notes: [noteOn(line)],
      turned: [{ page: 1, turned: 90 }],
    })
    const paper = await reader.read(await papers.put(made))
    expect(paper.pages[1]).toMatchObject({ width: 595, height: 842 })
    expect(Math.abs(find(paper, answer).box.y - line.box.y)).toBeLessThan(4)
    const mark = find(paper, '3 / 5')
    expect(Math.abs(middle(mark) - middle(line))).toBeLessThan(line.box.height / 2)
  })
})

describe('comments', () => {
  it('stand beside the answer where there is room, and do not cover what is written', async () => {
    const comment = 'Say why they are further apart: ω = √(k/m).'
    const { paper, original } = await markUp(await drawPage(() => {}), (read) => ({
      notes: [noteOn(find(read, answer), { comment })],
    }))
    const written = find(paper, 'Say why they')
    expect(written.page).toBe(2)
    expect(written.text).toContain('ω')
    for (const { box, text } of original.pages.flatMap(({ lines }) => lines)) {
      const apart =
        written.box.y >= box.y + box.height - 2 ||
        written.box.y + written.box.height <= box.y + 2 ||
        written.cells?.some(({ x }) => x >= box.x + box.width) ||
        written.box.x >= box.x + box.width
      expect(apart, text).toBe(true)
    }
  })

  it('are numbered and on the cover where the page has no room', async () => {
    const comment = 'There are a great many words in this comment, far more than fit beside any answer. '.repeat(12)
    const { paper } = await markUp(await drawPage(() => {}), (read) => ({
      notes: [noteOn(find(read, answer), { comment })],
      cover: [
        { kind: 'entry', key: 'b', tag: '1', title: 'Other', points: '1 / 1', verdict: 'full', feedback: 'Right.' },
        { kind: 'entry', key: 'a', tag: '2', title: 'Ice', points: '3 / 5', verdict: 'partial', feedback: comment },
      ],
    }))
    expect(find(paper, '[1] There are a great many words').page).toBe(1)
    const onPage = paper.pages[1]?.lines.map(({ text }) => text).join('\n') ?? ''
    expect(onPage).toContain('[1]')
    expect(onPage).not.toContain('a great many words')
  })
})

describe('the cover', () => {
  it('writes names in every script, and shows what it cannot write', async () => {
    const names = 'Łukasz Ωμέγα Дмитрий 王小明 김민준'
    const { paper } = await markUp(await drawPage(() => {}), {
      cover: [
        { kind: 'title', text: names, above: 'a\u0000b\u200b\ttab' },
        { kind: 'paragraph', text: 'Well done 🎉!' },
      ],
    })
    const text = paper.pages[0]?.lines.map((line) => line.text).join(' ')
    for (const name of names.split(' ')) expect(text).toContain(name)
    expect(text).toContain('Well done □!')
  })

  it('goes on for as many pages as it takes, in front of the paper', async () => {
    const long = Array.from({ length: 90 }, (_, i) => ({ kind: 'paragraph' as const, text: `Line ${i}.` }))
    const { paper, original } = await markUp(await drawPage(() => {}), { cover: long })
    const covers = paper.pages.length - original.pages.length
    expect(covers).toBeGreaterThan(1)
    expect(find(paper, answer).page).toBe(covers + 1)
    expect(find(paper, 'Line 0.').page).toBe(1)
    expect(find(paper, 'Line 89.').page).toBe(covers)
  })
})

it('Formulas are drawn in a comment and on the cover, copied as typed, and stay text where they cannot be read', async () => {
  const [comment, tall] = [
    'Use $v^2 = 2gh$, not $5 and $6.',
    'So $$A = \\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}$$ has no $\\oops$.',
  ]
  const entry = { kind: 'entry', verdict: 'partial', points: '1 / 2', title: 'Energy' } as const
  const { made } = await markUp(await drawPage(() => {}), (read) => ({
    notes: [
      noteOn(find(read, answer), { key: 'a', comment }),
      noteOn(find(read, 'because of'), { key: 'b', comment: tall }),
    ],
    cover: [
      { ...entry, key: 'a', tag: '1', feedback: comment },
      { ...entry, key: 'b', tag: '2', feedback: tall },
    ],
  }))
  const folder = await mkdtemp(join(tmpdir(), 'assay-formulas-'))
  try {
    await writeFile(join(folder, 'marked.pdf'), made)
    const { stdout } = await promisify(execFile)('pdftotext', ['-layout', join(folder, 'marked.pdf'), '-'])
    const [cover, page] = stdout.split('\f')
    for (const text of [cover, page]) expect(text).toMatch(/Use +\$v\^2 = 2gh\$ ?, not \$5 and \$6\./)
    expect(cover).toContain('\\begin{pmatrix}')
    expect(cover).toContain('has no $\\oops$.')
    expect(page).not.toContain('\\begin{pmatrix}')
  } finally {
    await rm(folder, { recursive: true })
  }
})

describe('files that cannot be taken over', () => {
  it('are copied as pictures of their pages, such as one whose changing is locked', async () => {
    const drawing = new PDFKitDocument({ size: 'A4', ownerPassword: 'secret' })
    drawing.fontSize(14).text(answer, 100, 200)
    const ready = toBuffer(drawing)
    const file = await papers.put(await ready)
    const original = await reader.read(file)
    const line = find(original, answer)
    const made = await reader.markUp(file, { ...blankMarkup, notes: [noteOn(line)] })
    const paper = await reader.read(await papers.put(made))
    const mark = find(paper, '3 / 5')
    expect(mark.page).toBe(2)
    expect(Math.abs(middle(mark) - middle(line))).toBeLessThan(line.box.height)
    const picture = await reader.renderPage(await papers.put(made), 2, { width: 595 })
    expect(picture.length).toBeGreaterThan(2000)
    expect(find(paper, 'molecules').source).toBe('ocr')
  })
})

const penMark = (content: PenMarkContent, number: number): PenMark => ({
  ...content,
  id: `00000000-0000-4000-8000-00000000000${number}`,
  author: 'Ms Łukasz',
  created_at: '2030-01-02T03:04:05.000Z',
})

/** Points from the top left of the page as shown. */
const middles = { ink: [150, 210], highlight: [200, 255], text: [150, 310], stamp: [150, 410], tick: [90, 120] }
const allKinds: PenMarkContent[] = [
  { kind: 'ink', page: 1, colour: 'red', points: [100, 200, 0.5, 150, 220, 0.9, 200, 200, 0.5] },
  { kind: 'highlight', page: 1, colour: 'green', x: 150, y: 250, width: 100, height: 10 },
  { kind: 'text', page: 1, colour: 'blue', x: 100, y: 300, turn: 0, width: 100, text: 'Look at $x^2$ again' },
  { kind: 'stamp', page: 1, colour: 'red', x: 100, y: 400, turn: 0, width: 100, text: '+2 Names it', item_id: 3 },
  { kind: 'tick', page: 1, colour: 'green', x: 90, y: 120, turn: 0 },
]

it.each<[string, (page: PDFPage) => void]>([
  ['upright', () => {}],
  ['turned by 90°', (page) => page.setRotation(degrees(90))],
  ['turned by 270°', (page) => page.setRotation(degrees(-90))],
  [
    'cropped',
    (page) => {
      page.setMediaBox(-100, -50, 695, 892)
      page.setCropBox(40, 60, 500, 700)
    },
  ],
  ['in units of two points', (page) => page.node.set(PDFName.of('UserUnit'), PDFNumber.of(2))],
])('pen marks are annotations of their kinds, where they were drawn on a page that is %s', async (_, change) => {
  const file = await papers.put(await drawPage(change))
  const made = await reader.markUp(file, { ...blankMarkup, pen: allKinds.map(penMark) })
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const opening = getDocument({ data: new Uint8Array(made) })
  const page = await (await opening.promise).getPage(2)
  const view = page.getViewport({ scale: 1 })
  const annotations = await page.getAnnotations()
  const found = annotations.map(({ subtype, contentsObj, titleObj, hasAppearance }) => ({
    ...{ subtype, words: contentsObj.str, by: titleObj.str, hasAppearance },
  }))
  const by = 'Ms Łukasz'
  expect(found).toEqual([
    { subtype: 'Ink', words: 'Drawing', by, hasAppearance: true },
    { subtype: 'Highlight', words: 'Highlight', by, hasAppearance: true },
    { subtype: 'FreeText', words: 'Look at $x^2$ again', by, hasAppearance: true },
    { subtype: 'Stamp', words: '+2 Names it', by, hasAppearance: true },
    { subtype: 'Stamp', words: 'Tick', by, hasAppearance: true },
  ])
  for (const [i, [x = 0, y = 0]] of Object.values(middles).entries()) {
    const [left, low, right, high] = annotations[i]?.rect ?? []
    const [atX, atY] = view.convertToViewportPoint((left + right) / 2, (low + high) / 2)
    expect(Math.abs(atX - x), annotations[i]?.subtype).toBeLessThan(6)
    expect(Math.abs(atY - y), annotations[i]?.subtype).toBeLessThan(14 * Math.max(1, view.width / 595))
  }
  await opening.destroy()
})
