import { getAssignment } from '@assay/shared/assignments.ts'
import {
  approveGrades,
  type GradeApproval,
  type GradeApprovals,
  getGradeApprovals,
  undoGradeApproval,
} from '@assay/shared/grade-approvals.ts'
import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildSubmissionCounts, buildSubmissionRow } from '../../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

const approval: GradeApproval = {
  id: 3,
  state: 'applied',
  at: '2026-01-12T14:02:00Z',
  total: 14,
  done: 14,
  approved: 14,
  skipped: 0,
  undone: 0,
}
let now: GradeApprovals
let asked: unknown[]

beforeEach(() => {
  signInAs()
  now = { sure: 14, latest: null }
  mockEndpoint(countSubmissions, () =>
    ok(countSubmissions, buildSubmissionCounts({ graded: 1, suggested: now.sure, reviewed: 1 })),
  )
  mockEndpoint(listSubmissions, () => ok(listSubmissions, [buildSubmissionRow({ id: 1 })], { 'X-Total-Count': '1' }))
  asked = mockEndpoint(getGradeApprovals, () => ok(getGradeApprovals, now))
})

const open = () => ({ ...renderPage('/assignments/5/submissions'), user: userEvent.setup() })

it('draws a page with few suggestions once it is known whether any is clear, and keeps no room where none is', async () => {
  const answered = Promise.withResolvers<void>()
  asked = mockEndpoint(getGradeApprovals, async () => {
    await answered.promise
    return ok(getGradeApprovals, { sure: 0, latest: null })
  })
  open()
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(screen.queryByText('Submissions (1)')).toBeNull()
  answered.resolve()
  await screen.findByText('Submissions (1)')
  expect(screen.queryByRole('region', { name: 'Approvals' })).toBeNull()
})

it('tells how many grades are clear, approves as many, shows how far that is, and offers to undo it', async () => {
  const sent = mockEndpoint(approveGrades, () => {
    now = { sure: 0, latest: { ...approval, state: 'applying', done: 5, approved: 5 } }
    return ok(approveGrades, { ...approval, state: 'applying', done: 0, approved: 0 })
  })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Approve 14 clear grades' }))
  expect(await sent[0]?.json()).toEqual({ expected: 14 })
  expect(await screen.findByText(/Approving grades: 5 of 14/)).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Approvals' })).toBe(document.activeElement)
  now = { sure: 0, latest: { ...approval, approved: 12, skipped: 2 } }
  const words = '12 grades approved. 2 grades changed meanwhile and were left alone.'
  await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2))
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

it('approves chosen papers as they were seen, one such step at a time, and says which were left out', async () => {
  now = { sure: 0, latest: null }
  const parts = [{ needs_review: true }, {}, { reviewed: true }]
  const rows = parts.map((part, i) => buildSubmissionRow({ id: i + 1, ...part }))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, rows, { 'X-Total-Count': '3' }))
  const chosen = { ...approval, chosen: true as const, approved: 1, skipped: 2, unfit: 1 }
  const begun = Promise.withResolvers<void>()
  const sent = mockEndpoint(approveGrades, async () => {
    await begun.promise
    now = { sure: 0, latest: { ...chosen, state: 'applying' } }
    return ok(approveGrades, { ...chosen, state: 'applying' })
  })
  const { user } = open()
  await user.click(await screen.findByRole('checkbox', { name: 'Select all 3 submissions on this page' }))
  const approve = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Approve \d/ })
  await user.click(approve())
  expect(approve().disabled).toBe(true)
  begun.resolve()
  await waitFor(() => expect(screen.queryByText('3 selected')).toBeNull())
  expect(screen.getByRole('region', { name: 'Approvals' })).toBe(document.activeElement)
  await user.click(screen.getByRole('checkbox', { name: /^Select submission 1 / }))
  expect(approve().disabled).toBe(true)
  now = { sure: 0, latest: chosen }
  const words =
    '1 grade approved. 2 papers were graded again or changed since this list was loaded. Look at them again. ' +
    '1 paper left out: already reviewed, or still without a complete grade.'
  expect(await screen.findAllByText(words)).toHaveLength(2)
  expect(approve().disabled).toBe(false)
  const grades = [1, 2].map((id) => ({ submission_id: id, grade_id: id + 100, revision: 1 }))
  expect(await Promise.all(sent.map((one) => one.json()))).toEqual([{ grades }])
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy()
})

it('names what may be wrong in the key instead, by which the grader is sure, until every paper is reviewed', async () => {
  const doubtful_results = ['1', '4', '6', '9'].map((number) => ({
    question_id: `q${number}`,
    message: `Question ${number}: all 28 answers got 0 points.`,
  }))
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ doubtful_results })))
  let reviewed = 1
  mockEndpoint(countSubmissions, () =>
    ok(countSubmissions, buildSubmissionCounts({ graded: 15, suggested: 15 - reviewed, reviewed })),
  )
  const page = open()
  const check = await screen.findByRole('link', { name: 'Check the key: Question 4: all 28 answers got 0 points.' })
  expect(check.getAttribute('href')).toBe('/assignments/5/rubric?question=q4')
  const answers = screen.getAllByRole('link', { name: /^See the answers/ }).map((link) => link.getAttribute('href'))
  expect(answers).toEqual(['q1', 'q4', 'q6'].map((id) => `/assignments/5/questions/${id}`))
  expect(screen.getByRole('link', { name: 'And 1 more in the rubric' })).toBeTruthy()
  await waitFor(() => expect(asked.length).toBeGreaterThan(0))
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull()
  page.unmount()
  reviewed = 15
  open()
  await screen.findByText('Submissions (1)')
  expect(screen.queryByText('Check the key before you grade')).toBeNull()
})

it('undoes after a reload, and tells of those that were changed since', async () => {
  now = { sure: 0, latest: approval }
  mockEndpoint(undoGradeApproval, () => {
    now = { sure: 13, latest: { ...approval, state: 'undone', undone: 13 } }
    return ok(undoGradeApproval, { ...approval, state: 'undoing' })
  })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  const words = 'Undone: 13 grades are suggestions again. 1 grade changed since and was left alone.'
  await waitFor(() => expect(screen.getAllByText(words)).toHaveLength(2))
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText(words)).toBeNull()
  expect(screen.getByRole('button', { name: 'Approve 13 clear grades' })).toBeTruthy()
})

it('says why nothing was approved, with the number as it is now', async () => {
  const message = '15 grades are clear now, not 14. Nothing was approved. Check the new number, then approve again.'
  mockEndpoint(approveGrades, () => {
    now = { sure: 15, latest: null }
    return errorReply('conflict', { message, detail: message })
  })
  const { user } = open()
  await user.click(await screen.findByRole('button', { name: 'Approve 14 clear grades' }))
  expect(await screen.findByText(message)).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Approve 15 clear grades' })).toBeTruthy()
})
