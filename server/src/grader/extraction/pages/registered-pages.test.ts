import type { Line, Page, Paper } from '@assay/shared/papers.ts'
import { describe, expect, it } from 'vitest'
import { generateRubric } from '../../rubric/generate-rubric.ts'
import { buildPaper } from '../../testing/build-paper.ts'
import { extractAnswers } from '../extract-answers.ts'

const LINES = [
  'Weather and climate, second quiz',
  'Answer every question in the space below it.',
  '1. Which instrument measures the pressure of the air? (2 points)',
  '',
  '',
  '2. Explain why the wind often blows from sea to land. (4 points)',
  '',
  '',
  '',
  '3. The layer of air in which we live is the _________________ . (1 point)',
  '',
  '4. Name the scale that tells how strong the wind is. (1 point)',
  '',
]
const blank = buildPaper(LINES)
const rubric = generateRubric(
  blank,
  buildPaper(['1. barometer', '2. land heats faster', '3. troposphere', '4. Beaufort']),
)

/** As OCR reads it on a scan that is moved, turned and a little smaller. */
function scanned(text: string, x: number, y: number, confidence = 0.93): Line {
  const place = (px: number, py: number) => ({ x: 14 + 0.97 * px - 0.02 * py, y: 9 + 0.02 * px + 0.97 * py })
  let at = x
  const words = text.split(' ').map((word) => {
    const width = word.length * 6 - 2
    const box = { ...place(at, y + 1), width, height: 8.5 }
    at += word.length * 6 + 6
    return { text: word, box, confidence }
  })
  const [first, last] = [words[0]?.box, words.at(-1)?.box]
  if (!first || !last) throw new Error('a line has words')
  const box = { x: first.x, y: Math.min(first.y, last.y), width: last.x + last.width - first.x, height: 14 }
  return { text, box, words, source: 'ocr', confidence }
}

function scanWith(writing: Line[], misread: (text: string) => string = (text) => text): Paper {
  const print = (blank.pages[0]?.lines ?? []).map(({ text, box }) =>
    scanned(misread(text.replace(/_+/, '_'.repeat(17))), box.x, box.y),
  )
  const lines = [...print, ...writing].toSorted((a, b) => a.box.y - b.box.y)
  return { pages: [{ number: 1, width: 595, height: 842, lines } satisfies Page] }
}

const textsOf = (paper: Paper) => extractAnswers(rubric, blank, paper).answers.map(({ text }) => text)
const rowOf = (line: number) => 60 + 16 * line

describe('a scanned page that lies over the blank’s', () => {
  const writing = [
    scanned('a barometer', 80, rowOf(3)),
    scanned('The land gets warm faster', 80, rowOf(6)),
    scanned('than 3. the sea', 80, rowOf(7)),
    scanned('Beaufort', 80, rowOf(12)),
  ]

  it('takes what stands where print is for print, however it was read', () => {
    const spoilt = (text: string) =>
      text.startsWith('4.') ? 'A, Namo tbe scoIe thot teIIs haw str0ng tbe wimd ls. [I paint)' : text
    expect(textsOf(scanWith(writing, spoilt))).toEqual([
      'a barometer',
      'The land gets warm faster\nthan 3. the sea',
      '',
      'Beaufort',
    ])
  })

  it('keeps an answer that says the words of the print', () => {
    const copied = scanned('Name the scale that tells how strong the wind is', 80, rowOf(7))
    expect(textsOf(scanWith([copied]))[1]).toBe('Name the scale that tells how strong the wind is')
  })

  it('goes by what the words say where a model transcribed the page', () => {
    const paper = scanWith(writing)
    const lines = (paper.pages[0]?.lines ?? []).map(
      (line): Line => (line.text === 'Beaufort' ? { ...line, text: 'the Beaufort scale', source: 'model' } : line),
    )
    const transcribed = { pages: paper.pages.map((page) => ({ ...page, lines })) }
    expect(textsOf(transcribed)[3]).toBe('the Beaufort scale')
  })
})

describe('a page that comes twice', () => {
  const asPage = (paper: Paper, number: number): Page[] => paper.pages.map((one) => ({ ...one, number }))
  const [ada, ben] = [
    scanWith([scanned('a barometer', 80, rowOf(3)), scanned('The land gets warm', 80, rowOf(6))]),
    scanWith([scanned('thermometer', 80, rowOf(3)), scanned('Because of the moon', 80, rowOf(6))]),
  ]

  it('counts once where it was scanned twice', () => {
    const twice = { pages: [...ada.pages, ...asPage(ada, 2)] }
    expect(textsOf(twice)).toEqual(['a barometer', 'The land gets warm', '', ''])
    expect(extractAnswers(rubric, blank, twice).warnings).toEqual([])
  })

  it('is another paper where it says something else', () => {
    const both = extractAnswers(rubric, blank, { pages: [...ada.pages, ...asPage(ben, 2)] })
    expect(both.answers.map(({ text }) => text)).toEqual(['a barometer', 'The land gets warm', '', ''])
    expect(both.warnings).toMatchObject([{ code: 'page_order', message: expect.stringContaining('two papers') }])
  })

  it('is another paper where a sheet numbers the same answers again', () => {
    const sheets = (third: string) =>
      buildPaper(
        ['Q1 a barometer', 'Q2 land heats faster', 'Q3 troposphere', 'Q4 Beaufort'],
        ['Q1 thermometer', 'Q2 the moon', 'Q3 air', third],
      )
    const both = extractAnswers(rubric, blank, sheets('Q4 the metre'))
    expect(both.answers.map(({ text }) => text)).toEqual([
      'a barometer',
      'land heats faster',
      'troposphere',
      'Beaufort',
    ])
    expect(both.warnings).toMatchObject([{ code: 'page_order', message: expect.stringContaining('two papers') }])
    expect(extractAnswers(rubric, blank, sheets('and so on')).warnings).toEqual([])
  })
})
