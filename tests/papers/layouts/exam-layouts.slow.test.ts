import type { Paper } from '@assay/shared/papers.ts'
import { describe, expect, it } from 'vitest'
import { extractAnswers } from '../../../server/src/grader/extraction/extract-answers.ts'
import { generateRubric } from '../../../server/src/grader/rubric/generate-rubric.ts'
import { usePaperReader } from '../../../server/src/testing/cached-paper-reader.ts'
import { longExam } from '../long-exam.ts'
import { drawLayoutBlank, drawLayoutKey, drawLayoutPaper, type ExamLayout } from './exam-layout.ts'
import { examLayouts } from './exam-layouts.ts'

const { reader, papers } = usePaperReader()
const read = async (bytes: Buffer): Promise<Paper> => reader.read(await papers.put(bytes))

describe.each([...examLayouts, longExam])('an exam with $name', (layout: ExamLayout) => {
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
      layout.questions.map(({ number, kind = 'text', points, expected }) =>
        withoutCase({ number, kind, points, expected }),
      ),
    )
    const { answers } = extractAnswers(rubric, blank, paper)
    expect(answers.map(({ text }) => text)).toEqual(layout.questions.map(({ answer }) => answer))
  })
})

const withoutCase = <T extends { number: string }>(question: T): T => ({
  ...question,
  number: question.number.toLowerCase(),
})
