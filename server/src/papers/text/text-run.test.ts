import type { PageViewport } from 'pdfjs-dist'
import type { TextContent } from 'pdfjs-dist/types/src/display/api.js'
import { expect, it } from 'vitest'
import { toTextRuns } from './text-run.ts'

const SIZE = 10
const viewport = { transform: [1, 0, 0, -1, 0, 800] } as unknown as PageViewport

const textOf = (str: string, em: number): string | undefined => {
  const item = { str, dir: 'ltr', transform: [SIZE, 0, 0, SIZE, 72, 700], width: em * SIZE, height: SIZE }
  const content: TextContent = { items: [{ ...item, fontName: 'f1', hasEOL: false }], styles: {}, lang: null }
  return toTextRuns(content, viewport)[0]?.text
}

it.each([
  ['⇡', 0.778, '≈'],
  ['⇡', 0.57, 'π'],
  ['\0', 0.778, '−'],
  ['\0', 0.57, ' '],
  ['\x1d', 1, '≫'],
  ['\x12', 0.6, ' '],
  ['the \x0crst', 0.5, 'the first'],
  ['it \x1coats, re\x1dects', 0.5, 'it fioats, reflects'],
  ['⇥', 0.778, '×'],
  ['⌧', 1, '≪'],
  ['⌘', 1.1, '⌘'],
  ['Press ⌘ C or ↵', 0.5, 'Press ⌘ C or ↵'],
])('text of a TeX font without a table of characters, %j, %d em wide, is read as %j', (written, em, read) => {
  expect(textOf(written, em)).toBe(read)
})
