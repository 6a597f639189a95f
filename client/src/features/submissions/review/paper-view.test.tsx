import { overrideGrade } from '@assay/shared/grades.ts'
import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { RequireRole } from '../../../layout/RequireRole.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildCurrentRubric } from '../../../testing/build-rubric.ts'
import { buildGrade, buildSubmission } from '../../../testing/build-submission.ts'
import { mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { findReview, renderPage } from '../../../testing/render.tsx'
import { orderFromSearch } from '../list/useListView.ts'
import { paperViewStore } from './PaperPane.tsx'
import { ReviewScreen } from './ReviewScreen.tsx'

beforeEach(() => {
  signInAs()
  paperViewStore.set(null)
  mockEndpoint(getRubric, () => ok(getRubric, buildCurrentRubric()))
  mockEndpoint(getSubmission, ({ url }) =>
    ok(getSubmission, buildSubmission({ id: Number(url.pathname.split('/').at(-1)) })),
  )
})

async function open({ wide }: { wide: boolean }) {
  const narrow = window.matchMedia('')
  vi.spyOn(window, 'matchMedia').mockReturnValue({ ...narrow, matches: wide })
  renderPage('/assignments/5/submissions/31')
  await findReview()
  return userEvent.setup()
}

const shown = () =>
  ['Paper', 'Answer key'].filter((name) => {
    const pane = screen.queryByRole('region', { name })
    return pane && within(pane).queryByTestId('paper')
  })

it('shows the paper, the key, or both side by side, and the same for the next paper', async () => {
  const user = await open({ wide: true })
  await waitFor(() => expect(shown()).toEqual(['Paper']))
  await user.click(screen.getByRole('radio', { name: 'Both' }))
  await screen.findByRole('region', { name: 'Answer key' })
  await waitFor(() => expect(shown()).toEqual(['Paper', 'Answer key']))
  await user.click(screen.getByRole('radio', { name: 'Key' }))
  await waitFor(() => expect(shown()).toEqual(['Answer key']))
  await user.keyboard('j')
  await screen.findByRole('radio', { name: 'Key', checked: true })
  await waitFor(() => expect(shown()).toEqual(['Answer key']))
})

it('shows the chosen criterion’s question in the key, and follows the choice', async () => {
  const user = await open({ wide: true })
  await user.keyboard('2')
  await user.click(screen.getByRole('radio', { name: 'Both' }))
  const key = within(await screen.findByRole('region', { name: 'Answer key' }))
  await waitFor(() => expect(key.getByTestId('paper').dataset.question).toBe('2'))
  await user.keyboard('1')
  await waitFor(() => expect(key.getByTestId('paper').dataset.question).toBe('1'))
})

it('has no room for both on a phone, and shows the paper instead', async () => {
  paperViewStore.set('both')
  const user = await open({ wide: false })
  expect(screen.queryByRole('radio', { name: 'Both' })).toBeNull()
  await waitFor(() => expect(shown()).toEqual(['Paper']))
  await user.click(screen.getByRole('radio', { name: 'Key' }))
  await waitFor(() => expect(shown()).toEqual(['Answer key']))
})

const path = '/assignments/5/submissions/31'

/** As on a phone that has not come to the grade yet. */
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
  const approved = mockEndpoint(overrideGrade, () => ok(overrideGrade, buildGrade()))
  const { address } = renderPage(path, [
    { element: <RequireRole roles={['instructor']} />, children: [{ path: '*', element: <UndrawnReview /> }] },
  ])
  await screen.findByTestId('paper')
  screen.getByRole('status', { name: 'Loading the grade' })
  const user = userEvent.setup()
  for (const key of ['h', 'e', '{Control>}{Enter}{/Control}']) await user.keyboard(key)
  // The screen’s own keys work.
  await user.keyboard('?')
  await screen.findByRole('dialog')
  expect([approved.length, address()]).toEqual([0, path])
})
