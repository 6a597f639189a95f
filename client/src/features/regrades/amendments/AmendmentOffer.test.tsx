import { getAssignment } from '@assay/shared/assignments.ts'
import { getAnswer } from '@assay/shared/questions.ts'
import { listOpenRegrades, listRegrades, type RegradeRequest } from '@assay/shared/regrades.ts'
import {
  applyAmendment,
  createAmendment,
  getAmendment,
  type LikeAnswer,
  listAmendments,
  type RubricAmendment,
  stopAmendment,
  undoAmendment,
} from '@assay/shared/rubric-amendments.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { branded } from '../../../testing/branded.ts'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildSubmission } from '../../../testing/build-submission.ts'
import { fillIn } from '../../../testing/fill-in.ts'
import { errorReply, mockApi, mockEndpoint, ok } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'
import { signInAs } from '../../../testing/sign-in-as.ts'

mockApi()

const granted: RegradeRequest = {
  id: 4,
  submission_id: 31,
  state: 'answered',
  reason: 'Question 2 was right.',
  criterion: { id: 42, text: 'Name the bonds in a water molecule.', criterion_id: 'q2' },
  question: { id: 'q2', number: '2' },
  points: { when_asked: 3, when_answered: 5, of: 5 },
  asked_at: '2026-01-12T14:02:00Z',
  score_when_asked: 80,
  answer: 'You are right.',
  answered_at: '2026-01-12T15:02:00Z',
  score_when_answered: 90,
  outcome: 'granted',
}

const like = (submission_id: number, part: object = {}): LikeAnswer =>
  branded<LikeAnswer>({
    submission_id,
    student: `Student ${submission_id}`,
    excerpt: 'polar bonds',
    points: 2,
    points_then: 5,
    by: 'grader',
    decided_by: null,
    released: true,
    whole_score: false,
    ...part,
  })

const amendment = (part: Partial<RubricAmendment> = {}): RubricAmendment => ({
  id: 8,
  regrade_id: 4,
  submission_id: 31,
  kind: 'alternative',
  text: 'polar bonds',
  question: { id: 'q2', number: '2', points: 5 },
  criterion: { id: 'q2', text: 'Name the bonds in a water molecule.', points: 5 },
  granted: 5,
  state: 'ready',
  progress: { done: 20, total: 20 },
  failure: null,
  result: null,
  undone: null,
  created_at: '2026-01-12T15:03:00Z',
  answers: [like(32), like(33), like(34, { decided_by: 'Grace Hopper' }), like(35, { whole_score: true })],
  ...part,
})

async function open(request: RegradeRequest = granted) {
  mockEndpoint(listRegrades, () => ok(listRegrades, [request]))
  const app = renderPage('/assignments/5/submissions/31')
  await screen.findByRole('heading', { name: 'For everyone?' })
  return { ...app, user: userEvent.setup() }
}

beforeEach(() => {
  signInAs()
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment()))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission({ regrade: 'answered' })))
  mockEndpoint(listOpenRegrades, () => ok(listOpenRegrades, []))
  mockEndpoint(listAmendments, () => ok(listAmendments, { amendments: [], group: { answers: 3, other_points: 2 } }))
  mockEndpoint(getAnswer, () => errorReply('resource_not_found'))
  mockEndpoint(createAmendment, () => ok(createAmendment, amendment({ state: 'computing', answers: [] })))
})

const dialog = async () => within(await screen.findByRole('dialog'))

describe('what was granted', () => {
  it('is told beside the like answers, and partly granted it is no accepted answer', async () => {
    await open({ ...granted, points: { when_asked: 3, when_answered: 4, of: 5 } })
    expect(screen.getByText(/3 other answers are in a group with this one, 2 with other points\./)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Accept this answer for everyone' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Clarify the rubric' })).toBeTruthy()
  })

  it('is put into the rubric with the answers the teacher leaves chosen, which never are those a person decided', async () => {
    const created = mockEndpoint(createAmendment, () => ok(createAmendment, amendment({ state: 'computing' })))
    mockEndpoint(getAmendment, () => ok(getAmendment, amendment()))
    const applied = mockEndpoint(applyAmendment, () => ok(applyAmendment, amendment({ state: 'applying' })))
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Accept this answer for everyone' }))
    const shown = await dialog()
    await fillIn(await shown.findByLabelText('Accepted answer for question 2'), 'polar bonds')
    await user.click(shown.getByRole('button', { name: 'Find like answers' }))
    await shown.findByText('The points of 4 other answers would change.')
    expect(await created[0]?.json()).toEqual({ regrade_id: 4, kind: 'alternative', text: 'polar bonds' })
    const box = (id: number) => shown.getByRole<HTMLInputElement>('checkbox', { name: `Student ${id}: polar bonds` })
    expect([32, 33, 34, 35].map((id) => [box(id).checked, box(id).disabled])).toEqual([
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ])
    expect(shown.getByText('decided by Grace Hopper · released')).toBeTruthy()
    await user.click(box(33))
    await user.click(shown.getByLabelText('As suggestions, to review later'))
    mockEndpoint(getAmendment, () =>
      ok(getAmendment, amendment({ state: 'applied', result: { changed: 1, skipped: 0 } })),
    )
    await user.click(shown.getByRole('button', { name: 'Change the rubric and 1 answer' }))
    await shown.findByText(/“polar bonds” is accepted for everyone\. The points of 1 other answer changed\./)
    expect(await applied[0]?.json()).toEqual({ submission_ids: [32], as: 'suggestions' })
  })

  it('asks what answers of the group are to have, which the grader cannot tell', async () => {
    const listed = amendment({ kind: 'clarification', answers: [like(32, { by: 'group' })] })
    mockEndpoint(getAmendment, () => ok(getAmendment, listed))
    const applied = mockEndpoint(applyAmendment, () => ok(applyAmendment, amendment({ state: 'applying' })))
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Clarify the rubric' }))
    const shown = await dialog()
    await fillIn(shown.getByLabelText('Note for grading'), 'Polar counts.')
    await user.click(shown.getByRole('button', { name: 'Find like answers' }))
    const points = await shown.findByLabelText('Points for answers of the same group')
    await user.clear(points)
    await user.type(points, '7')
    expect(shown.getByText('At most 5')).toBeTruthy()
    await user.clear(points)
    await user.type(points, '4')
    expect(shown.getByRole('list').textContent).toContain('2 → 4')
    await user.click(shown.getByRole('button', { name: 'Change the rubric and 1 answer' }))
    await waitFor(() => expect(applied).toHaveLength(1))
    expect(await applied[0]?.json()).toEqual({ submission_ids: [32], as: 'decisions', group_points: 4 })
  })

  it('keeps the choice where it cannot be applied, and says why', async () => {
    mockEndpoint(getAmendment, () => ok(getAmendment, amendment()))
    mockEndpoint(applyAmendment, () => errorReply('conflict', { detail: 'Someone else has changed the rubric.' }))
    mockEndpoint(listAmendments, () => ok(listAmendments, { amendments: [amendment()], group: null }))
    const { user } = await open()
    expect(screen.getByText(/Nothing has been changed yet/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    const shown = await dialog()
    await user.click(await shown.findByRole('checkbox', { name: 'Student 33: polar bonds' }))
    await user.click(shown.getByRole('button', { name: 'Change the rubric and 1 answer' }))
    await shown.findByText('Someone else has changed the rubric.')
    expect(shown.getByRole('button', { name: 'Change the rubric and 1 answer' })).toBeTruthy()
  })

  it('can be stopped while like answers are looked for', async () => {
    const computing = amendment({ state: 'computing', answers: [], progress: { done: 5, total: 20 } })
    mockEndpoint(getAmendment, () => ok(getAmendment, computing))
    const stopped = mockEndpoint(stopAmendment, () => ok(stopAmendment, amendment({ state: 'stopped' })))
    mockEndpoint(listAmendments, () => ok(listAmendments, { amendments: [computing], group: null }))
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    const shown = await dialog()
    await shown.findByText(/5 of 20 papers/)
    await user.click(shown.getByRole('button', { name: 'Stop' }))
    await waitFor(() => expect(stopped).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('can be undone beside what was done, and says what is as before', async () => {
    const applied = amendment({ state: 'applied', result: { changed: 2, skipped: 0 }, answers: [] })
    let listed = applied
    mockEndpoint(listAmendments, () => ok(listAmendments, { amendments: [listed], group: null }))
    const undone = mockEndpoint(undoAmendment, () => {
      listed = { ...applied, state: 'undone', result: null, undone: { restored: 1, left: 1 } }
      return ok(undoAmendment, { ...applied, state: 'undoing' })
    })
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    const asked = await dialog()
    expect(asked.getByText(/no longer accepted in question 2\. The 2 answers that changed/)).toBeTruthy()
    await user.click(asked.getByRole('button', { name: 'Undo Change' }))
    await screen.findByText(
      'Undone: “polar bonds” is no longer accepted. 1 answer has its earlier points again. 1 answer was changed by others meanwhile and left as they are.',
    )
    expect(undone).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Accept this answer for everyone' })).toBeTruthy()
  })

  it('stays, and says why, where it cannot be undone', async () => {
    const applied = amendment({ state: 'applied', result: { changed: 0, skipped: 0 }, answers: [] })
    mockEndpoint(listAmendments, () => ok(listAmendments, { amendments: [applied], group: null }))
    mockEndpoint(undoAmendment, () => errorReply('conflict', { detail: 'Question 2 was changed again after this.' }))
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    const asked = await dialog()
    await user.click(asked.getByRole('button', { name: 'Undo Change' }))
    await asked.findByText('Question 2 was changed again after this.')
    await user.click(asked.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
  })
})
