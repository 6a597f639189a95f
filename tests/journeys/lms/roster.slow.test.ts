import { expect, it } from 'vitest'
import { looksRight, openLink, useSchool } from '../support/lms-workflow.ts'

const STUDENTS = 5000
const school = useSchool({ kind: 'canvas' })

it('syncs a course of 5,000 when a teacher has just set it up, and reports the result', async () => {
  const { lms, deployment, browserErrors } = school
  const { course, teacher, students } = lms.classOf(STUDENTS, { title: 'Biology 101' })
  const link = lms.addLink(course, { deployment, title: 'Quiz 1' })
  // From its third page on the LMS waits until the progress was looked at.
  const looked = Promise.withResolvers<void>()
  lms.fail('members', { before: () => looked.promise, when: ({ url }) => url.includes('from=100') })
  const { page } = await school.open()
  const frame = await openLink(school, page, teacher, link)
  await frame.getByLabel('The course, with all its assignments').check()
  await frame.getByRole('button', { name: 'Continue' }).click()
  await frame.getByRole('link', { name: 'Roster', exact: true }).click()

  // Started automatically by the setup, with live progress.
  const panel = frame.getByRole('region', { name: 'From the LMS' })
  await panel.getByText(/: Biology 101$/).waitFor()
  await panel.getByText(/^[\d,]+ people read so far$/).waitFor()
  await looksRight(page, frame, 'lms-roster-running')
  looked.resolve()
  await panel.getByText(/^Synced just now: 5,000 new$/).waitFor({ timeout: 180_000 })
  await frame.getByText(`Current Roster (${STUDENTS})`).waitFor()
  // By name: the first page need not have them.
  const search = frame.getByLabel('Search students by name, email or number')
  await search.fill(students[0]?.email ?? '')
  await frame
    .getByRole('list', { name: 'Students' })
    .getByText(students[0]?.name ?? '', { exact: true })
    .waitFor()
  await search.clear()
  await looksRight(page, frame, 'lms-roster-synced')

  for (const student of students.slice(0, 3)) lms.unenrol(course, student)
  lms.enrol(course, lms.addUser({ name: 'Nora Newcomer' }), 'Learner')
  await panel.getByRole('button', { name: 'Sync now' }).click()
  await panel.getByText(/^Synced just now: 1 new, 3 suspended$/).waitFor({ timeout: 180_000 })
  await panel.getByRole('button', { name: 'Show 3 suspended people' }).click()
  await panel
    .getByRole('list', { name: 'Suspended people' })
    .getByText(students[0]?.name ?? '', { exact: true })
    .waitFor()
  await frame.getByText(`Current Roster (${STUDENTS - 2})`).waitFor()
  await looksRight(page, frame, 'lms-roster-suspended')

  // It is reported, nobody is suspended, and it can be retried.
  lms.fail('members', { status: 404, when: ({ url }) => url.includes('from=100'), times: 99 })
  await panel.getByRole('button', { name: 'Sync now' }).click()
  const alert = panel.getByRole('alert')
  await alert.getByText(/Page 3 of the roster could not be read/).waitFor()
  await looksRight(page, frame, 'lms-roster-failed')
  lms.requestLog.clear()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await panel.getByText(/^Synced just now: no changes$/).waitFor({ timeout: 180_000 })

  for (const student of students.slice(3)) lms.unenrol(course, student)
  await panel.getByRole('button', { name: 'Sync now' }).click()
  await panel.getByText('The list is much shorter than the roster').waitFor()
  await looksRight(page, frame, 'lms-roster-doubtful')
  await panel.getByRole('button', { name: 'Suspend missing members…' }).click()
  await frame.getByRole('dialog').getByRole('button', { name: 'Sync and suspend' }).click()
  await panel.getByText(/4,997 suspended$/).waitFor({ timeout: 180_000 })
  expect(browserErrors).toEqual([])
}, 600_000)
