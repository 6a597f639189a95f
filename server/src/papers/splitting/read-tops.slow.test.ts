import { beforeAll, expect, it } from 'vitest'
import { simulateScan } from '../../../../tests/papers/scan.ts'
import { drawSheets, emptySheet } from '../../../../tests/papers/sheet.ts'
import { usePaperFolder } from '../../testing/cached-paper-reader.ts'
import { defaultPaperLimits } from '../paper-limits.ts'
import { readTops } from './read-tops.ts'

const students = [
  { name: 'Name: Amina Okonkwo', number: '104823', font: 'Times-Italic' },
  { name: 'Name: Oskar Lindqvist', number: '730115', font: 'Courier' },
  { name: 'Name: Chloe Gallagher', number: '618204', font: 'Times-BoldItalic' },
]

const papers = usePaperFolder()
let file: string
beforeAll(async () => {
  const sheets = students.map(({ name, number, font }) => ({
    ...emptySheet(),
    ink: [
      { text: name, x: 60, y: 80, font, size: 14 },
      { text: number, x: 60, y: 120, font, size: 14 },
      { text: 'far below the name', x: 60, y: 600, font, size: 14 },
    ],
  }))
  file = await papers.put(await simulateScan(await drawSheets(sheets, { title: 'Scan' }), { seed: 5 }))
})

const read = (numbers: number[]) =>
  readTops({ file, pages: numbers.map((number) => ({ number, turns: 0 })) }, defaultPaperLimits, {
    step: () => {},
    page: () => {},
  })

it('reads the top of a page alone, and nothing of what is below', async () => {
  const tops = await read([1, 2, 3])
  const text = tops.map(({ lines }) => lines.map((line) => line.text).join(' '))
  for (const [i, { number }] of students.entries()) expect(text[i]).toContain(number)
  expect(text.join(' ')).not.toContain('below')
})

it('reads a name the same whichever hands it has read before', async () => {
  const [alone] = await read([3])
  // Three times over, so that anything learned from the first two would have told.
  const tops = await read([1, 2, 1, 2, 1, 2, 3])
  expect(tops.at(-1)).toEqual(alone)
  expect(alone?.lines.length).toBeGreaterThan(0)
})
