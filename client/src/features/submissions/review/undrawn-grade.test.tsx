import { overrideGrade } from '@assay/shared/grades.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { RequireRole } from '../../../layout/RequireRole.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildGrade, buildSubmission } from '../../../testing/build-submission.ts'
import { mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'
import { orderFromSearch } from '../list/useListView.ts'
import { ReviewScreen } from './ReviewScreen.tsx'

const path = '/assignments/5/submissions/31'

/** As on a phone that has not drawn the grade yet. */
function UndrawnReview() {
  const loaded = useGet(getSubmission, { assignmentId: 5, submissionId: 31 })
  if (!loaded.data) return null
  return (
    <ReviewScreen
      submission={loaded.data}
      loaded={loaded}
      assignment={buildAssignment()}
      order={orderFromSearch(new URLSearchParams())}
      isGradeDrawn={false}
    />
  )
}

it('takes no key for a grade that nobody has seen', async () => {
  signInAs()
  mockEndpoint(getSubmission, () => ok(getSubmission, buildSubmission()))
  const approved = mockEndpoint(overrideGrade, () => ok(overrideGrade, buildGrade()))
  const { address } = renderPage(path, [
    { element: <RequireRole roles={['instructor']} />, children: [{ path: '*', element: <UndrawnReview /> }] },
  ])
  await screen.findByTestId('paper')
  screen.getByRole('status', { name: 'Loading the grade' })
  const user = userEvent.setup()
  for (const key of ['h', 'e', '{Control>}{Enter}{/Control}']) await user.keyboard(key)
  await user.keyboard('?')
  await screen.findByRole('dialog')
  expect([approved.length, address()]).toEqual([0, path])
})
