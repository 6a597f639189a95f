import { getAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildGrade, buildSubmission } from '../../../testing/build-submission.ts'
import { mockApi, mockEndpoint, ok } from '../../../testing/mock-api.ts'
import { renderApp } from '../../../testing/render.tsx'
import { signInAs } from '../../../testing/sign-in-as.ts'

// As on a phone that has not come to the grade yet.
vi.mock('react', async (importActual) => ({
  ...(await importActual<typeof import('react')>()),
  useDeferredValue: (value: unknown) => (typeof value === 'boolean' ? false : value),
}))

mockApi()

it('takes no key for a grade that nobody has seen', async () => {
  signInAs()
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment()))
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission()))
  const approved = mockEndpoint(overrideGrade, () => ok(overrideGrade, buildGrade()))
  const { address } = renderApp('/assignments/5/submissions/31')
  await screen.findByTestId('paper')
  screen.getByRole('status', { name: 'Loading the grade' })
  const user = userEvent.setup()
  for (const key of ['h', 'e', '{Control>}{Enter}{/Control}']) await user.keyboard(key)
  // The screen’s own keys work.
  await user.keyboard('?')
  await screen.findByRole('dialog')
  expect([approved.length, address()]).toEqual([0, '/assignments/5/submissions/31'])
})
