import { overrideGrade, type UnscoredReason } from '@assay/shared/grades.ts'
import { getSubmission, listSubmissionIds, type Submission } from '@assay/shared/submissions.ts'
import type { Unbranded } from '@assay/shared/users.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildCriterion, buildGrade, buildSubmission } from '../../../testing/build-submission.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { findReview, renderPage } from '../../../testing/render.tsx'

const unscored = (id: number, reason: UnscoredReason) =>
  buildCriterion({
    id,
    criterion_id: `q${id}`,
    question_id: `q${id}`,
    criterion_text: `Task ${id}`,
    score: null,
    unscored_reason: reason,
    llm_performance_level: null,
    llm_feedback: '',
    confidence: 0,
    evidence: [{ page: 1, box: { x: 0, y: 300, width: 500, height: 90 }, quote: '' }],
  })
const grade = buildGrade({
  overall_score: 60,
  final_score_after_review: 60,
  unscored_points: 10,
  criterion_grades_collection: [
    unscored(1, 'unreadable'),
    buildCriterion({ id: 2, criterion_id: 'q2' }),
    unscored(3, 'not_found'),
  ],
})
const list = '/assignments/5/submissions'

function serve(...papers: Submission[]) {
  let stored = grade
  mockEndpoint(getSubmission, ({ url }) => {
    const found = papers.find(({ id }) => id === Number(url.pathname.split('/').at(-1)))
    if (!found) return errorReply('resource_not_found')
    return ok(getSubmission, found.id === 31 && sent.length > 0 ? { ...found, grade: stored } : found)
  })
  const sent = mockBodies(overrideGrade, (body) => {
    const given = new Map(body.criteria?.map(({ criterion_id, score }) => [criterion_id, score ?? undefined]))
    stored = buildGrade({
      ...stored,
      revision: stored.revision + 1,
      unscored_points: stored.unscored_points - 5 * given.size,
      criterion_grades_collection: stored.criterion_grades_collection.map((criterion) => {
        const teacher_score = given.get(criterion.criterion_id)
        return teacher_score === undefined ? criterion : { ...criterion, teacher_score }
      }),
    })
    return ok(overrideGrade, stored)
  })
  return sent
}

const names: Record<number, string> = { 31: 'Ada Mutombo', 32: 'Ben Okri' }
const paper = (id: number, part: Partial<Unbranded<Submission>> = {}) =>
  buildSubmission({ id, grade, student: { id, username: `s${id}`, full_name: names[id] ?? null }, ...part })

async function open(search = '') {
  renderPage(`${list}/31${search}`)
  await screen.findByRole('heading', { name: 'Ada Mutombo' })
  await findReview()
}

const field = (task: number) => screen.getByRole('textbox', { name: new RegExp(`^Your points for “Task ${task}”`) })

beforeEach(() => signInAs())

it('says why there is no score, and how many points are missing; nothing is approved', async () => {
  const sent = serve(paper(31), paper(32))
  await open()
  expect(screen.getByText('Not graded yet: The answer was not read. Grade it by hand.')).toBeTruthy()
  expect(screen.getByText('Not graded yet: Couldn’t find this question on the paper.')).toBeTruthy()
  expect(screen.getByText('10 points still to grade by hand')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  // The keys of the list work until somebody goes to a field.
  expect(document.activeElement).toBe(document.body)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await screen.findByRole('heading', { name: 'Ben Okri' })
  expect(sent).toEqual([])
})

it('takes points without opening the form, from field to field, and shows where each answer is', async () => {
  const sent = serve(paper(31), paper(32))
  await open()
  const user = userEvent.setup()
  await user.keyboard('h')
  expect(document.activeElement).toBe(field(1))
  expect(screen.getByTestId('paper').dataset.look).toBe('criterion 1')
  await user.keyboard('2{Enter}')
  expect(document.activeElement).toBe(field(3))
  expect(screen.getByTestId('paper').dataset.look).toBe('criterion 3')
  expect(screen.queryByLabelText('Manual override score')).toBeNull()
  await user.keyboard('4.5{Enter}')
  await waitFor(() =>
    expect(sent).toMatchObject([
      { overall_score: null, reviewed: false, criteria: [{ criterion_id: 'q1', score: 2 }] },
      { overall_score: null, reviewed: false, criteria: [{ criterion_id: 'q3', score: 4.5 }] },
    ]),
  )
  await screen.findByRole('button', { name: 'Approve' })
  expect(document.activeElement).toBe(field(3))
})

it('begins at the first answer in the queue, and goes on to the next paper in it', async () => {
  serve(paper(31, { grade: buildGrade() }), paper(32))
  mockEndpoint(listSubmissionIds, () =>
    ok(
      listSubmissionIds,
      [7, 32].map((id) => ({ id, grade: null })),
    ),
  )
  await open('?status=by_hand')
  await userEvent.keyboard('h')
  await screen.findByRole('heading', { name: 'Ben Okri' })
  await waitFor(() => expect(document.activeElement).toBe(field(1)))
})

it('says when no other paper is left to grade by hand', async () => {
  serve(paper(31, { grade: buildGrade() }))
  mockEndpoint(listSubmissionIds, () => ok(listSubmissionIds, [{ id: 31, grade: null }]))
  await open()
  await userEvent.keyboard('h')
  await screen.findByText('No other paper has answers to grade by hand.')
})
