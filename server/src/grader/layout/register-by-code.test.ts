import type { Page, Paper } from '@assay/shared/papers.ts'
import { expect, it } from 'vitest'
import { findNameRegions } from '../anonymizer/cover-names.ts'
import { matchBlankPages } from './match-blank-pages.ts'

const [width, height] = [595, 842]
const word = (text: string, x: number, y: number) => ({
  text,
  confidence: 0.9,
  box: { x, y, width: 7 * text.length, height: 10 },
})
/** Two long words, so that their ends tell where the line lies. */
const lineAt = (text: string, y: number, source: 'text' | 'ocr' = 'text') => {
  const [first = '', second = ''] = text.split(' ')
  return {
    ...{ text, source, confidence: 0.9, box: { x: 60, y, width: 300, height: 12 } },
    words: [word(first, 60, y), word(second, 360 - 7 * second.length, y)],
  }
}
const texts = [
  'Photosynthesis explained',
  'Chlorophyll absorbs',
  'Mitochondria respire',
  'Ribosomes translate',
  'Vacuoles storing',
]
const printedAt = (i: number) => 200 + 110 * i
const blank: Paper = {
  pages: [
    {
      ...{ number: 1, width, height },
      lines: [lineAt('Name: ______', 60), ...texts.map((text, i) => lineAt(text, printedAt(i)))],
    },
  ],
}
const scanned = (transform: number[], lines: Page['lines'] = []): Paper => ({
  pages: [{ number: 1, width, height, printed_page: 1, to_blank: { transform, exact: true }, lines }],
})
/** From the scan to the blank, about the middle. */
function turnedBy(degrees: number): number[] {
  const angle = (degrees * Math.PI) / 180
  const [c, s] = [Math.cos(angle), Math.sin(angle)]
  const [x, y] = [width / 2, height / 2]
  return [c, -s, x - c * x + s * y, s, c, y - s * x - c * y, 0, 0, 1]
}
const registrationOf = (paper: Paper) => matchBlankPages(paper, blank).get(1)?.pages[0]?.registration

it('is not used for a page that is still on its side or upside down', () => {
  for (const degrees of [90, 180, 270]) {
    const { known } = matchBlankPages(scanned(turnedBy(degrees)), blank).get(1) ?? {}
    expect([degrees, known]).toEqual([degrees, false])
  }
  expect(registrationOf(scanned(turnedBy(8)))).toBeTruthy()
})

it('is not believed against the print on the page', () => {
  const low = texts.map((text, i) => lineAt(text, printedAt(i) + 15, 'ocr'))
  const [, y = 0] = registrationOf(scanned(turnedBy(0), low))?.toBlank(100, 400) ?? []
  expect(Math.abs(y - 385)).toBeLessThan(4)
})

it('covers a row for a name from its lowest to its highest place on a page that lies askew', () => {
  for (const degrees of [8, -8]) {
    const paper = scanned(turnedBy(degrees))
    const registration = registrationOf(paper)
    const regions = findNameRegions(paper, blank, () => new Set()).get(1) ?? []
    for (const x of [60, 300, 540]) {
      const [, y = 0] = registration?.toScan(x, 66) ?? []
      const isCovered = regions.some((box) => box.y <= y - 8 && y + 8 <= box.y + box.height)
      expect([degrees, x, isCovered]).toEqual([degrees, x, true])
    }
  }
})
