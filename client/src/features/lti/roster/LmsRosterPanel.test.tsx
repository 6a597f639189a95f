import { getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import type { RosterReport } from '@assay/shared/lti/lti.ts'
import {
  type LmsCourse,
  listLmsCourses,
  listSuspended,
  stopLmsSync,
  syncLmsRoster,
} from '@assay/shared/lti/lti-roster.ts'
import { getInvitationLimit, listRosterJobs } from '@assay/shared/roster.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildCourseDetail, buildCourseStudent } from '../../../testing/build-course.ts'
import { buildLmsCourse, buildRosterReport } from '../../../testing/build-lms-course.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

const hours = (ago: number) => new Date(Date.now() - ago * 3_600_000).toISOString()

const report = (part: Partial<RosterReport> = {}) =>
  buildRosterReport({ started_at: hours(2.1), finished_at: hours(2.1), ...part })
const biology = (part: Partial<LmsCourse> = {}) => buildLmsCourse({ report: report(), ...part })

let lms: LmsCourse[] = []

beforeEach(() => {
  lms = [biology()]
  signInAs()
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ student_count: 1, lms_names: ['Canvas'] })))
  mockEndpoint(getInvitationLimit, () => ok(getInvitationLimit, { per_day: 1000, left: 1000, not_invited: 0 }))
  mockEndpoint(listRosterJobs, () => ok(listRosterJobs, []))
  mockEndpoint(listCourseStudents, ({ url }) => {
    const rows = url.searchParams.get('state') ? [] : [buildCourseStudent({ added_by: 'lms', email: '' })]
    return ok(listCourseStudents, rows, { 'x-total-count': String(rows.length) })
  })
  mockEndpoint(listLmsCourses, () => ok(listLmsCourses, lms))
})

async function open() {
  renderPage('/courses/7/roster')
  await screen.findByText('Current Roster (1)')
  return userEvent.setup()
}

it('says where the roster comes from, when it was synced and what that did', async () => {
  lms = [biology({ report: report({ created: 3, changed: 1, suspended: 1 }) })]
  await open()
  expect(await screen.findByText('Canvas: Biology 101')).toBeTruthy()
  expect(screen.getByText('Synced 2 hours ago: 3 new, 1 changed, 1 suspended')).toBeTruthy()
  const row = within(await screen.findByRole('list', { name: 'Students' }))
  expect(row.getByText('From the LMS')).toBeTruthy()
})

it('is not there for a course of no LMS', async () => {
  lms = []
  await open()
  expect(screen.queryByText('From the LMS', { selector: 'h2' })).toBeNull()
})

it('syncs, shows how far it has come until it is over, and can be stopped', async () => {
  const running = (listed: number) => biology({ report: report({ state: 'running', finished_at: null, listed }) })
  mockEndpoint(syncLmsRoster, () => {
    lms = [running(0)]
    return ok(syncLmsRoster, lms)
  })
  mockEndpoint(stopLmsSync, () => {
    lms = [biology({ report: report({ state: 'stopped', finished_at: hours(0), created: 2 }) })]
    return ok(stopLmsSync, lms)
  })
  const user = await open()
  await user.click(await screen.findByRole('button', { name: 'Sync now' }))
  expect(await screen.findByText('Requesting the roster…')).toBeTruthy()
  lms = [running(20)]
  expect(await screen.findByText('20 of about 31 people read')).toBeTruthy()
  expect(screen.getByRole('progressbar', { name: 'Fetching the roster of Canvas: Biology 101' })).toBeTruthy()
  const listed = mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ student_count: 3 })))
  await user.click(screen.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('Sync stopped just now: 2 new')).toBeTruthy()
  await waitFor(() => expect(listed.length).toBeGreaterThan(0))
})

it('says why a sync failed, and tries again', async () => {
  const problem = 'Page 3 of the roster could not be read: canvas.example did not answer in time.'
  lms = [biology({ report: report({ state: 'failed', problem }) })]
  const asked = mockEndpoint(syncLmsRoster, () => errorReply('conflict', { detail: 'Not just now.' }))
  const user = await open()
  const notice = within(await screen.findByRole('alert'))
  expect(notice.getByText(new RegExp(problem))).toBeTruthy()
  await user.click(notice.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(asked).toHaveLength(1))
  expect(await screen.findByText('Not just now.')).toBeTruthy()
})

it('asks before it suspends most of a class, and says whom it means', async () => {
  lms = [biology({ report: report({ state: 'doubtful', listed: 2, missing: 29 }) })]
  const asked = mockEndpoint(syncLmsRoster, () => {
    lms = [biology({ report: report({ suspended: 29 }), suspended: 29 })]
    return ok(syncLmsRoster, lms)
  })
  const user = await open()
  expect(await screen.findByText(/Canvas lists 2 people now, and 29 who were in the course are missing/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Suspend missing members…' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Suspend 29 people?' }))
  expect(asked).toHaveLength(0)
  await user.click(dialog.getByRole('button', { name: 'Sync and suspend' }))
  expect(await screen.findByText(/29 suspended$/)).toBeTruthy()
  expect(await asked[0]?.json()).toEqual({ suspend_missing: true })
})

it('lists who is suspended, and says that their work stays', async () => {
  lms = [biology({ suspended: 1 })]
  const gone = {
    user_id: 9,
    username: 'ben',
    full_name: 'Ben Abel',
    email: 'ben@x.example',
    role: 'student' as const,
    lms_course: 'Biology 101',
    suspended_at: '2026-03-01T02:00:00.000Z',
  }
  mockEndpoint(listSuspended, () => ok(listSuspended, [gone], { 'x-total-count': '1' }))
  const user = await open()
  const button = await screen.findByRole('button', { name: 'Show 1 suspended person' })
  await user.click(button)
  const list = within(await screen.findByRole('list', { name: 'Suspended people' }))
  expect(list.getByText('Ben Abel')).toBeTruthy()
  expect(list.getByText(/^Student of Biology 101 until/)).toBeTruthy()
  expect(screen.getByText(/No longer listed by the LMS. Their work is kept/)).toBeTruthy()
})

it('says what blocks the sync where the LMS lists nobody', async () => {
  lms = [biology({ blocker: 'Canvas does not share its roster with Assay.', report: null })]
  await open()
  expect(await screen.findByText('Canvas does not share its roster with Assay.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Sync now' })).toBeNull()
})

it('keeps the other ways to enrol available on request', async () => {
  const user = await open()
  expect(screen.queryByText('Add Individual Student')).toBeNull()
  expect(screen.queryByText('Bulk Upload Students')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Add someone who is not in Canvas…' }))
  expect(screen.getByText('Add Individual Student')).toBeTruthy()
  expect(screen.getByText('Bulk Upload Students')).toBeTruthy()
})

it('says before a student of the LMS is removed that they come back', async () => {
  const user = await open()
  await user.click(await screen.findByRole('button', { name: 'Remove Ada Mutombo' }))
  expect(await screen.findByText(/the next sync will add them again/)).toBeTruthy()
})

it('is a line on the course’s page', async () => {
  renderPage('/courses/7')
  const line = within(await screen.findByRole('list', { name: 'LMS courses' }))
  expect(line.getByRole('link', { name: 'Canvas: Biology 101' }).getAttribute('href')).toBe('/courses/7/roster')
  expect(line.getByText(/Synced 2 hours ago: no changes/)).toBeTruthy()
})
