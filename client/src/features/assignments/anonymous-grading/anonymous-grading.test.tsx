import { getAssignment, listExtensions, setNamesHidden } from '@assay/shared/assignments.ts'
import { listCourses } from '@assay/shared/courses.ts'
import { getScoreRules } from '@assay/shared/score-rules.ts'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildScoreRules } from '../../../testing/build-score-rules.ts'
import { mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

beforeEach(() => {
  signInAs()
  mockEndpoint(listCourses, () => ok(listCourses, [], { 'X-Total-Count': '0' }))
  mockEndpoint(getScoreRules, () => ok(getScoreRules, buildScoreRules()))
})

const hidden = { names_hidden: true, times_shown: 0, last_shown: null }
const shown = {
  names_hidden: false,
  times_shown: 1,
  last_shown: { by_name: 'Martin Keller', at: '2026-02-03T09:00:00Z' },
}

it('hides names at once, asks before it shows them, and says who did', async () => {
  let anonymous: typeof hidden | typeof shown | undefined
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ id: 5, ...(anonymous ? { anonymous } : {}) })))
  mockEndpoint(listExtensions, () => ok(listExtensions, []))
  const sent: boolean[] = []
  mockEndpoint(setNamesHidden, async (heard) => {
    const { names_hidden } = (await heard.json()) as { names_hidden: boolean }
    sent.push(names_hidden)
    anonymous = names_hidden ? hidden : shown
    return ok(setNamesHidden, buildAssignment({ id: 5, anonymous }))
  })
  const { user } = renderPage('/assignments/5/settings')
  const toggle = await screen.findByRole('switch', { name: /^Hide names while grading/ })
  await user.click(toggle)
  await screen.findByText(/Extensions name students/)
  await user.click(await screen.findByRole('switch', { name: /^Hide names while grading/, checked: true }))
  const question = await screen.findByRole('dialog', { name: 'Show names?' })
  expect(sent).toEqual([true])
  await user.click(within(question).getByRole('button', { name: 'Show Names' }))
  await screen.findByText(/Names were shown once by Martin Keller/)
  expect(sent).toEqual([true, false])
})

it('offers to show names instead of matching papers to students', async () => {
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ id: 5, anonymous: hidden })))
  renderPage('/assignments/5/submissions/match')
  await screen.findByText(/To match papers to students, show names first/)
  expect(screen.getByRole('button', { name: 'Show Names' })).toBeTruthy()
})
