import type { Paper } from '@assay/shared/papers.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extractAnswers } from '../../../server/src/grader/extraction/extract-answers.ts'
import { generateRubric } from '../../../server/src/grader/rubric/generate-rubric.ts'
import { createPaperReader } from '../../../server/src/papers/paper-reader.ts'
import { createPaperFolder } from '../temporary-papers.ts'
import { drawLayoutBlank, drawLayoutKey, drawLayoutPaper, type ExamLayout } from './exam-layout.ts'
import { examLayouts } from './exam-layouts.ts'

const reader = createPaperReader({ processes: 1 })
let folder: Awaited<ReturnType<typeof createPaperFolder>>
beforeAll(async () => {
  folder = await createPaperFolder()
})
afterAll(async () => {
  await reader.close()
  await folder.remove()
})

const read = async (bytes: Buffer): Promise<Paper> => reader.read(await folder.put(bytes))

describe.each(examLayouts.map((layout) => [layout.name, layout] as const))(
  'an exam with %s',
  (_, layout: ExamLayout) => {
    it('gives its questions, points, kinds and expected answers, and a student’s answers', async () => {
      const [blank, key, paper] = [
        await read(await drawLayoutBlank(layout)),
        await read(await drawLayoutKey(layout)),
        await read(await drawLayoutPaper(layout)),
      ]
      const rubric = generateRubric(blank, key)
      const made = rubric.questions.map(({ number, kind, criteria }) => ({
        number,
        kind,
        points: criteria.reduce((sum, criterion) => sum + criterion.points, 0),
        expected: criteria.map(({ expected }) => expected).join(' '),
      }))
      expect(made.map(withoutCase)).toEqual(
        layout.questions.map(({ number, kind, points, expected }) => withoutCase({ number, kind, points, expected })),
      )
      const { answers } = extractAnswers(rubric, blank, paper)
      expect(answers.map(({ text }) => text)).toEqual(layout.questions.map(({ answer }) => answer))
    })
  },
)

const withoutCase = <T extends { number: string }>(question: T): T => ({
  ...question,
  number: question.number.toLowerCase(),
})
