import { afterAll, beforeAll, expect, it } from 'vitest'
import { extractAnswers } from '../../server/src/grader/extraction/extract-answers.ts'
import { generateRubric } from '../../server/src/grader/rubric/generate-rubric.ts'
import { createPaperReader } from '../../server/src/papers/paper-reader.ts'
import { drawLayoutBlank, drawLayoutKey, drawLayoutPaper } from './layouts/exam-layout.ts'
import { longExam } from './long-exam.ts'
import { createPaperFolder } from './temporary-papers.ts'

const reader = createPaperReader({ processes: 1 })
let folder: Awaited<ReturnType<typeof createPaperFolder>>
beforeAll(async () => {
  folder = await createPaperFolder()
})
afterAll(async () => {
  await reader.close()
  await folder.remove()
})

it('reads twelve pages with forty parts, some of which stand where others have a header', async () => {
  const [blank, key, paper] = await Promise.all(
    [drawLayoutBlank(longExam), drawLayoutKey(longExam), drawLayoutPaper(longExam)].map(async (bytes) =>
      reader.read(await folder.put(await bytes)),
    ),
  )
  if (!blank || !key || !paper) throw new Error('three papers')
  const rubric = generateRubric(blank, key)
  expect(blank.pages).toHaveLength(12)
  expect(rubric.questions.map(({ number }) => number)).toEqual(longExam.questions.map(({ number }) => number))
  expect(rubric.problems).toEqual([])
  expect(extractAnswers(rubric, blank, paper).answers.map(({ text }) => text)).toEqual(
    longExam.questions.map(({ answer }) => answer),
  )
})
