import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawWorksheet, drawWorksheetKey } from '../../../../tests/papers/draw-worksheet.ts'
import { type ScanOptions, simulateScan } from '../../../../tests/papers/scan.ts'
import { createCachedPaperReader, usePaperReader } from '../../testing/cached-paper-reader.ts'
import type { ExtractedSubmission } from '../grader.ts'
import { generateRubric } from '../rubric/generate-rubric.ts'
import { answerState } from './answer-state.ts'
import { extractAnswers } from './extract-answers.ts'

const { reader, papers } = usePaperReader(createCachedPaperReader())
let blank: Paper
let rubric: Rubric

const read = async (bytes: Buffer): Promise<Paper> => reader.read(await papers.put(bytes))
const scanned = async (options: ScanOptions, what: Parameters<typeof drawWorksheet>[0]): Promise<ExtractedSubmission> =>
  extractAnswers(rubric, blank, await read(await simulateScan(await drawWorksheet(what), options)))

beforeAll(async () => {
  blank = await read(await drawWorksheet({ answered: false }))
  rubric = generateRubric(blank, await read(await drawWorksheetKey()))
})

describe.each([
  ['straight', { seed: 3, skew: 0.2, dpi: 200 }, false],
  ['crooked, in the shade', { seed: 4, skew: -1.4, shade: 0.5, dpi: 180 }, true],
])('a printed sheet with answers, scanned %s', (_, options, tickInBox) => {
  let extracted: ExtractedSubmission
  beforeAll(async () => {
    extracted = await scanned(options, { answered: true, tickInBox })
  })
  const textOf = (number: string) =>
    extracted.answers[rubric.questions.findIndex((question) => question.number === number)]?.text

  it('tells the ringed letter from one crossed out, and the ticked box from empty ones', () => {
    expect([textOf('1'), textOf('2')]).toEqual(['B', 'left'])
  })

  it('reads what stands on dotted and ruled lines and in a gap, without what is crossed out', () => {
    expect(textOf('3')).toMatch(/^The heavy keel hangs deep and\npulls the boat upright again\.?$/)
    expect([textOf('4'), textOf('5'), textOf('8')]).toEqual(['sheet', '4 knots', 'green'])
  })

  it('says what is empty and what could not be read', () => {
    const states = new Map(rubric.questions.map(({ number }, i) => [number, extracted.answers[i]]))
    expect(answerState(states.get('6'))).toBe('empty')
    expect(answerState(states.get('7'))).toBe('unreadable')
    expect(states.get('7')?.evidence.every(({ page, box }) => page === 1 && box.y > 540 && box.y < 620)).toBe(true)
  })
})

it('finds nothing on a scan of the blank sheet', async () => {
  const { answers } = await scanned({ seed: 5, skew: 0.8, dpi: 200 }, { answered: false })
  expect(answers.map(answerState)).toEqual(rubric.questions.map(() => 'empty'))
})
