import { getAssignment } from '@assay/shared/assignments.ts'
import { getMe } from '@assay/shared/auth.ts'
import { openLaunch } from '@assay/shared/lti/lti.ts'
import { announceGrading, getQuestion, listQuestions } from '@assay/shared/questions.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildQuestionProgress, buildQuestionToGrade } from '../../testing/build-question.ts'
import { mockEndpoint, ok, teacher } from '../../testing/mock-api.ts'
import { buildLaunch, LAUNCH_ID, launchTokenReply, renderLaunched } from '../../testing/render-launched.tsx'

it('stays in the launch, from the questions to one of them and back', async () => {
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(buildLaunch({ path: '/assignments/5/questions' }))))
  mockEndpoint(getMe, () => ok(getMe, { ...teacher, from_lms: true }))
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment()))
  mockEndpoint(listQuestions, () => ok(listQuestions, [buildQuestionProgress()]))
  mockEndpoint(getQuestion, () => ok(getQuestion, buildQuestionToGrade()))
  mockEndpoint(announceGrading, () => ok(announceGrading, { graders: [] }))
  renderLaunched('/enter#one-time')
  await userEvent.click(await screen.findByRole('link', { name: 'Grade question 3' }))
  await screen.findByRole('heading', { name: 'Question 3' })
  expect(location.pathname).toBe(`/l/${LAUNCH_ID}/assignments/5/questions/q3`)
  await userEvent.click(screen.getByRole('link', { name: 'Back to questions' }))
  await screen.findByRole('heading', { name: 'Grade by question' })
  expect(location.pathname).toBe(`/l/${LAUNCH_ID}/assignments/5/questions`)
})
