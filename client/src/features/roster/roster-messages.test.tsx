import { getCsrfToken, getDemo, getMe } from '@assay/shared/auth.ts'
import { type CourseStudent, getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { listLmsCourses } from '@assay/shared/lti/lti-roster.ts'
import {
  addStudent,
  getInvitationLimit,
  listRosterJobs,
  previewRosterCsv,
  removeFromRoster,
} from '@assay/shared/roster.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { buildCourseDetail, buildCourseStudent } from '../../testing/build-course.ts'
import { emptyErrorReply, mockApi, mockEndpoint, ok, teacher } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'

let students: CourseStudent[] = []

mockApi()

beforeEach(() => {
  tokenStore.set('token-1')
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [] }))
  mockEndpoint(getMe, () => ok(getMe, teacher))
  students = [
    buildCourseStudent(),
    buildCourseStudent({ id: 3, username: 'lin', full_name: 'Lin Chen', email: 'lin@school.example' }),
  ]
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ course_code: 'BIO-8B', students })))
  mockEndpoint(getInvitationLimit, () => ok(getInvitationLimit, { per_day: 1000, left: 1000, not_invited: 0 }))
  mockEndpoint(listRosterJobs, () => ok(listRosterJobs, []))
  mockEndpoint(listLmsCourses, () => ok(listLmsCourses, []))
  mockEndpoint(listCourseStudents, ({ url }) => {
    const search = url.searchParams.get('search') ?? ''
    const waitingOnly = url.searchParams.get('state') === 'waiting'
    const found = waitingOnly ? [] : students.filter(({ email }) => email.includes(search))
    return ok(listCourseStudents, found, { 'X-Total-Count': String(found.length) })
  })
})

async function open() {
  renderApp('/courses/7/roster')
  await screen.findByRole('heading', { name: 'Roster Management' })
  return userEvent.setup()
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

it('has its breadcrumb, its figures, its two ways in and its list', async () => {
  await open()
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(crumbs.getByRole('link', { name: 'Biology 8b' }).getAttribute('href')).toBe('/courses/7')
  expect(screen.getByText('BIO-8B')).toBeTruthy()
  for (const title of ['Add Individual Student', 'Bulk Upload Students', 'Current Roster (2)'])
    expect(screen.getByRole('heading', { name: title })).toBeTruthy()
  expect(button('Refresh')).toBeTruthy()
  expect(screen.getByPlaceholderText('Search by name, email or number')).toBeTruthy()
  expect(screen.getAllByText('2 students enrolled').length).toBeGreaterThan(0)
  await screen.findByText('lin@school.example')
})

it('says that nobody matches, and that nobody is enrolled', async () => {
  const user = await open()
  await screen.findByText('lin@school.example')
  await user.type(screen.getByLabelText('Search students by name, email or number'), 'ada@')
  await screen.findByText('1 of 2 students shown')
  await user.type(screen.getByLabelText('Search students by name, email or number'), 'nowhere')
  await screen.findByText('No students match your search.')
  students = []
  await user.clear(screen.getByLabelText('Search students by name, email or number'))
  await user.click(button('Refresh'))
  await screen.findByText('No students enrolled')
})

it('says what the server says, until it is dismissed, and clears the form', async () => {
  const heard = mockEndpoint(addStudent, () =>
    ok(addStudent, { success: true, message: 'eva@school.example was invited.' }),
  )
  const user = await open()
  expect(button('Add Student').disabled).toBe(true)
  const email = screen.getByLabelText<HTMLInputElement>(/^Email/)
  await user.type(email, 'eva')
  await user.click(button('Add Student'))
  await screen.findByText('Please enter a valid email address')
  await user.type(email, '@school.example')
  await user.type(screen.getByLabelText('Student number (optional)'), ' S1 ')
  await user.click(button('Add Student'))
  await screen.findByText('eva@school.example was invited.')
  expect(await heard[0]?.json()).toMatchObject({
    email: 'eva@school.example',
    external_user_id: null,
    sis_user_id: 'S1',
  })
  expect(email.value).toBe('')
  await user.click(button('Dismiss'))
  expect(screen.queryByText('eva@school.example was invited.')).toBeNull()
  mockEndpoint(addStudent, () => ok(addStudent, { success: false, message: 'Already enrolled.' }))
  await user.type(email, 'ada@school.example')
  await user.click(button('Add Student'))
  await screen.findByText('Already enrolled.')
  expect(email.value).toBe('ada@school.example')
})

it('says that a student could not be added', async () => {
  mockEndpoint(addStudent, emptyErrorReply)
  const user = await open()
  await user.type(screen.getByLabelText(/^Email/), 'eva@school.example')
  await user.click(button('Add Student'))
  await screen.findByText('Failed to add student. Please try again.')
})

it('says that a file could not be taken', async () => {
  mockEndpoint(previewRosterCsv, emptyErrorReply)
  const user = await open()
  const file = new File(['email\n'.repeat(256)], 'class.csv', { type: 'text/csv' })
  await user.upload(screen.getByLabelText('Choose a CSV file'), file)
  await screen.findByText('1.5 KB')
  await screen.findByText('Failed to upload CSV file. Please check the format and try again.')
})

it('asks before a student is removed', async () => {
  mockEndpoint(removeFromRoster, emptyErrorReply)
  const user = await open()
  await user.click(await screen.findByRole('button', { name: 'Remove Ada Mutombo' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Are you sure you want to remove Ada Mutombo from this course?')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await dialog.findByText('Failed to remove student. Please try again.')
  let remove = () => {}
  const removed = new Promise<void>((resolve) => {
    remove = resolve
  })
  mockEndpoint(removeFromRoster, async () => {
    await removed
    return ok(removeFromRoster, { success: true, message: 'ada was removed from the course.' })
  })
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await screen.findByText('Removing...')
  remove()
  await screen.findByText('ada was removed from the course.')
  await waitFor(() => expect(screen.queryByText('Removing...')).toBeNull())
})

it('says Failed to load students', async () => {
  mockEndpoint(listCourseStudents, emptyErrorReply)
  await open()
  await screen.findByText('Failed to load students')
})

it('says Failed to load course details, with a way back', async () => {
  mockEndpoint(getCourse, emptyErrorReply)
  renderApp('/courses/7/roster')
  await screen.findByRole('heading', { name: 'Error Loading Course' })
  expect(screen.getByText('Failed to load course details')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Back to Courses' }).getAttribute('href')).toBe('/courses')
})
