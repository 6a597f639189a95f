import { type ExamPages, left, right } from '../layouts/exam-layout.ts'
import { rockQuiz } from './student-exam.ts'

/** A way to answer on the quiz itself: what is done for one question, and what it then answers. */
export interface WayToAnswer {
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

export const waysToAnswer: WayToAnswer[] = [
  { name: 'a note in its place', question: '4', answer: '3', draw: (p) => freeText(p, '3', left + 280, 272) },
  {
    name: 'a note over two lines',
    question: '5',
    answer: 'Sand is pressed\nand cemented.',
    draw: (p) => freeText(p, 'Sand is pressed\nand cemented.', left, 322, 200, 40),
  },
  {
    name: 'a note that reaches over the next question',
    question: '5',
    answer: 'Sand is pressed together.',
    draw: (p) => freeText(p, 'Sand is pressed together.', left + 10, 330, 200, 84),
  },
  {
    name: 'a note that begins above its lines',
    question: '8',
    answer: 'coal',
    draw: (p) => freeText(p, 'coal', left + 10, 522, 120, 40),
  },
  {
    name: 'a note at the side of the page',
    question: '8',
    answer: 'coal',
    draw: (p) => freeText(p, 'coal', right - 20, 545, 90, 16),
  },
  {
    name: 'a comment',
    question: '8',
    answer: 'coal',
    draw: (p) => p.add((doc) => doc.note(left + 60, 540, 18, 18, 'coal')),
  },
  {
    name: 'a highlighted option',
    question: '1',
    answer: 'B',
    draw: (p) => p.add((doc) => doc.highlight(left + 20, 128, 48, 13)),
  },
  {
    name: 'a highlighted option in a row of them',
    question: '2',
    answer: 'A',
    draw: (p) => p.add((doc) => doc.highlight(left + 20, 214, 40, 13)),
  },
  {
    name: 'a square round an option',
    question: '1',
    answer: 'B',
    draw: (p) => p.add((doc) => doc.rectAnnotation(left + 14, 126, 66, 17, { color: '#c00' })),
  },
  {
    name: 'a ring round an option',
    question: '2',
    answer: 'B',
    draw: (p) => p.add((doc) => doc.ellipseAnnotation(left + 134, 212, 24, 18, { color: '#c00' })),
  },
  {
    name: 'a line under an option',
    question: '1',
    answer: 'C',
    draw: (p) => p.add((doc) => doc.underline(left + 20, 146, 50, 13)),
  },
  {
    name: 'one option struck out and another ringed',
    question: '1',
    answer: 'B',
    draw: (p) =>
      p.add((doc) => {
        doc.strike(left + 20, 110, 46, 13)
        doc.ellipseAnnotation(left + 14, 126, 22, 18, { color: '#c00' })
      }),
  },
  {
    name: 'all options but one struck out',
    question: '1',
    answer: 'B',
    draw: (p) =>
      p.add((doc) => {
        doc.strike(left + 20, 110, 46, 13)
        doc.strike(left + 20, 146, 50, 13)
        doc.strike(left + 20, 164, 40, 13)
      }),
  },
  {
    name: 'a ring drawn with a pen',
    question: '2',
    answer: 'C',
    draw: (p) =>
      p.add((doc) =>
        doc.annotate(
          left + 254,
          210,
          24,
          20,
          entries({ Subtype: 'Ink', InkList: [[left + 254, 600, left + 270, 620, left + 278, 610]] }),
        ),
      ),
  },
  { name: 'a ring round a word', question: '3', answer: 'False', draw: (p) => p.ring(left + 311, 250, 20, 9) },
  {
    name: 'a letter typed beside the question',
    question: '1',
    answer: 'B',
    draw: (p) => typed(p, 'B', left + 250, 100),
  },
  {
    name: 'a letter typed before the question',
    question: '1',
    answer: 'B',
    draw: (p) => typed(p, 'B', left - 20, 100),
  },
  { name: 'a letter typed below the options', question: '2', answer: 'A', draw: (p) => typed(p, 'A', left + 20, 238) },
  {
    name: 'a cross typed before an option',
    question: '1',
    answer: 'B. basalt',
    draw: (p) => typed(p, 'X', left + 4, 138),
  },
  {
    name: 'a word typed beside the words to choose from',
    question: '3',
    answer: 'False',
    draw: (p) => typed(p, 'False', left + 350, 254),
  },
  {
    name: 'a line through a wrong word',
    question: '8',
    answer: 'coal',
    draw: (p) => {
      typed(p, 'granite', left + 10, 554)
      p.rule(left + 9, left + 46, 551)
      typed(p, 'coal', left + 60, 554)
    },
  },
  {
    name: 'a line through a wrong sentence',
    question: '5',
    answer: 'Sand is pressed together.',
    draw: (p) => {
      typed(p, 'Lava cools down.', left + 10, 332)
      p.rule(left + 9, left + 98, 329)
      typed(p, 'Sand is pressed together.', left + 10, 352)
    },
  },
  {
    name: 'a strike-out over a wrong word',
    question: '8',
    answer: 'coal',
    draw: (p) => {
      typed(p, 'granite coal', left + 10, 554)
      p.add((doc) => doc.strike(left + 9, 545, 36, 12))
    },
  },
  {
    name: 'a wrong word crossed out',
    question: '8',
    answer: 'coal',
    draw: (p) => {
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
    },
  },
  {
    name: 'words in two gaps of a line',
    question: '6',
    answer: 'igneous metamorphic',
    draw: (p) => {
      typed(p, 'igneous', left + 105, 407)
      typed(p, 'metamorphic', left + 282, 407)
    },
  },
  {
    name: 'notes in two gaps of a line',
    question: '6',
    answer: 'igneous\nmetamorphic',
    draw: (p) => {
      freeText(p, 'igneous', left + 100, 396, 70)
      freeText(p, 'metamorphic', left + 282, 396, 80)
    },
  },
  { name: 'letters in a column', question: '7 b', answer: 'R', draw: (p) => typed(p, 'R', left + 82, 477) },
  {
    name: 'a note with a letter in a column',
    question: '7 c',
    answer: 'P',
    draw: (p) => freeText(p, 'P', left + 74, 488, 24),
  },
  {
    name: 'an answer that goes on at the end',
    question: '5',
    answer: 'Sand is pressed\nand cemented by minerals.',
    draw: (p) => {
      typed(p, 'Sand is pressed (see back)', left + 10, 332)
      p.page()
      typed(p, 'Q5 continued: and cemented by minerals.', left + 10, 100)
    },
  },
  {
    name: 'an answer on the back, where its lines only say so',
    question: '5',
    answer: 'Sand is pressed and cemented.',
    draw: (p) => {
      typed(p, '-> p. 2', left + 10, 332)
      p.page()
      typed(p, 'Sand is pressed and cemented.', left + 10, 100)
    },
  },
  {
    name: 'more room at the foot of the page',
    question: '5',
    answer: 'Sand is pressed\nand cemented.',
    draw: (p) => {
      typed(p, 'Sand is pressed', left + 10, 332)
      typed(p, '5) cont. and cemented.', left + 10, 700)
    },
  },
  {
    name: 'a ticked box of a form',
    question: '1',
    answer: 'B',
    draw: (p) =>
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
  },
  {
    name: 'an option highlighted in a word processor',
    question: '1',
    answer: 'B',
    printed: { 'B. basalt': { highlight: '#ffff00' } },
    draw: () => {},
  },
  {
    name: 'an option in bold',
    question: '1',
    answer: 'D',
    printed: { 'D. coal': { font: 'Helvetica-Bold' } },
    draw: () => {},
  },
  {
    name: 'an option in red',
    question: '2',
    answer: 'B',
    printed: { 'B. granite': { colour: '#c00000' } },
    draw: () => {},
  },
  {
    name: 'a list to choose from in a form',
    question: '8',
    answer: 'coal',
    draw: (p) =>
      p.add((doc) =>
        doc.formCombo('q8', left + 10, 540, 100, 18, { select: ['chalk', 'coal', 'slate'], value: 'coal', ...field }),
      ),
  },
  {
    name: 'a field of several lines',
    question: '5',
    answer: 'Sand is pressed\nand cemented.',
    draw: (p) =>
      p.add((doc) =>
        doc.formText('q5', left, 320, 300, 60, { multiline: true, value: 'Sand is pressed\nand cemented.', ...field }),
      ),
  },
]

/** The quiz, answered in one way. */
export function drawWrittenOn(pages: ExamPages, { printed = {}, draw }: WayToAnswer): void {
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
