import { expect, it } from 'vitest'
import { type CodedSheet, countPlacedAnswers } from '../../../../tests/papers/coded-answers.ts'
import { createCachedPaperReader, usePaperReader } from '../../testing/cached-paper-reader.ts'

const { reader, papers } = usePaperReader(createCachedPaperReader())

const sheets: [string, CodedSheet][] = [
  ['askew', { scan: { turned: 5, dpi: 150 }, shift: 1 }],
  ['upside down', { scan: { turned: 177, dpi: 150 }, shift: 2 }],
  ['on its side', { scan: { turned: 90, dpi: 150 }, shift: 3 }],
]

it.each(sheets)(
  'gives answers that repeat other questions to the question above them, by the code of a page scanned %s',
  async (_, sheet) => {
    const { answers, byMarks } = await countPlacedAnswers([sheet], reader, papers)
    expect(byMarks).toBe(answers)
  },
)
