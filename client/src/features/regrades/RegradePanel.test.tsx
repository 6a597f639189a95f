import { getAssignment } from '@assay/shared/assignments.ts'
import { getCsrfToken, getDemo, getMe } from '@assay/shared/auth.ts'
import { answerRegrade, listRegrades, type RegradeRequest } from '@assay/shared/regrades.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildSubmission } from '../../testing/build-submission.ts'
import { errorReply, mockApi, mockEndpoint, ok, teacher } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'
import { answerDrafts } from './answer-drafts.ts'

mockApi()

const request: RegradeRequest = {
  id: 4,
  submission_id: 31,
  state: 'open',
  reason: 'Question 2 was right.',
  criterion: null,
  asked_at: '2026-01-12T14:02:00Z',
  score_when_asked: 82.5,
  answer: null,
  answered_at: null,
  score_when_answered: null,
  question: null,
  points: null,
  outcome: null,
}

async function open(first: () => Response = () => ok(listRegrades, [request])) {
  const regrades = mockEndpoint(listRegrades, first)
  const app = renderApp('/assignments/5/submissions/31')
  await screen.findByTestId('paper')
  return { ...app, regrades, user: userEvent.setup() }
}

beforeEach(() => {
  tokenStore.set('token-1')
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [] }))
  mockEndpoint(getMe, () => ok(getMe, teacher))
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment()))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission({ regrade: 'open' })))
})

describe('a student’s regrade request', () => {
  it('is shown above the grade in the student’s words, and requires a written answer', async () => {
    const sent = mockEndpoint(answerRegrade, () => ok(answerRegrade, { ...request, state: 'answered' }))
    const { user } = await open()
    await screen.findByRole('heading', { name: 'Regrade requested' })
    expect(screen.getByText('Question 2 was right.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Answer' }))
    expect(await screen.findByText('Write an answer for the student')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Your answer'))
    expect(sent).toEqual([])
  })

  it('is answered, and then shown as answered', async () => {
    const answered = { ...request, state: 'answered' as const, answer: 'I looked again.' }
    const sent = mockEndpoint(answerRegrade, () => ok(answerRegrade, answered))
    const { user } = await open()
    await user.type(await screen.findByLabelText('Your answer'), 'I looked again.')
    mockEndpoint(listRegrades, () => ok(listRegrades, [answered]))
    await user.click(screen.getByRole('button', { name: 'Answer' }))
    await screen.findByRole('heading', { name: 'Regrade request' })
    expect(await sent[0]?.json()).toEqual({ answer: 'I looked again.' })
    expect(screen.getByText('I looked again.')).toBeTruthy()
    expect(screen.queryByLabelText('Your answer')).toBeNull()
    expect(answerDrafts.find(teacher.id, request.id)).toBe('')
  })

  it('preserves the answer where it could not be sent', async () => {
    mockEndpoint(answerRegrade, () => errorReply('conflict', { detail: 'Somebody answered meanwhile.' }))
    const { user } = await open()
    const field = await screen.findByLabelText<HTMLTextAreaElement>('Your answer')
    await user.type(field, 'I looked.')
    await user.click(screen.getByRole('button', { name: 'Answer' }))
    expect(await screen.findByText('Somebody answered meanwhile.')).toBeTruthy()
    expect(field.value).toBe('I looked.')
    expect(answerDrafts.find(teacher.id, request.id)).toBe('I looked.')
  })

  it('says where it cannot be loaded, and loads it when asked again', async () => {
    const { user } = await open(() => errorReply('service_unavailable'))
    await screen.findByText('Failed to Load the Request')
    mockEndpoint(listRegrades, () => ok(listRegrades, [request]))
    await user.click(screen.getByRole('button', { name: 'Try Again' }))
    await waitFor(() => expect(screen.getByText('Question 2 was right.')).toBeTruthy())
  })
})
