import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { extractAnswers } from '../../../server/src/grader/extraction/extract-answers.ts'
import { usePaperReader } from '../../../server/src/testing/cached-paper-reader.ts'
import { type ExamPages, left, right } from '../layouts/exam-layout.ts'
import { drawPages, readExam, rockQuiz } from './student-exam.ts'

interface WayToAnswer {
  name: string
  question: string
  answer: string
  /** Print that the student's file sets in another style. */
  printed?: Readonly<Record<string, { font?: string; colour?: string; highlight?: string }>>
  draw(pages: ExamPages): void
}

const colour = '#1d2f6f'
const typed = (pages: ExamPages, text: string, x: number, y: number) =>
  pages.text(text, x, y, { font: 'Times-Roman', size: 12, colour })
const freeText = (pages: ExamPages, text: string, x: number, y: number, width = 120, height = 16) =>
  pages.add((doc) => doc.textAnnotation(x, y, width, height, text))
const field = { fontSize: 10 }
/** The library's types know its own options alone. */
const entries = (dictionary: Record<string, unknown>) => dictionary as PDFKit.Mixins.AnnotationOption

const way = (name: string, question: string, answer: string, draw: WayToAnswer['draw']): WayToAnswer => ({
  name,
  question,
  answer,
  draw,
})

const waysToAnswer: WayToAnswer[] = [
  way('a note in its place', '4', '3', (p) => freeText(p, '3', left + 280, 272)),
  way('a note over two lines', '5', 'Sand is pressed\nand cemented.', (p) =>
    freeText(p, 'Sand is pressed\nand cemented.', left, 322, 200, 40),
  ),
  way('a note that reaches over the next question', '5', 'Sand is pressed together.', (p) =>
    freeText(p, 'Sand is pressed together.', left + 10, 330, 200, 84),
  ),
  way('a note that begins above its lines', '8', 'coal', (p) => freeText(p, 'coal', left + 10, 522, 120, 40)),
  way('a note at the side of the page', '8', 'coal', (p) => freeText(p, 'coal', right - 20, 545, 90, 16)),
  way('a comment', '8', 'coal', (p) => p.add((doc) => doc.note(left + 60, 540, 18, 18, 'coal'))),
  way('a highlighted option', '1', 'B', (p) => p.add((doc) => doc.highlight(left + 20, 128, 48, 13))),
  way('a highlighted option in a row of them', '2', 'A', (p) => p.add((doc) => doc.highlight(left + 20, 214, 40, 13))),
  way('a square round an option', '1', 'B', (p) =>
    p.add((doc) => doc.rectAnnotation(left + 14, 126, 66, 17, { color: '#c00' })),
  ),
  way('a ring round an option', '2', 'B', (p) =>
    p.add((doc) => doc.ellipseAnnotation(left + 134, 212, 24, 18, { color: '#c00' })),
  ),
  way('a line under an option', '1', 'C', (p) => p.add((doc) => doc.underline(left + 20, 146, 50, 13))),
  way('one option struck out and another ringed', '1', 'B', (p) =>
    p.add((doc) => {
      doc.strike(left + 20, 110, 46, 13)
      doc.ellipseAnnotation(left + 14, 126, 22, 18, { color: '#c00' })
    }),
  ),
  way('all options but one struck out', '1', 'B', (p) =>
    p.add((doc) => {
      doc.strike(left + 20, 110, 46, 13)
      doc.strike(left + 20, 146, 50, 13)
      doc.strike(left + 20, 164, 40, 13)
    }),
  ),
  way('a ring drawn with a pen', '2', 'C', (p) =>
    p.add((doc) =>
      doc.annotate(
        left + 254,
        210,
        24,
        20,
        entries({ Subtype: 'Ink', InkList: [[left + 254, 600, left + 270, 620, left + 278, 610]] }),
      ),
    ),
  ),
  way('a ring round a word', '3', 'False', (p) => p.ring(left + 311, 250, 20, 9)),
  way('a letter typed beside the question', '1', 'B', (p) => typed(p, 'B', left + 250, 100)),
  way('a letter typed before the question', '1', 'B', (p) => typed(p, 'B', left - 20, 100)),
  way('a letter typed below the options', '2', 'A', (p) => typed(p, 'A', left + 20, 238)),
  way('a cross typed before an option', '1', 'B', (p) => typed(p, 'X', left + 4, 138)),
  way('a word typed beside the words to choose from', '3', 'False', (p) => typed(p, 'False', left + 350, 254)),
  way('a line through a wrong word', '8', 'coal', (p) => {
    typed(p, 'granite', left + 10, 554)
    p.rule(left + 9, left + 46, 551)
    typed(p, 'coal', left + 60, 554)
  }),
  way('a line through a wrong sentence', '5', 'Sand is pressed together.', (p) => {
    typed(p, 'Lava cools down.', left + 10, 332)
    p.rule(left + 9, left + 98, 329)
    typed(p, 'Sand is pressed together.', left + 10, 352)
  }),
  way('a strike-out over a wrong word', '8', 'coal', (p) => {
    typed(p, 'granite coal', left + 10, 554)
    p.add((doc) => doc.strike(left + 9, 545, 36, 12))
  }),
  way('a wrong word crossed out', '8', 'coal', (p) => {
    typed(p, 'slate', left + 10, 554)
    for (const [from, to] of [
      [544, 556],
      [556, 544],
    ] as const)
      p.add((doc) =>
        doc
          .moveTo(left + 9, from)
          .lineTo(left + 36, to)
          .lineWidth(1.2)
          .stroke(),
      )
    typed(p, 'coal', left + 50, 554)
  }),
  way('words in two gaps of a line', '6', 'igneous metamorphic', (p) => {
    typed(p, 'igneous', left + 105, 407)
    typed(p, 'metamorphic', left + 282, 407)
  }),
  way('notes in two gaps of a line', '6', 'igneous\nmetamorphic', (p) => {
    freeText(p, 'igneous', left + 100, 396, 70)
    freeText(p, 'metamorphic', left + 282, 396, 80)
  }),
  way('letters in a column', '7 b', 'R', (p) => typed(p, 'R', left + 82, 477)),
  way('a note with a letter in a column', '7 c', 'P', (p) => freeText(p, 'P', left + 74, 488, 24)),
  way('an answer that goes on at the end', '5', 'Sand is pressed\nand cemented by minerals.', (p) => {
    typed(p, 'Sand is pressed (see back)', left + 10, 332)
    p.page()
    typed(p, 'Q5 continued: and cemented by minerals.', left + 10, 100)
  }),
  way('an answer on the back, where its lines only say so', '5', 'Sand is pressed and cemented.', (p) => {
    typed(p, '-> p. 2', left + 10, 332)
    p.page()
    typed(p, 'Sand is pressed and cemented.', left + 10, 100)
  }),
  way('more room at the foot of the page', '5', 'Sand is pressed\nand cemented.', (p) => {
    typed(p, 'Sand is pressed', left + 10, 332)
    typed(p, '5) cont. and cemented.', left + 10, 700)
  }),
  way('a ticked box of a form', '1', 'B', (p) =>
    p.add((doc) => {
      const look = () => {
        const form = doc.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 12, 12] })
        form.end('')
        return form
      }
      for (const [i, letter] of ['A', 'B', 'C', 'D'].entries()) {
        const state = i === 1 ? 'Yes' : 'Off'
        const AP = { N: { Yes: look(), Off: look() } }
        const T = new String(`q1.${letter}`)
        const box = entries({ Subtype: 'Widget', FT: 'Btn', T, V: state, AS: state, AP, F: 4 })
        doc.annotate(left + 2, 109 + i * 18, 12, 12, box)
      }
    }),
  ),
  {
    ...way('an option highlighted in a word processor', '1', 'B', () => {}),
    printed: { 'B. basalt': { highlight: '#ffff00' } },
  },
  { ...way('an option in bold', '1', 'D', () => {}), printed: { 'D. coal': { font: 'Helvetica-Bold' } } },
  { ...way('an option in red', '2', 'B', () => {}), printed: { 'B. granite': { colour: '#c00000' } } },
  way('a list to choose from in a form', '8', 'coal', (p) =>
    p.add((doc) =>
      doc.formCombo('q8', left + 10, 540, 100, 18, { select: ['chalk', 'coal', 'slate'], value: 'coal', ...field }),
    ),
  ),
  way('a field of several lines', '5', 'Sand is pressed\nand cemented.', (p) =>
    p.add((doc) =>
      doc.formText('q5', left, 320, 300, 60, { multiline: true, value: 'Sand is pressed\nand cemented.', ...field }),
    ),
  ),
]

function drawWrittenOn(pages: ExamPages, { printed = {}, draw }: WayToAnswer): void {
  const text = pages.text.bind(pages)
  pages.text = (words, x, y, style) => {
    const { highlight, ...own } = printed[words] ?? {}
    if (highlight) pages.box(x - 1, y - 11, 50, 14, highlight)
    text(words, x, y, { ...style, ...own })
  }
  rockQuiz.drawBlank(pages)
  pages.text = text
  pages.add((doc) => doc.font('Helvetica').initForm())
  draw(pages)
}

const { reader, papers } = usePaperReader()
let blank: Paper
let rubric: Rubric
const read = async (bytes: Buffer) => reader.read(await papers.put(bytes))

beforeAll(async () => {
  ;({ blank, rubric } = await readExam(rockQuiz, read))
})

describe('a quiz answered on its own pages', () => {
  it.each(waysToAnswer)('gives one answer, by $name', async (way) => {
    const { answers } = extractAnswers(rubric, blank, await read(await drawPages((pages) => drawWrittenOn(pages, way))))
    expect(answers.map(({ text }) => text)).toEqual(
      rockQuiz.numbers.map((number) => (number === way.question ? way.answer : '')),
    )
  })
})
