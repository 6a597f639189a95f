import { listRetainedGrades } from '@assay/shared/grades.ts'
import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { buildSubmission, buildSubmissionCounts } from '../../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  signInAs()
  mockEndpoint(listSubmissions, () => ok(listSubmissions, [buildSubmission()], { 'X-Total-Count': '1' }))
})

const open = async (retained: number) => {
  mockEndpoint(countSubmissions, () => ok(countSubmissions, buildSubmissionCounts({ retained })))
  renderPage('/assignments/5/submissions')
  await screen.findByText('Submissions (1)')
}

it('shows the released scores of deleted accounts under their placeholders', async () => {
  const released_at = '2026-01-12T14:02:00Z'
  const grade = { id: 3, placeholder: 'Deleted student 4f2a', final_score: 82.5, released_at }
  mockEndpoint(listRetainedGrades, () => ok(listRetainedGrades, [grade]))
  await open(1)
  const section = await screen.findByRole('region', { name: 'Deleted accounts' })
  expect(within(section).getByRole('listitem').textContent).toMatch(/Deleted student 4f2a82\.5\s%/)
})

it('asks and says nothing where there are none', async () => {
  const asked = mockEndpoint(listRetainedGrades, () => ok(listRetainedGrades, []))
  await open(0)
  expect(asked).toHaveLength(0)
  expect(screen.queryByText(/[Dd]eleted account/)).toBeNull()
})

it('says that they could not be loaded', async () => {
  mockEndpoint(listRetainedGrades, () => errorReply('service_unavailable'))
  await open(1)
  await screen.findByText('Scores of deleted accounts could not be loaded.')
})
