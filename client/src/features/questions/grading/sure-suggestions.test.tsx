import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import {
  decideAnswers,
  getQuestion,
  listQuestions,
  type QuestionToGrade,
  undoQuestionChange,
} from '@assay/shared/questions.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { buildQuestionProgress, buildQuestionToGrade } from '../../../testing/build-question.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  signInAs()
})

type Sent = BodyOf<typeof decideAnswers>

function serveDecisions() {
  const sent: { ids: number[]; points: Sent['points'] }[] = []
  mockBodies(decideAnswers, ({ answers, points }) => {
    const ids = answers.map(({ submission_id }) => submission_id)
    sent.push({ ids, points })
    return ok(decideAnswers, { change_id: sent.length, changed: ids, conflicts: [], unavailable: [] })
  })
  return sent
}

/** 17 is in doubt, 16 is flagged; 11 was decided by a person. */
function buildUnsure(): QuestionToGrade {
  const question = buildQuestionToGrade()
  const answers = question.answers.map((answer) => {
    if (answer.submission_id === 11) return { ...answer, decided: { q3: 4 }, decided_by: 'Martin Keller' }
    return answer.submission_id === 17 ? { ...answer, confidence: 0.89 } : answer
  })
  return { ...question, answers }
}

async function open(question = buildUnsure()) {
  const asked = mockEndpoint(getQuestion, () => ok(getQuestion, question))
  renderPage('/assignments/5/questions/q3')
  await screen.findByRole('heading', { name: 'Question 3' })
  return asked
}

const openGroup = () => document.querySelector('[role=option][data-open]')?.textContent

it('accepts all suggestions the grader is sure of at once, leaves the others to be looked at, and takes it back', async () => {
  const sent = serveDecisions()
  await open()
  await screen.findByText('The grader is confident in 5 answers. 2 others need your eye.')
  await userEvent.keyboard('A')
  await waitFor(() => expect(sent).toEqual([{ ids: [12, 13, 14, 15, 18], points: 'suggested' }]))
  expect(screen.getByText('3 of 4 groups decided')).toBeTruthy()
  expect(openGroup()).toContain('12')
  await screen.findByText('5 suggestions accepted. 2 answers are left for you to look at.')
  const undone = mockEndpoint(undoQuestionChange, {
    change_id: null,
    changed: [12],
    conflicts: [],
    unavailable: [],
    undo: null,
  })
  await userEvent.click(screen.getAllByRole('button', { name: 'Undo' })[1] as HTMLElement)
  await waitFor(() => expect(undone).toHaveLength(1))
  await screen.findByText('The grader is confident in 5 answers. 2 others need your eye.')
})

it('says that suggestions may still change by what was marked, and what has changed once that is over', async () => {
  serveDecisions()
  const start = { ...buildUnsure(), mark_first: [16] }
  const stored = {
    ...start,
    answers: start.answers.map((one) => (one.submission_id === 16 ? { ...one, decided: { q3: 2 } } : one)),
    mark_first: [],
    learning: true,
  }
  const learnt = {
    ...stored,
    answers: stored.answers.map((one) =>
      one.submission_id === 17 ? { ...one, confidence: 0.93, suggested: { q3: 1 } } : one,
    ),
    learning: false,
  }
  let ended = false
  mockEndpoint(getQuestion, (_, count) => ok(getQuestion, count === 1 ? start : ended ? learnt : stored))
  renderPage('/assignments/5/questions/q3')
  await screen.findByRole('heading', { name: 'Question 3' })
  await userEvent.keyboard('o2{Enter}')
  await screen.findByText(/^Suggestions are being updated by your marks. The grader is confident in 5 answers\./)
  ended = true
  await screen.findByText('1 suggestion has changed. The grader is confident in all 6 answers that are left.', {
    selector: '[role=note] *',
  })
  await waitFor(() =>
    expect(screen.getAllByRole('status').map(({ textContent }) => textContent?.trim())).toContain(
      '1 suggestion has changed.',
    ),
  )
})

it('says so while the mark is still on its way, and no more when it could not be stored', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  mockEndpoint(decideAnswers, async () => {
    await promise
    return errorReply('service_unavailable')
  })
  await open({ ...buildUnsure(), mark_first: [16] })
  await userEvent.keyboard('o2{Enter}')
  await screen.findByText(/^Suggestions are being updated by your marks\./)
  resolve()
  await screen.findByText(/The points for 1 answer were not saved and are taken back\./)
  await waitFor(() => expect(screen.queryByText(/Suggestions are being updated|suggestion has changed/)).toBeNull())
})

it('does not offer it for a single answer', async () => {
  const question = buildUnsure()
  await open({
    ...question,
    answers: question.answers.map((answer) => ({ ...answer, flagged: answer.submission_id > 12 })),
  })
  expect(screen.queryByText(/The grader is confident in/)).toBeNull()
})

it('does not say that they are accepted when it could not be stored', async () => {
  mockEndpoint(decideAnswers, () => errorReply('service_unavailable'))
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Accept 5 clear suggestions' }))
  await screen.findByText(/The points for 5 answers were not saved and are taken back\./)
  expect(screen.queryByText(/suggestions accepted\./)).toBeNull()
  expect(screen.getByText('0 of 4 groups decided')).toBeTruthy()
})

it('leads to the next question with something to decide, past the last one to those before', async () => {
  serveDecisions()
  mockEndpoint(listQuestions, [
    buildQuestionProgress({ question_id: 'q1', number: '1' }),
    buildQuestionProgress({ question_id: 'q2', number: '2', decided: 8 }),
    buildQuestionProgress({ question_id: 'q3', number: '3', decided: 8 }),
    buildQuestionProgress({ question_id: 'q4', number: '4', decided: 8 }),
  ])
  const question = buildQuestionToGrade()
  const asked = await open({ ...question, answers: question.answers.map((answer) => ({ ...answer, flagged: false })) })
  await userEvent.keyboard('A')
  await screen.findByText('All answers to this question are decided.')
  await screen.findByRole('link', { name: 'Grade question 1' })
  await userEvent.keyboard('n')
  await waitFor(() => expect(asked.at(-1)?.url.pathname).toMatch(/\/questions\/q1$/))
})

it('says it on the next page when a decision could not be stored after its question was left', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  mockEndpoint(decideAnswers, async () => {
    await promise
    return errorReply('service_unavailable')
  })
  mockEndpoint(listQuestions, () => ok(listQuestions, [buildQuestionProgress()]))
  await open()
  await userEvent.keyboard('4{Enter}')
  await userEvent.click(screen.getByRole('link', { name: 'Back to questions' }))
  await screen.findByRole('heading', { name: 'Grade by question' })
  resolve()
  await screen.findByText(/The points for 3 answers were not saved and are taken back\./)
})
