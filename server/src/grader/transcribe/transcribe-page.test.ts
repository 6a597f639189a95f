import type { Line, Page } from '@assay/shared/papers.ts'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { coverRegions } from '../anonymizer/cover-names.ts'
import { scriptedLlm } from '../llm-grading/testing/scripted-llm.ts'
import { mergeTranscribedLines } from './merge-transcribed-lines.ts'
import { transcribePage } from './transcribe-page.ts'

const line = (y: number, text: string, part: Partial<Line> = {}): Line => ({
  text,
  box: { x: 70, y, width: 300, height: 12 },
  source: 'ocr',
  confidence: 0.5,
  ...part,
})
const page = (...lines: Line[]): Page => ({ number: 1, width: 600, height: 800, lines })
const picture = { bytes: new Uint8Array([1]), media_type: 'image/jpeg' as const }

it('asks for the text on the page only, and treats what cannot be read as uncertain', async () => {
  const script = scriptedLlm(() => ({
    lines: [
      { text: ' Ice is  less dense ', sure: 'sure', y: 12 },
      { text: 'than [illegible]', sure: 'sure', y: 15 },
      { text: '', sure: 'sure', y: 20 },
      { text: 'xx', sure: 'illegible', y: 400 },
    ],
  }))
  expect(await transcribePage(script.llm, picture)).toEqual({
    model: 'fake/model',
    lines: [
      { text: 'Ice is less dense', confidence: 0.95, at: 0.12 },
      { text: 'than [illegible]', confidence: 0.6, at: 0.15 },
      { text: 'xx', confidence: 0.3, at: 1 },
    ],
  })
  expect(script.requests[0]).toMatchObject({ purpose: 'transcribe', prompt_version: 'transcribe-2' })
  expect(script.promptText(0)).toMatch(/Do not correct spelling/)
})

it('puts the LLM’s words at the places OCR found, and leaves typed lines as they are', () => {
  const merged = mergeTranscribedLines(
    page(
      line(60, '1. Why does ice float?', { source: 'text', confidence: 1 }),
      line(100, 'lce is lass dcnse', { confidence: 0.4 }),
      line(120, '~~ ,|', { confidence: 0.2 }),
      line(200, 'A sure line the LLM skipped', { confidence: 0.9 }),
      line(300, 'hidden words', { hidden: 'colour' }),
    ),
    [
      { text: '1. Why does ice float', confidence: 0.95, at: 0.08 },
      { text: 'Ice is less dense', confidence: 0.95, at: 0.13 },
      { text: 'and it is cold', confidence: 0.6, at: 0.19 },
    ],
  )
  expect(merged.lines.map(({ text, source, confidence, box }) => [text, source, confidence, box.y])).toEqual([
    ['1. Why does ice float?', 'text', 1, 60],
    ['Ice is less dense', 'model', 0.95, 100],
    ['and it is cold', 'model', 0.6, 145],
    ['A sure line the LLM skipped', 'ocr', 0.9, 200],
    ['hidden words', 'ocr', 0.5, 300],
  ])
})

it('reads a page on which OCR found nothing', () => {
  const merged = mergeTranscribedLines(page(), [
    { text: 'one', confidence: 0.95, at: 0.1 },
    { text: 'two', confidence: 0.95, at: 0.5 },
  ])
  expect(merged.lines.map(({ box }) => Math.round(box.y))).toEqual([73, 393])
})

it('sends a picture on which nothing of the covered place is left', async () => {
  const black = await sharp({ create: { width: 1200, height: 1600, channels: 3, background: '#000000' } })
    .png()
    .toBuffer()
  const covered = await coverRegions(black, { width: 600, height: 800 }, [{ x: 0, y: 20, width: 600, height: 32 }])
  const { data, info } = await sharp(covered.bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
  const darkIn = (from: number, to: number) => {
    let dark = 0
    for (let y = from; y < to; y += 1)
      for (let x = 0; x < info.width; x += 1) if ((data[y * info.width + x] ?? 0) < 100) dark += 1
    return dark
  }
  expect([info.width, info.height]).toEqual([1200, 1600])
  expect(darkIn(44, 100)).toBe(0)
  expect(darkIn(110, 200)).toBe(90 * 1200)
})
