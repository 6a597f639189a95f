import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { extractAnswers } from '../../../server/src/grader/extraction/extract-answers.ts'
import { usePaperReader } from '../../../server/src/testing/cached-paper-reader.ts'
import { drawPages, readExam, rockQuiz } from './student-exam.ts'
import { drawWrittenOn, waysToAnswer } from './written-on.ts'

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
