import { getAssignment } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { setSubmissionStudent } from '@assay/shared/matches.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions, splitPaper } from '@assay/shared/submissions.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment, buildCourseStudent } from '../../../testing/build-course.ts'
import { buildSubmission } from '../../../testing/build-submission.ts'
import { mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

const problem = {
  code: 'other_name' as const,
  pages: [1],
  message: 'Page 1 names another student than the one it was handed in for.',
  what_to_do: 'Choose the right student.',
}

beforeEach(() => {
  signInAs()
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ course_id: 7 })))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
})

it('offers the right student of a paper that has the wrong one, and grades it then', async () => {
  const paper = buildSubmission({ grade: null, status: 'uploaded', held: true, problems: [problem] })
  const settled = buildSubmission({ grade: null, status: 'uploaded' })
  mockEndpoint(getSubmission, () => ok(getSubmission, paper))
  const ben = buildCourseStudent({ id: 2, username: 'ben', full_name: 'Ben King' })
  mockEndpoint(listCourseStudents, () => ok(listCourseStudents, [ben]))
  const given = mockEndpoint(setSubmissionStudent, { submission: settled, other_paper_ids: [] })
  const graded = mockEndpoint(processAssignment, { message: 'Grading started.', run_id: 1, queued: 1 })
  renderPage('/assignments/5/submissions/31')
  const choice = await screen.findByLabelText('Choose the right student', { selector: 'input' })
  await waitFor(() => expect(choice).toHaveProperty('disabled', false))
  await userEvent.click(choice)
  await userEvent.click(await screen.findByRole('option', { name: 'Ben King (ben)', hidden: true }))
  await waitFor(() => expect(graded).toHaveLength(1))
  expect(await given[0]?.json()).toEqual({ student_id: 2 })
  expect(await graded[0]?.json()).toEqual({ submission_ids: [31] })
})

it('splits the papers of two students where the second one begins, and grades both', async () => {
  const two = {
    ...problem,
    code: 'two_students' as const,
    pages: [1, 3, 4],
    second_begins_on: 3,
    message: 'Two papers.',
  }
  const paper = buildSubmission({ grade: null, status: 'uploaded', held: true, problems: [two], page_count: 4 })
  const second = buildSubmission({ id: 77, grade: null, status: 'uploaded' })
  mockEndpoint(getSubmission, () => ok(getSubmission, paper))
  mockEndpoint(listCourseStudents, () => ok(listCourseStudents, []))
  const split = mockEndpoint(splitPaper, { first: buildSubmission({ grade: null, status: 'uploaded' }), second })
  const graded = mockEndpoint(processAssignment, { message: 'Grading started.', run_id: 1, queued: 2 })
  renderPage('/assignments/5/submissions/31')
  const page = await screen.findByLabelText('The second paper begins on page')
  expect(page).toHaveProperty('value', '3')
  await userEvent.click(screen.getByRole('button', { name: 'Split into two papers' }))
  await waitFor(() => expect(graded).toHaveLength(1))
  expect(await split[0]?.json()).toEqual({ second_begins_on: 3 })
  expect(await graded[0]?.json()).toEqual({ submission_ids: [31, 77] })
  expect(await screen.findByText('Split into two papers. The second one is submission #77.')).toBeTruthy()
})
