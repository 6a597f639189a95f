import { getAnswer } from '@assay/shared/questions.ts'
import { listOpenRegrades, listRegrades, type RegradeRequest } from '@assay/shared/regrades.ts'
import {
  applyAmendment,
  type LikeAnswer,
  listAmendments,
  previewAmendment,
  type RubricAmendment,
  undoAmendment,
} from '@assay/shared/rubric-amendments.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { branded } from '../../../testing/branded.ts'
import { buildRegradeRequest } from '../../../testing/build-regrade.ts'
import { buildSubmission } from '../../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../../testing/render.tsx'

const granted = buildRegradeRequest({
  state: 'answered',
  criterion: { id: 42, text: 'Name the bonds in a water molecule.', criterion_id: 'q2' },
  question: { id: 'q2', number: '2' },
  points: { when_asked: 3, when_answered: 5, of: 5 },
  score_when_asked: 80,
  answer: 'You are right.',
  answered_at: '2026-01-12T15:02:00Z',
  score_when_answered: 90,
  outcome: 'granted',
})

const like = (submission_id: number, part: object = {}): LikeAnswer =>
  branded<LikeAnswer>({
    submission_id,
    student: `Student ${submission_id}`,
    excerpt: 'polar bonds',
    points: 2,
    points_then: 5,
    by: 'grader',
    decided: null,
    decided_by: null,
    released: true,
    whole_score: false,
    ...part,
  })

const preview = {
  rubric_version: 3,
  criterion: { id: 'q2', points: 5 },
  granted: 5,
  answers: [
    like(32),
    like(33),
    like(34, { decided: { q2: 2 }, decided_by: 'Grace Hopper' }),
    like(35, { whole_score: true }),
  ],
}

const applied = (changed: number): RubricAmendment => ({
  id: 8,
  kind: 'alternative',
  text: 'polar bonds',
  question: { id: 'q2', number: '2' },
  state: 'applied',
  result: { changed, skipped: 0 },
  undone: null,
  created_at: '2026-01-12T15:03:00Z',
})

async function open(request: RegradeRequest = granted) {
  mockEndpoint(listRegrades, () => ok(listRegrades, [request]))
  const app = renderPage('/assignments/5/submissions/31')
  await screen.findByRole('heading', { name: 'For everyone?' })
  return { ...app, user: userEvent.setup() }
}

beforeEach(() => {
  signInAs()
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission({ regrade: 'answered' })))
  mockEndpoint(listOpenRegrades, () => ok(listOpenRegrades, []))
  mockEndpoint(listAmendments, () => ok(listAmendments, { amendments: [], group: { answers: 3, other_points: 2 } }))
  mockEndpoint(getAnswer, () => errorReply('resource_not_found'))
  mockEndpoint(previewAmendment, () => ok(previewAmendment, preview))
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
    const asked = mockEndpoint(previewAmendment, () => ok(previewAmendment, preview))
    const sent = mockEndpoint(applyAmendment, () => ok(applyAmendment, applied(1)))
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Accept this answer for everyone' }))
    const shown = await dialog()
    await fillIn(await shown.findByLabelText('Accepted answer for question 2'), 'polar bonds')
    await user.click(shown.getByRole('button', { name: 'Find like answers' }))
    await shown.findByText('The points of 4 other answers would change.')
    const words = { regrade_id: 4, kind: 'alternative', text: 'polar bonds' }
    expect(await asked[0]?.json()).toEqual(words)
    const box = (id: number) => shown.getByRole<HTMLInputElement>('checkbox', { name: `Student ${id}: polar bonds` })
    expect([32, 33, 34, 35].map((id) => [box(id).checked, box(id).disabled])).toEqual([
      [true, false],
      [true, false],
      [false, false],
      [false, true],
    ])
    expect(shown.getByText('decided by Grace Hopper · released')).toBeTruthy()
    await user.click(box(33))
    await user.click(box(34))
    await user.click(shown.getByRole('button', { name: 'Change the rubric and 2 answers' }))
    await shown.findByText(/“polar bonds” is accepted for everyone\. The points of 1 other answer changed\./)
    expect(await sent[0]?.json()).toEqual({
      ...words,
      rubric_version: 3,
      answers: [
        { submission_id: 32, decided: null },
        { submission_id: 34, decided: { q2: 2 } },
      ],
    })
  })

  it('asks what answers of the group are to have, which the grader cannot tell', async () => {
    mockEndpoint(previewAmendment, () => ok(previewAmendment, { ...preview, answers: [like(32, { by: 'group' })] }))
    const sent = mockEndpoint(applyAmendment, () => ok(applyAmendment, applied(1)))
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
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toMatchObject({ answers: [{ submission_id: 32, decided: null }], group_points: 4 })
  })

  it('keeps the choice where it cannot be applied, and says why', async () => {
    mockEndpoint(applyAmendment, () => errorReply('conflict', { detail: 'Someone else has changed the rubric.' }))
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Clarify the rubric' }))
    const shown = await dialog()
    await user.type(shown.getByLabelText('Note for grading'), 'Polar counts.')
    await user.click(shown.getByRole('button', { name: 'Find like answers' }))
    await user.click(await shown.findByRole('checkbox', { name: 'Student 33: polar bonds' }))
    await user.click(shown.getByRole('button', { name: 'Change the rubric and 1 answer' }))
    await shown.findByText('Someone else has changed the rubric.')
    expect(shown.getByRole('button', { name: 'Change the rubric and 1 answer' })).toBeTruthy()
  })

  it('can be undone beside what was done, and says what is as before', async () => {
    let listed = applied(2)
    mockEndpoint(listAmendments, () => ok(listAmendments, { amendments: [listed], group: null }))
    const undone = mockEndpoint(undoAmendment, () => {
      listed = { ...listed, state: 'undone', result: null, undone: { restored: 1, left: 1 } }
      return ok(undoAmendment, listed)
    })
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    const asked = await dialog()
    expect(asked.getByText(/no longer accepted in question 2\. It changed 2 other answers/)).toBeTruthy()
    await user.click(asked.getByRole('button', { name: 'Undo Change' }))
    await screen.findByText(
      'Undone: “polar bonds” is no longer accepted. 1 answer has its earlier points again. 1 answer was changed by others meanwhile and left as they are.',
    )
    expect(undone).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Accept this answer for everyone' })).toBeTruthy()
  })

  it('stays, and says why, where it cannot be undone', async () => {
    mockEndpoint(listAmendments, () => ok(listAmendments, { amendments: [applied(0)], group: null }))
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
