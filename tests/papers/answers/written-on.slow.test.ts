import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extractAnswers } from '../../../server/src/grader/extraction/extract-answers.ts'
import { generateRubric } from '../../../server/src/grader/rubric/generate-rubric.ts'
import { createPaperReader } from '../../../server/src/papers/paper-reader.ts'
import type { ExamPages } from '../layouts/exam-layout.ts'
import { createPaperFolder } from '../temporary-papers.ts'
import { drawPages, rockQuiz } from './student-exam.ts'
import { drawWrittenOn, waysToAnswer } from './written-on.ts'

const reader = createPaperReader({ processes: 1 })
let folder: Awaited<ReturnType<typeof createPaperFolder>>
let blank: Paper
let rubric: Rubric

const read = async (draw: (pages: ExamPages) => void): Promise<Paper> =>
  reader.read(await folder.put(await drawPages(draw)))

beforeAll(async () => {
  folder = await createPaperFolder()
  blank = await read((pages) => rockQuiz.drawBlank(pages))
  rubric = generateRubric(blank, await read((pages) => rockQuiz.drawKey(pages)))
})
afterAll(async () => {
  await reader.close()
  await folder.remove()
})

describe('a quiz answered on its own pages', () => {
  it.each(waysToAnswer.map((way) => [way.name, way] as const))('gives one answer, by %s', async (_, way) => {
    const { answers } = extractAnswers(rubric, blank, await read((pages) => drawWrittenOn(pages, way)))
    expect(answers.map(({ text }) => text)).toEqual(
      rockQuiz.numbers.map((number) => (number === way.question ? way.answer : '')),
    )
  })
})
