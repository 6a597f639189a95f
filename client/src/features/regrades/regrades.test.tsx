import { answerRegrade, listOpenRegrades, listRegrades, type OpenRegrade } from '@assay/shared/regrades.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { branded } from '../../testing/branded.ts'
import { buildRegradeRequest } from '../../testing/build-regrade.ts'
import { buildGrade, buildSubmission, buildSubmissionRow } from '../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs, teacher } from '../../testing/mock-api.ts'
import { sendEvent } from '../../testing/realtime.ts'
import { fillIn, findReview, renderPage } from '../../testing/render.tsx'
import { answerDrafts } from './answer-drafts.ts'

const request = buildRegradeRequest()

async function open(first: () => Response = () => ok(listRegrades, [request])) {
  const regrades = mockEndpoint(listRegrades, first)
  const app = renderPage('/assignments/5/submissions/31')
  await findReview()
  return { ...app, regrades, user: userEvent.setup() }
}

beforeEach(() => {
  mockEndpoint(listOpenRegrades, () => ok(listOpenRegrades, []))
  signInAs()
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission({ regrade: 'open' })))
})

function somebodyChangesPoints() {
  const [first, second] = buildGrade().criterion_grades_collection
  if (!first || !second) throw new Error('two criteria')
  const changed = buildGrade({ revision: 2, criterion_grades_collection: [first, { ...second, teacher_score: 4 }] })
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission({ regrade: 'open', grade: changed })))
}

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

  it('has its formulas drawn, and those of the answer below the field while it is typed', async () => {
    const reason = 'I wrote $\\frac{1}{2}$, not $\\oops$, and it is worth $5 and $6.'
    const { user, container } = await open(() => ok(listRegrades, [{ ...request, reason }]))
    const drawn = await waitFor(() => {
      const [formula] = container.querySelectorAll('math')
      if (!formula) throw new Error('no formula yet')
      return formula
    })
    expect(drawn.querySelector('mfrac')).not.toBeNull()
    expect(drawn.closest('p')?.textContent).toMatch(/not \$\\oops\$, and it is worth \$5 and \$6\.$/)
    const field = screen.getByRole('textbox', { name: 'Your answer' })
    await user.type(field, 'Yes, $x^2$.')
    const preview = within(await screen.findByRole('group', { name: 'Preview' }))
    expect(await preview.findByRole('math')).toBeTruthy()
  })

  it('is answered, and then shown as answered', async () => {
    const answered = { ...request, state: 'answered' as const, answer: 'I looked again.' }
    const sent = mockEndpoint(answerRegrade, () => ok(answerRegrade, answered))
    const { user } = await open()
    await fillIn(await screen.findByLabelText('Your answer'), 'I looked again.')
    mockEndpoint(listRegrades, () => ok(listRegrades, [answered]))
    await user.click(screen.getByRole('button', { name: 'Answer' }))
    await screen.findByRole('heading', { name: 'Regrade request' })
    expect(await sent[0]?.json()).toEqual({ answer: 'I looked again.', grant: null })
    expect(screen.getByText('I looked again.')).toBeTruthy()
    expect(screen.queryByLabelText('Your answer')).toBeNull()
    expect(answerDrafts.find(teacher.id, request.id)).toBe('')
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Regrade request'))
  })

  it('preserves the answer where it could not be sent', async () => {
    mockEndpoint(answerRegrade, () => errorReply('conflict', { detail: 'Somebody answered meanwhile.' }))
    const { user } = await open()
    const field = await screen.findByLabelText<HTMLTextAreaElement>('Your answer')
    await fillIn(field, 'I looked.')
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

/** About the second criterion, which has 3 of 5 points. */
const aboutSecond = buildRegradeRequest({
  criterion: { id: 7, text: 'Name the bonds in a water molecule.', criterion_id: 'q2' },
  question: { id: 'q2', number: '2' },
  points: { when_asked: 3, when_answered: null, of: 5 },
})

describe('a request about a question', () => {
  it('is answered with points in one step, which the button says', async () => {
    const sent = mockEndpoint(answerRegrade, () => ok(answerRegrade, { ...aboutSecond, state: 'answered' }))
    const { user } = await open(() => ok(listRegrades, [aboutSecond]))
    const points = await screen.findByLabelText<HTMLInputElement>('Points for question 2')
    expect(points.value).toBe('3')
    expect(screen.getByRole('button', { name: 'Answer, points stay' })).toBeTruthy()
    await user.clear(points)
    await user.type(points, '6')
    await fillIn(screen.getByLabelText('Your answer'), 'You are right.')
    await user.click(screen.getByRole('button', { name: 'Give 6 and answer' }))
    expect(screen.getByText('At most 5')).toBeTruthy()
    await user.clear(points)
    await fillIn(points, '4,5')
    await user.click(screen.getByRole('button', { name: 'Give 4.5 and answer' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toEqual({
      answer: 'You are right.',
      grant: { question_id: 'q2', points: { q2: 4.5 }, decided: null },
    })
  })

  it('is granted one more point in one step, which can be undone before the student is told', async () => {
    const sent = mockEndpoint(answerRegrade, () => ok(answerRegrade, { ...aboutSecond, state: 'answered' }))
    const { user } = await open(() => ok(listRegrades, [aboutSecond]))
    await user.click(await screen.findByRole('button', { name: 'Grant +1' }))
    await screen.findByText(/^Granted 1 more point\./)
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.queryByText(/^Granted/)).toBeNull())
    expect(sent).toEqual([])
    vi.useFakeTimers({ shouldAdvanceTime: true })
    await userEvent
      .setup({ advanceTimers: vi.advanceTimersByTime })
      .click(screen.getByRole('button', { name: 'Grant +1' }))
    await vi.advanceTimersByTimeAsync(6000)
    vi.useRealTimers()
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toEqual({
      answer: 'You get 1 more point.',
      grant: { question_id: 'q2', points: { q2: 4 }, decided: null },
    })
  })

  it('is declined with a sentence, without which nothing is sent', async () => {
    mockEndpoint(answerRegrade, () =>
      errorReply('validation_failed', {
        detail: [{ loc: ['body', 'answer'], msg: 'Write an answer for the student', type: 'x' }],
      }),
    )
    const { user, unmount } = await open(() => ok(listRegrades, [aboutSecond]))
    await user.click(await screen.findByRole('button', { name: 'Decline' }))
    await screen.findByText('Write an answer for the student')
    await fillIn(screen.getByLabelText('Your answer'), 'The unit is missing.')
    const sent = mockEndpoint(answerRegrade, () => ok(answerRegrade, { ...aboutSecond, state: 'answered' }))
    await user.click(screen.getByRole('button', { name: 'Decline' }))
    await screen.findByText(/^Declined\./)
    unmount()
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toEqual({ answer: 'The unit is missing.', grant: null })
  })

  it('keeps words and points where somebody has changed the points meanwhile, and shows these', async () => {
    mockEndpoint(answerRegrade, () => errorReply('conflict', { detail: 'Someone else has changed the points.' }))
    const { user } = await open(() => ok(listRegrades, [aboutSecond]))
    const points = await screen.findByLabelText<HTMLInputElement>('Points for question 2')
    await user.clear(points)
    await user.type(points, '5')
    await fillIn(screen.getByLabelText('Your answer'), 'You are right.')
    somebodyChangesPoints()
    await user.click(screen.getByRole('button', { name: 'Give 5 and answer' }))
    await screen.findByText('Someone else has changed the points.')
    await screen.findByText('Now 4 of 5')
    expect(points.value).toBe('5')
    expect(screen.getByLabelText<HTMLTextAreaElement>('Your answer').value).toBe('You are right.')
  })

  it('is sent by Ctrl and Enter, with points that somebody else has changed meanwhile left as they are', async () => {
    const sent = mockEndpoint(answerRegrade, () => ok(answerRegrade, { ...aboutSecond, state: 'answered' }))
    const { user } = await open(() => ok(listRegrades, [aboutSecond]))
    const points = await screen.findByLabelText<HTMLInputElement>('Points for question 2')
    somebodyChangesPoints()
    sendEvent('submission_changed', { ...buildSubmissionRow({ id: 31, assignment_id: 5 }) })
    await waitFor(() => expect(points.value).toBe('4'))
    await fillIn(screen.getByLabelText('Your answer'), 'It stays.')
    await user.keyboard('{Control>}{Enter}{/Control}')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toEqual({ answer: 'It stays.', grant: null })
  })

  it('leads to the same answer among all others, and by a key to the next request', async () => {
    const queue = [30, 31, 32].map((submission_id, i) => ({ ...aboutSecond, id: i + 3, submission_id, student: 'Ada' }))
    mockEndpoint(listOpenRegrades, () => ok(listOpenRegrades, branded<OpenRegrade[]>(queue)))
    const { user, router } = await open(() => ok(listRegrades, [aboutSecond]))
    const link = await screen.findByRole('link', { name: 'Open in Grade by question' })
    expect(link.getAttribute('href')).toBe('/assignments/5/questions/q2?answer=31')
    expect(await screen.findByRole('link', { name: '2 other open requests' })).toBeTruthy()
    await user.keyboard('r')
    await waitFor(() => expect(router.state.location.pathname).toBe('/assignments/5/submissions/32'))
  })
})

const openRequest = (id: number, student: string, number: string | null): OpenRegrade =>
  branded<OpenRegrade>({
    ...buildRegradeRequest({ id, submission_id: 30 + id, reason: `Reason of ${student}` }),
    criterion: number === null ? null : { id, text: 'Why?', criterion_id: `q${number}` },
    question: number === null ? null : { id: `q${number}`, number },
    points: number === null ? null : { when_asked: 2, when_answered: null, of: 5 },
    student,
  })

it('lists the open requests in the order they came, and those of one question', async () => {
  const all = [
    openRequest(1, 'Ada', '10'),
    openRequest(2, 'Ben', null),
    openRequest(3, 'Cleo', '2'),
    openRequest(4, 'Dan', '10'),
  ]
  mockEndpoint(listOpenRegrades, () => ok(listOpenRegrades, all))
  renderPage('/assignments/5/regrades')
  await screen.findByText('4 open requests')
  const names = () => within(screen.getAllByRole('list').at(-1) as HTMLElement).getAllByRole('link')
  expect(names().map(({ textContent }) => textContent)).toEqual(['Ada', 'Ben', 'Cleo', 'Dan'])
  expect(names()[2]?.getAttribute('href')).toBe('/assignments/5/submissions/33')
  const filters = within(screen.getByRole('group', { name: 'Show' })).getAllByRole('button')
  expect(filters.map(({ textContent }) => textContent)).toEqual([
    'All 4',
    'Question 2 1',
    'Question 10 2',
    'Whole paper 1',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Question 10 2' }))
  expect(names().map(({ textContent }) => textContent)).toEqual(['Ada', 'Dan'])
  expect(screen.getByText('2 open requests')).toBeTruthy()
})

it('says that there are none', async () => {
  mockEndpoint(listOpenRegrades, () => ok(listOpenRegrades, []))
  renderPage('/assignments/5/regrades')
  await screen.findByText('No open requests')
})
