import { getAssignment } from '@assay/shared/assignments.ts'
import { listQuestions } from '@assay/shared/questions.ts'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildQuestionProgress } from '../../testing/build-question.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { sendEvent } from '../../testing/realtime.ts'
import { renderPage } from '../../testing/render.tsx'

beforeEach(() => signInAs())

const open = () => renderPage('/assignments/5/questions')
const rowOf = (number: string) => screen.findByRole('listitem', { name: `Question ${number}` })

it('says of each question what is decided, what is left and who is on it, and leads to it', async () => {
  mockEndpoint(listQuestions, [
    buildQuestionProgress({ question_id: 'q1', number: '1', decided: 8, undecided_groups: 0, minutes_left: 0 }),
    buildQuestionProgress({ flagged: 2, by_hand: 1, graders: [{ id: 7, name: 'Grace Hopper' }] }),
  ])
  open()
  const done = within(await rowOf('1'))
  expect(done.getByText('8 of 8 answers decided')).toBeTruthy()
  expect(done.getByText('Decided')).toBeTruthy()
  expect(done.getByRole('link', { name: 'Open question 1' })).toBeTruthy()
  const half = within(await rowOf('3'))
  expect(half.getByText('3 of 4 groups left · mean 3.25 of 5')).toBeTruthy()
  expect(half.getByRole('progressbar', { name: 'Question 3, decided' })).toMatchObject({ value: 2, max: 8 })
  expect(half.getByText('2 flagged')).toBeTruthy()
  expect(half.getByText('1 for you to grade')).toBeTruthy()
  expect(half.getByText('Grace Hopper is grading')).toBeTruthy()
  const link = half.getByRole('link', { name: 'Grade question 3' })
  expect(link.getAttribute('href')).toBe('/assignments/5/questions/q3')
  expect(screen.getByText('10 of 16 answers')).toBeTruthy()
})

it('marks a question whose key may be wrong', async () => {
  mockEndpoint(listQuestions, [buildQuestionProgress({ question_id: 'q1', number: '1' }), buildQuestionProgress()])
  const doubtful_results = [{ question_id: 'q3', message: 'Question 3: all 8 answers got 0 points.' }]
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ doubtful_results })))
  open()
  await within(await rowOf('3')).findByText('Key may be wrong')
  expect(within(await rowOf('1')).queryByText('Key may be wrong')).toBeNull()
})

it('counts again when somebody has decided, once for many decisions', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const asked = mockEndpoint(listQuestions, (_, count) =>
    ok(listQuestions, [buildQuestionProgress({ decided: count === 1 ? 2 : 5 })]),
  )
  open()
  await screen.findByText('2 of 8 answers decided')
  for (let i = 0; i < 5; i++) sendEvent('question_changed', { assignment_id: 5, question_id: 'q3', change_id: i })
  await vi.advanceTimersByTimeAsync(4000)
  await screen.findByText('5 of 8 answers decided')
  expect(asked).toHaveLength(2)
})

it('says that there is nothing to grade before papers are processed', async () => {
  mockEndpoint(listQuestions, () => ok(listQuestions, []))
  open()
  await screen.findByRole('heading', { name: 'No answers to grade yet' })
  expect(screen.getByRole('link', { name: 'Back to submissions' })).toBeTruthy()
})

it('shows a failure in place of the list', async () => {
  mockEndpoint(listQuestions, () => errorReply('resource_not_found'))
  open()
  await screen.findByText('Error Loading Questions')
})
