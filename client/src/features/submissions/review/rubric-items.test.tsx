import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { DecisionResult } from '@assay/shared/questions.ts'
import {
  applyRubricItem,
  createRubricItem,
  listRubricItems,
  type RubricItem,
  searchCommentBank,
} from '@assay/shared/rubric-items.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildCriterion, buildGrade, buildSubmission } from '../../../testing/build-submission.ts'
import { mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { findReview, renderPage } from '../../../testing/render.tsx'

const unit: RubricItem = {
  id: 1,
  criterion_id: 'q1',
  kind: 'takes',
  points: 1,
  text: 'The unit is missing.',
  revision: 1,
  answers: 2,
}
const praise: RubricItem = { ...unit, id: 2, kind: 'comment', points: 0, text: 'Well put.' }

beforeEach(() => {
  signInAs()
  mockEndpoint(listRubricItems, () => ok(listRubricItems, [unit, praise]))
})

/** The first criterion is `before`, and `after` once something was sent. */
async function open(
  before: Partial<CriterionGrade>,
  after: Partial<CriterionGrade>,
  part: Partial<DecisionResult> = {},
) {
  const sent = mockEndpoint(applyRubricItem, () =>
    ok(applyRubricItem, { change_id: 1, changed: [31], conflicts: [], unavailable: [], ...part }),
  )
  mockEndpoint(getSubmission, () => {
    const criterion = buildCriterion(sent.length > 0 ? after : before)
    return ok(getSubmission, buildSubmission({ grade: buildGrade({ criterion_grades_collection: [criterion] }) }))
  })
  renderPage('/assignments/5/submissions/31')
  await findReview()
  await userEvent.keyboard('1')
  await screen.findByRole('list', { name: 'Rubric items' })
  return sent
}

const item = (name: RegExp) => screen.getByRole('button', { name })
const given = { id: 1, kind: 'takes' as const, points: 1, text: 'The unit is missing.' }

it('gives an item to the chosen criterion of one paper, whose words take the place of the AI’s', async () => {
  const sent = await open({}, { teacher_score: 4, items: [given] })
  expect(screen.getByText(/say why the molecules are apart/)).toBeTruthy()
  await userEvent.click(item(/^Takes off 1 point/))
  expect(await sent[0]?.json()).toEqual({ applied: true, answers: [{ submission_id: 31, decided: null, items: [] }] })
  await waitFor(() => expect(item(/^Takes off 1 point/).getAttribute('aria-pressed')).toBe('true'))
  expect(screen.queryByText(/say why the molecules are apart/)).toBeNull()
})

it('takes an item away, and says so where somebody else was first', async () => {
  const conflict = { submission_id: 31, decided: { q1: 2 }, decided_by: 'Grace Hopper' }
  const sent = await open(
    { teacher_score: 4, items: [given] },
    { teacher_score: 2 },
    { changed: [], conflicts: [conflict] },
  )
  await userEvent.click(item(/^Takes off 1 point/))
  expect(await sent[0]?.json()).toEqual({
    applied: false,
    answers: [{ submission_id: 31, decided: { q1: 4 }, items: [1] }],
  })
  await screen.findByText('Somebody else has changed this grade. It is shown as it is now.')
  expect(item(/^Takes off 1 point/).getAttribute('aria-pressed')).toBe('false')
})

it('adds an item to the criterion, which can then be given', async () => {
  const listed: RubricItem[] = []
  mockEndpoint(listRubricItems, () => ok(listRubricItems, listed))
  mockEndpoint(searchCommentBank, () => ok(searchCommentBank, []))
  const made = mockEndpoint(createRubricItem, () => {
    listed.push(unit)
    return ok(createRubricItem, unit)
  })
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission()))
  renderPage('/assignments/5/submissions/31')
  await findReview()
  await userEvent.keyboard('1')
  await userEvent.click(screen.getByRole('button', { name: 'Add a rubric item' }))
  await userEvent.type(await screen.findByLabelText('What the student reads'), 'The unit is missing.{Enter}')
  await screen.findByRole('button', { name: /^Takes off 1 point/ })
  const { criterion_id, kind, points, text } = unit
  expect(await made[0]?.json()).toEqual({ criterion_id, kind, points, text })
})

it('waits with items while something is typed and not saved', async () => {
  const sent = await open({}, {})
  await userEvent.keyboard('e')
  await screen.findByText('Save or discard your changes to give rubric items.')
  await userEvent.click(item(/^Comment/))
  expect(sent).toEqual([])
})
