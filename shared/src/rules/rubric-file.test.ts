import { describe, expect, it } from 'vitest'
import type { Rubric } from '../rubrics.ts'
import { parseRubricFile, rubricToFile } from './rubric-file.ts'

const rubric: Rubric = {
  questions: [
    {
      id: 'q1',
      number: '1',
      prompt: 'Why does ice float?',
      kind: 'text',
      criteria: [
        {
          id: 'q1',
          text: 'Density',
          points: 4,
          expected: 'It is less dense.',
          alternatives: ['Lower density'],
          levels: [
            { points: 4, text: 'Says why' },
            { points: 2, text: 'Says that' },
          ],
        },
      ],
      notes: 'Spelling does not count.',
      printed_points: 4,
      regions: [{ page: 1, box: { x: 1, y: 2, width: 3, height: 4 } }],
    },
  ],
  problems: [{ id: 'general/Odd.', code: 'general', message: 'Odd.', points: 0 }],
}
const textOf = (change: object = {}) => JSON.stringify({ ...rubricToFile('Quiz 3', rubric), ...change })
const problemsOf = (text: string) => {
  const read = parseRubricFile(text, rubric)
  return 'problems' in read ? read.problems : []
}

describe('a rubric’s file', () => {
  it('is imported as it was exported, with the places the assignment knows', () => {
    expect(textOf()).not.toMatch(/regions|printed_points|problems/)
    expect(parseRubricFile(textOf(), rubric)).toEqual({
      title: 'Quiz 3',
      rubric: { questions: rubric.questions, problems: [] },
    })
    const elsewhere = parseRubricFile(textOf(), null)
    expect('rubric' in elsewhere && elsewhere.rubric.questions[0]?.regions).toEqual([])
  })

  it('says why it cannot be used', () => {
    expect(problemsOf('{"format": "assay')).toEqual([expect.stringMatching(/not a rubric file/)])
    expect(problemsOf('[1]')).toEqual([expect.stringMatching(/not a rubric file/)])
    expect(problemsOf(textOf({ format: 'assay-rubric/2' }))).toEqual([
      expect.stringMatching(/“assay-rubric\/2”, but this version of Assay reads “assay-rubric\/1”/),
    ])
    const [question] = rubric.questions
    const [criterion] = question?.criteria ?? []
    const broken = { ...question, number: '7', criteria: [{ ...criterion, points: -1 }] }
    expect(problemsOf(textOf({ questions: [broken] }))).toEqual(['Question 7, criterion 1: Points must be more than 0'])
    expect(problemsOf(textOf({ questions: [{ ...question, kind: 'riddle' }] }))).toEqual([
      expect.stringMatching(/: Unknown kind of answer: “riddle”$/),
    ])
    expect(problemsOf(textOf({ questions: [question, question] }))).toEqual([
      'Question 1: Two questions have the id q1',
      'Question 1, criterion 1: Two criteria have the id q1',
    ])
    expect(problemsOf(textOf({ questions: [] }))).toEqual(['A rubric must have at least one question'])
    expect(problemsOf(textOf({ title: undefined }))).toEqual([expect.stringMatching(/^“title” in the file: /)])
  })
})
