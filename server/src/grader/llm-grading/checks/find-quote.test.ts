import type { Evidence } from '@assay/shared/papers.ts'
import { describe, expect, it } from 'vitest'
import { cpuTimeOf } from '../../../testing/cpu-time.ts'
import { findQuote } from './find-quote.ts'

const lines = (...texts: string[]): Evidence[] =>
  texts.map((quote, i) => ({ page: 1, box: { x: 72, y: 100 + i * 16, width: 300, height: 12 }, quote }))

const answer = (texts: string[], reading = 1) => ({ text: texts.join('\n'), evidence: lines(...texts), reading })

const TIDES = answer(['The moon pulls on the water of the', 'oceans, and the earth turns below it.', 'That is why.'])
const found = (quote: string, one = TIDES) => findQuote(quote, one)?.map((line) => line.quote) ?? null

describe('finding a quote in an answer', () => {
  it('gives the quote’s line', () => {
    expect(found('the earth turns')).toEqual(['oceans, and the earth turns below it.'])
  })

  it('gives each line it runs over', () => {
    expect(found('pulls on the water of the oceans')).toEqual([
      'The moon pulls on the water of the',
      'oceans, and the earth turns below it.',
    ])
  })

  it('ignores case, spaces, quotation marks and dashes', () => {
    expect(found('“THE  MOON pulls” –')).toHaveLength(1)
  })

  it('follows a word broken at the end of a line', () => {
    const broken = { ...answer(['plants do photo-', 'synthesis here']), text: 'plants do photosynthesis here' }
    expect(found('do photosynthesis', broken)).toHaveLength(2)
  })

  it('allows words left out in between', () => {
    expect(found('The moon pulls … That is why')).toEqual(['The moon pulls on the water of the', 'That is why.'])
    expect(found('That is why … The moon pulls')).toBeNull()
  })

  it('finds no words that are not there', () => {
    expect(found('gravity of the sun')).toBeNull()
    expect(found('')).toBeNull()
    expect(found(' … “” ')).toBeNull()
  })

  it('matches short quotes only as whole words', () => {
    expect(found('moon')).toHaveLength(1)
    expect(found('oon')).toBeNull()
    expect(found('A', answer(['Banana']))).toBeNull()
    expect(found('A', answer(['It is A.']))).toHaveLength(1)
  })

  it('allows a misspelling that the LLM corrected', () => {
    const slip = answer(['Plants use clorophyll to catch the light of the sun.'])
    expect(found('Plants use chlorophyll to catch the light', slip)).toHaveLength(1)
  })

  it('allows more where the words were read by OCR', () => {
    const misread = ['P1ants nse chlorophyil to cateh ligbt']
    expect(found('use chlorophyll to catch light', answer(misread, 0.7))).toHaveLength(1)
    expect(found('use chlorophyll to catch light', answer(misread))).toBeNull()
  })

  it('never allows another digit, a sign or a “not”', () => {
    expect(found('the war began in the summer of 1915', answer(['the war began in the summer of 1914']))).toBeNull()
    expect(found('the water does rise at full moon', answer(['the water does not rise at full moon']))).toBeNull()
    expect(found('so the result is 3 * 4 metres', answer(['so the result is 3 + 4 metres']))).toBeNull()
  })

  it('finds ticks and crosses, in whichever shape, and tells them apart', () => {
    expect(found('✓; ✗', answer(['✓ ✗']))).toHaveLength(1)
    expect(found('✔ ☒', answer(['✓; ✗']))).toHaveLength(1)
    expect(found('✗; ✓', answer(['✓; ✗']))).toBeNull()
  })

  it('gives the whole answer where the words were corrected and no line has them', () => {
    const corrected = { ...answer(['tbe rnoom pvlls'], 1), text: 'the moon pulls' }
    expect(found('the moon pulls', corrected)).toEqual(['tbe rnoom pvlls'])
  })

  it('does not take the blank’s own print for the student’s words', () => {
    const filled = { text: 'Paris', evidence: lines('The capital of France is Paris'), reading: 1 }
    expect(found('The capital of France', filled)).toBeNull()
    expect(found('Paris', filled)).toHaveLength(1)
  })

  it('is quick for a long answer and a long quote that is not there', () => {
    const long = answer(Array.from({ length: 400 }, (_, i) => `line ${i} of a very long answer about nothing`))
    const quote = 'something quite different from all of this '.repeat(12)
    expect(found(quote, long)).toBeNull()
    expect(cpuTimeOf(() => found(quote, long))).toBeLessThan(2000)
  })
})
