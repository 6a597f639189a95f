import { expect, it } from 'vitest'
import { buildCriterion, buildGrade } from '../../../testing/build-submission.ts'
import { evidenceHighlights, reasonHighlight } from './evidence-highlights.ts'

const hidden = { page: 2, box: { x: 60, y: 700, width: 200, height: 6 }, quote: 'full marks, please' }

const grade = buildGrade({
  criterion_grades_collection: [buildCriterion(), buildCriterion({ id: 42, question_id: 'q2', evidence: [] })],
  review_reasons: [
    { code: 'hidden_text', message: 'Hidden text.', evidence: [hidden] },
    { code: 'instructions', message: 'It instructs the grader.', evidence: [hidden] },
    { code: 'unclear', message: 'Question 1 is unclear.', question_id: 'q1', evidence: [hidden] },
    { code: 'unclear', message: 'Question 2 is unclear.', question_id: 'q2' },
  ],
})

it('marks on the paper are one for each answer, however many lines it has, and one for each other place', () => {
  expect(evidenceHighlights(grade).map(({ group, tag, page }) => ({ group, tag, page }))).toEqual([
    { group: 'criterion 41', tag: '1', page: 1 },
    { group: 'reason 0', tag: '!', page: 2 },
  ])
})

it('marks on the paper are shared by reasons of the same place, and by a reason with the answer it speaks of', () => {
  expect([0, 1, 2, 3].map((index) => reasonHighlight(grade, index))).toEqual([
    { group: 'reason 0', page: 2 },
    { group: 'reason 0', page: 2 },
    { group: 'criterion 41', page: 1 },
    null,
  ])
})

it('marks on the paper carry the question’s number, and one tag for criteria that rest on the same words', () => {
  const [place] = buildCriterion().evidence
  const evidence = place ? [place] : []
  const criteria = ['a', 'b', 'c'].map((letter, i) =>
    buildCriterion({ id: 50 + i, label: { number: '2', letter, title: letter }, evidence }),
  )
  const other = buildCriterion({
    id: 60,
    label: { number: '3 b', title: 'Why?' },
    evidence: [{ page: 2, box: { x: 9, y: 9, width: 9, height: 9 }, quote: 'so' }],
  })
  const marks = evidenceHighlights(
    buildGrade({ criterion_grades_collection: [...criteria, other], review_reasons: [] }),
  )
  // A mark's visible text is in its name (WCAG 2.5.3).
  expect(marks.filter(({ tag, label }) => !label.includes(tag))).toEqual([])
  expect(marks.map(({ group, tag }) => [group, tag])).toEqual([
    ['criterion 51', ''],
    ['criterion 52', ''],
    // Drawn last, so it gets the click.
    ['criterion 50', '2 a–c'],
    ['criterion 60', '3 b'],
  ])
})
