import {
  type AccuracyCheck,
  type AccuracyResult,
  applyBlindMarks,
  type BlindAnswer,
  flagReviewList,
  getAccuracyCheck,
  getBlindAnswer,
  getReviewList,
  markBlindAnswer,
  type ReviewList,
  startAccuracyCheck,
} from '@assay/shared/accuracy-checks.ts'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { branded } from '../../testing/branded.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'

beforeEach(() => {
  signInAs()
  mockEndpoint(getReviewList, () => ok(getReviewList, list))
})

const list = branded<ReviewList>({
  limit: 10,
  papers: [{ submission_id: 9, student: 'Ada Byron' }],
  others: 13,
  flagged: 0,
  flags_to_change: 1,
})

const open = () => renderPage('/assignments/5/accuracy')

const result: AccuracyResult = {
  answers: 84,
  marked: 2,
  left_out: 0,
  all: {
    kappa: { value: 0.71, low: 0.55, high: 0.83 },
    within_one_level: { value: 0.84, low: 0.72, high: 0.92 },
    mean_error: { value: 0.12, low: 0.08, high: 0.17 },
    bias: { value: -0.06, low: -0.1, high: -0.02 },
  },
  questions: [],
  earlier: null,
  decided: 0,
  pairs: [
    { position: 1, number: '3', of: 5, marked: 4, suggested: 3 },
    { position: 2, number: '3', of: 5, marked: 5, suggested: 5 },
  ],
}

const checkOf = (states: ('open' | 'marked' | 'skipped')[], more: Partial<AccuracyCheck> = {}): AccuracyCheck => ({
  id: 4,
  started_at: '2026-11-20T09:00:00.000Z',
  started_by: 'Ines Keller',
  answers: states.map((state, i) => ({ position: i + 1, state })),
  finished_at: null,
  result: null,
  ...more,
})

const finished = (more: Partial<AccuracyResult> = {}) =>
  checkOf(['marked', 'marked'], { finished_at: '2026-11-20T09:10:00.000Z', result: { ...result, ...more } })

const blind = (position: number): BlindAnswer => ({
  position,
  submission_id: 10 + position,
  question: {
    id: 'q3',
    number: '3',
    prompt: 'What is 12 times 12?',
    kind: 'number',
    points: 5,
    criteria: [{ id: 'q3', text: 'The product', points: 5, expected: '144', alternatives: [] }],
    notes: null,
  },
  state: 'read',
  text: `Answer number ${position}`,
  pictures: [],
  points: null,
  skipped: false,
})

function shows(check: AccuracyCheck | null, available = 84, decided = 0) {
  mockEndpoint(getAccuracyCheck, () => ok(getAccuracyCheck, { check, available, decided }))
  mockEndpoint(getBlindAnswer, ({ url }) => ok(getBlindAnswer, blind(Number(url.pathname.split('/').at(-1)))))
}

it('leads from the start through the answers to the result, by keyboard', async () => {
  shows(null)
  const started = mockEndpoint(startAccuracyCheck, () => ok(startAccuracyCheck, checkOf(['open', 'open'])))
  const marked = mockEndpoint(markBlindAnswer, (_, count) =>
    ok(
      markBlindAnswer,
      count === 1
        ? checkOf(['marked', 'open'])
        : checkOf(['marked', 'skipped'], { finished_at: '2026-11-20T09:10:00.000Z', result }),
    ),
  )
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Start the check' }))
  expect(await started[0]?.json()).toEqual({ answers: 20 })
  await screen.findByText('Answer number 1')
  expect(document.activeElement).toBe(screen.getByLabelText('Points'))
  await userEvent.keyboard('7{Enter}')
  await screen.findByText('At most 5')
  expect(marked).toHaveLength(0)
  await userEvent.keyboard('{Backspace}4{Enter}')
  await screen.findByText('Answer number 2')
  expect(await marked[0]?.json()).toEqual({ check_id: 4, points: { q3: 4 } })
  expect(screen.getByLabelText<HTMLInputElement>('Points').value).toBe('')
  await userEvent.click(screen.getByRole('button', { name: 'Skip' }))
  expect(await marked[1]?.json()).toEqual({ check_id: 4, points: null })
  await screen.findByText(/too strict: on average it gives 2 to 10 % of the points too little/)
  expect(screen.getByText('0.71')).toBeTruthy()
  expect(screen.getByText('(0.55 to 0.83)')).toBeTruthy()
  const plot = screen.getByRole('img', { name: /higher than your mark for 0, lower for 1 and the same for 1/ })
  expect(plot).toBeTruthy()
})

it('goes on with the first open answer, and keeps what was typed when saving fails', async () => {
  shows(checkOf(['marked', 'open', 'open']))
  mockEndpoint(markBlindAnswer, () =>
    errorReply('conflict', { detail: 'A new check was started meanwhile. Reload the page.' }),
  )
  open()
  await screen.findByText('Answer number 2')
  await userEvent.keyboard('3{Enter}')
  await screen.findByText(/A new check was started meanwhile/)
  expect(screen.getByLabelText<HTMLInputElement>('Points').value).toBe('3')
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  await screen.findByText('Answer number 1')
})

it('names the papers to look at, and uses the marks as points', async () => {
  shows(finished())
  const applied = mockEndpoint(applyBlindMarks, () => ok(applyBlindMarks, { decided: 1, left_alone: 1 }))
  open()
  await screen.findByText('Look at this paper. The other 13 are expected to be off by less.')
  const papers = within(screen.getByRole('list', { name: 'Papers to look at' }))
  expect(papers.getByRole('link', { name: 'Ada Byron' }).getAttribute('href')).toBe('/assignments/5/submissions/9')
  await userEvent.click(screen.getByRole('button', { name: 'Use the marks as points' }))
  await screen.findByText('1 answer got the points of your marks. 1 had points already.')
  expect(await applied[0]?.json()).toEqual({ check_id: 4 })
})

it('says that it draws what nobody has decided, and where nothing of that is left', async () => {
  shows(null, 60, 24)
  const { unmount } = open()
  await screen.findByText(/There are 60 answers with a suggestion that nobody has decided\./)
  unmount()
  shows(null, 1, 83)
  open()
  await screen.findByText('People have given points to all answers but one.')
})

it('lists the papers by another limit', async () => {
  shows(finished())
  mockEndpoint(getReviewList, ({ url }) => {
    const limit = Number(url.searchParams.get('limit') ?? 10)
    return ok(getReviewList, limit === 20 ? { ...list, limit, papers: [], others: 14 } : list)
  })
  open()
  await userEvent.click(await screen.findByRole('combobox', { name: 'A total may be off by' }))
  await userEvent.click(await screen.findByRole('option', { name: '20 points of 100' }))
  await screen.findByText('No total is expected to be off by more than 20 points.')
})

it('flags the papers to look at, and takes the flags back', async () => {
  shows(finished())
  let flagged = 0
  mockEndpoint(getReviewList, () => ok(getReviewList, { ...list, flagged, flags_to_change: 1 - flagged }))
  const flagging = mockEndpoint(flagReviewList, (_, count) => {
    flagged = count === 1 ? 1 : 0
    return ok(flagReviewList, { papers: 1 })
  })
  open()
  const flag = await screen.findByRole('button', { name: 'Flag this paper' })
  expect(screen.queryByRole('button', { name: 'Take back the flags' })).toBeNull()
  await userEvent.click(flag)
  await screen.findByText('1 paper flagged for review.')
  expect(await flagging[0]?.json()).toEqual({ check_id: 4, limit: 10 })
  expect(screen.getByRole('link', { name: '1 paper is flagged' }).getAttribute('href')).toBe(
    '/assignments/5/submissions?status=flagged',
  )
  expect(screen.queryByRole('button', { name: 'Flag this paper' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Take back the flags' }))
  await screen.findByText('The flags of 1 paper were taken back.')
  expect(await flagging[1]?.json()).toEqual({ check_id: 4, limit: null })
  await screen.findByRole('button', { name: 'Flag this paper' })
})

it('shows the bounds of each question, and where its marks are all the same', async () => {
  const ofQuestion = {
    question_id: 'q3',
    number: '3',
    marked: 4,
    agreement: { ...result.all, kappa: { value: 0.6, low: 0.1, high: 0.9 }, bias: null },
  }
  shows(finished({ questions: [ofQuestion] }))
  open()
  const row = (await screen.findByRole('rowheader', { name: 'Question 3, 4 marked' })).closest('tr')
  expect(row?.textContent).toContain('0.60 (0.10 to 0.90)')
  expect(row?.textContent).toContain('all the same')
})

it('gives no bounds where all answers are marked', async () => {
  const exact = { value: 0.5, low: 0.5, high: 0.5 }
  const all = { kappa: exact, within_one_level: exact, mean_error: exact, bias: exact }
  shows(finished({ answers: 2, marked: 2, all, questions: [] }))
  open()
  await screen.findByText('All answers are marked, so these are exact.')
  expect(screen.getByRole('rowheader', { name: 'All questions' }).closest('tr')?.textContent).not.toContain('(')
})

it('does not praise the grader for answers that it has learned from', async () => {
  const earlier = { all: result.all, changed: 2 }
  shows(finished({ earlier, decided: 2 }))
  open()
  await screen.findByText(/learned from the 2 of them that have points.* Start a new check to be sure/)
  expect(screen.queryByText(/Then the grader was off/)).toBeNull()
})

it('says that there is nothing to check before papers are graded, and shows failures', async () => {
  shows(null, 0)
  const { unmount } = open()
  await screen.findByRole('heading', { name: 'No suggestions to check yet' })
  unmount()
  mockEndpoint(getAccuracyCheck, () => errorReply('resource_not_found'))
  open()
  await screen.findByText('Error Loading the Check')
})
