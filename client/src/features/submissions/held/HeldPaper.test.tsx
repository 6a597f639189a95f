import { getAssignment } from '@assay/shared/assignments.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { setSubmissionStudent } from '@assay/shared/matches.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment, buildCourseStudent } from '../../../testing/build-course.ts'
import { buildSubmission } from '../../../testing/build-submission.ts'
import { mockApi, mockEndpoint, ok } from '../../../testing/mock-api.ts'
import { renderApp } from '../../../testing/render.tsx'
import { signInAs } from '../../../testing/sign-in-as.ts'

mockApi()

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
  const given = mockEndpoint(setSubmissionStudent, () =>
    ok(setSubmissionStudent, { submission: settled, other_paper_ids: [] }),
  )
  const graded = mockEndpoint(processAssignment, () =>
    ok(processAssignment, { message: 'Grading started.', run_id: 1, queued: 1 }),
  )

  renderApp('/assignments/5/submissions/31')
  const choice = await screen.findByLabelText('Choose the right student', { selector: 'input' })
  await waitFor(() => expect(choice).toHaveProperty('disabled', false))
  await userEvent.click(choice)
  await userEvent.click(await screen.findByRole('option', { name: 'Ben King (ben)', hidden: true }))
  await waitFor(() => expect(graded).toHaveLength(1))
  expect(await given[0]?.json()).toEqual({ student_id: 2 })
  expect(await graded[0]?.json()).toEqual({ submission_ids: [31] })
})
