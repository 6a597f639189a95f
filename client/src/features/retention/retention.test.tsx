import { getCourse } from '@assay/shared/courses.ts'
import { type CourseRetention, changeCourseRetention, getCourseRetention } from '@assay/shared/retention.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { formatDate } from '../../lib/format.ts'
import { buildAssignment, buildCourseAssignment, buildCourseDetail } from '../../testing/build-course.ts'
import { emptyErrorReply, mockApi, mockEndpoint, ok } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'
import { signInAs } from '../../testing/sign-in-as.ts'
import { WorkDeletionNotice } from './WorkDeletionNotice.tsx'

mockApi()

const delete_at = '2026-12-12T09:00:00Z'
const none: CourseRetention = { own_months: null, school_months: 24, due: null }

beforeEach(() => {
  signInAs()
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
})

async function open(preview: CourseRetention['due'] = null) {
  mockEndpoint(getCourseRetention, ({ url }) =>
    ok(getCourseRetention, url.searchParams.has('months') ? { ...none, due: preview } : none),
  )
  renderApp('/courses/7/edit')
  const panel = within(await screen.findByRole('region', { name: 'Keeping student work' }))
  return { panel, rule: await panel.findByRole<HTMLSelectElement>('combobox', { name: 'Student work' }) }
}

it('says what a rule would delete before it is saved, and saves it', async () => {
  const { panel, rule } = await open({ assignments: 3, papers: 84, delete_at })
  expect(rule.selectedOptions[0]?.textContent).toBe('School’s rule: deleted 2 years after the last activity')
  await userEvent.selectOptions(rule, 'Deleted 6 months after the last activity')
  await panel.findByText(new RegExp(`^84 papers in 3 assignments would be deleted from ${formatDate(delete_at)} on`))
  const due = { assignments: 3, papers: 84, delete_at }
  const saved = { ...none, own_months: 6, due }
  const sent = mockEndpoint(changeCourseRetention, () => ok(changeCourseRetention, saved))
  mockEndpoint(getCourseRetention, () => ok(getCourseRetention, saved))
  await userEvent.click(panel.getByRole('button', { name: 'Save Rule' }))
  await panel.findByText(/^84 papers in 3 assignments will be deleted/)
  expect(await sent[0]?.json()).toEqual({ months: 6 })
  expect(panel.queryByRole('button', { name: 'Save Rule' })).toBeNull()
})

it('goes back to the school’s rule', async () => {
  mockEndpoint(getCourseRetention, () => ok(getCourseRetention, { ...none, own_months: 0 }))
  renderApp('/courses/7/edit')
  const rule = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Student work' })
  expect(rule.selectedOptions[0]?.textContent).toBe('Kept')
  await userEvent.selectOptions(rule, 'School’s rule: deleted 2 years after the last activity')
  const sent = mockEndpoint(changeCourseRetention, () => ok(changeCourseRetention, none))
  const save = await screen.findByRole('button', { name: 'Save Rule' })
  await waitFor(() => expect(save).toHaveProperty('disabled', false))
  await userEvent.click(save)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save Rule' })).toBeNull())
  expect(await sent[0]?.json()).toEqual({ months: null })
})

it('keeps the choice where it could not be saved', async () => {
  const { panel, rule } = await open()
  await userEvent.selectOptions(rule, 'Kept')
  mockEndpoint(changeCourseRetention, emptyErrorReply)
  const save = await panel.findByRole('button', { name: 'Save Rule' })
  await waitFor(() => expect(save).toHaveProperty('disabled', false))
  await userEvent.click(save)
  await panel.findByText('The rule could not be saved. Please try again.')
  expect(rule.value).toBe('0')
})

it('tells on the course’s page which assignments’ work is to be deleted', async () => {
  const assignments = [buildCourseAssignment({ work_deletes_at: delete_at })]
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ assignments })))
  renderApp('/courses/7')
  await screen.findByText(`Student work will be deleted on ${formatDate(delete_at)}`)
})

it.each([
  [{ work_deletes_at: delete_at }, /will be deleted on/],
  [{ work_deleted_at: delete_at }, /^Student work from before .* was deleted on that day/],
])('tells above the papers: %o', async (dates, words) => {
  renderApp('/', [{ path: '/', element: <WorkDeletionNotice assignment={buildAssignment(dates)} /> }])
  await screen.findByText(words)
})
