import { getCsrfToken, getDemo, getMe } from '@assay/shared/auth.ts'
import { getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { listLmsCourses } from '@assay/shared/lti/lti-roster.ts'
import {
  addStudent,
  addStudentsFromCsv,
  getInvitationLimit,
  listRosterJobs,
  removeFromRoster,
  resendRosterInvitation,
} from '@assay/shared/roster.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { buildCourseDetail, buildCourseStudent } from '../../testing/build-course.ts'
import { errorReply, mockApi, mockEndpoint, ok, teacher } from '../../testing/mock-api.ts'
import { renderApp } from '../../testing/render.tsx'

mockApi()

const ada = buildCourseStudent({ sis_user_id: '0042' })
const ben = buildCourseStudent({
  id: 3,
  username: 'ben',
  full_name: null,
  email: 'ben@x.example',
  state: 'invited',
})
let roster = [ada, ben]

beforeEach(() => {
  tokenStore.set('token-1')
  roster = [ada, ben]
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-1' }))
  mockEndpoint(getDemo, () => ok(getDemo, { accounts: [] }))
  mockEndpoint(getMe, () => ok(getMe, teacher))
  mockEndpoint(getCourse, () =>
    ok(getCourse, buildCourseDetail({ course_code: 'BIO-8B', student_count: roster.length })),
  )
  mockEndpoint(getInvitationLimit, () => ok(getInvitationLimit, { per_day: 1000, left: 640 }))
  mockEndpoint(listRosterJobs, () => ok(listRosterJobs, []))
  mockEndpoint(listLmsCourses, () => ok(listLmsCourses, []))
  mockEndpoint(listCourseStudents, ({ url }) => {
    const wanted = url.searchParams.get('state')
    const search = url.searchParams.get('search') ?? ''
    const found = roster.filter(({ state, email }) => (!wanted || state === wanted) && email?.includes(search))
    return ok(listCourseStudents, found, { 'x-total-count': String(found.length) })
  })
})

async function open() {
  const app = renderApp('/courses/7/roster')
  await screen.findByText(`Current Roster (${roster.length})`)
  return { ...app, user: userEvent.setup({ applyAccept: false }) }
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const said = (words: string) => screen.findByText(words)

describe('the roster', () => {
  it('names the course, who is on it, how far they have come in and the school’s numbers', async () => {
    await open()
    expect(screen.getByRole('heading', { name: 'Roster Management' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Biology 8b' }).getAttribute('href')).toBe('/courses/7')
    expect(screen.getByText('BIO-8B')).toBeTruthy()
    expect(screen.getAllByText('2 students enrolled').length).toBeGreaterThan(0)
    const list = within(await screen.findByRole('list', { name: 'Students' }))
    expect(list.getByText('SIS ID 0042')).toBeTruthy()
    expect(list.getByText('Invited')).toBeTruthy()
  })

  it('is searched by the server, and says what it found', async () => {
    const { user } = await open()
    const search = screen.getByPlaceholderText('Search by name, email or number')
    await user.type(search, 'ben@')
    expect(await said('1 of 2 students shown')).toBeTruthy()
    await user.type(search, 'zzz')
    expect(await said('No students match your search.')).toBeTruthy()
  })

  it('says where nobody is on it, and where it cannot be loaded', async () => {
    roster = []
    const first = await open()
    expect(await said('No students enrolled')).toBeTruthy()
    first.unmount()
    mockEndpoint(listCourseStudents, () => errorReply('service_unavailable', { can_retry: false }))
    await open()
    expect(await said('Failed to load students')).toBeTruthy()
  })

  it('says Error Loading Course where the course cannot be loaded', async () => {
    mockEndpoint(getCourse, () => errorReply('service_unavailable', { can_retry: false }))
    renderApp('/courses/7/roster')
    expect(await said('Error Loading Course')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to Courses' })).toBeTruthy()
  })

  it('lets a student go after a question, and says Removing... meanwhile', async () => {
    let reply = () => {}
    mockEndpoint(removeFromRoster, async () => {
      await new Promise<void>((resolve) => {
        reply = resolve
      })
      roster = [ben]
      return ok(removeFromRoster, { success: true, message: 'ada is gone.' })
    })
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Remove Ada Mutombo' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Are you sure you want to remove Ada Mutombo from this course?')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    expect(await said('Removing...')).toBeTruthy()
    reply()
    expect(await said('ada is gone.')).toBeTruthy()
    expect(await said('Current Roster (1)')).toBeTruthy()
    await user.click(button('Dismiss'))
    expect(screen.queryByText('ada is gone.')).toBeNull()
  })

  it('sends a lost invitation again, to those alone who have not come in', async () => {
    const heard = mockEndpoint(resendRosterInvitation, () =>
      ok(resendRosterInvitation, { success: true, message: 'Sent to ben again.' }),
    )
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Resend invitation to ben' }))
    expect(await said('Sent to ben again.')).toBeTruthy()
    expect(heard[0]?.url.pathname).toMatch(/\/courses\/7\/roster\/3\/invitation$/)
    expect(screen.queryByRole('button', { name: 'Resend invitation to ada' })).toBeNull()
  })
})

describe('adding one student', () => {
  it('needs an address that is one, sends numbers that are not given as null, and clears the form', async () => {
    const heard = mockEndpoint(addStudent, () => ok(addStudent, { success: true, message: 'cy was enrolled.' }))
    const { user } = await open()
    expect(button('Add Student').disabled).toBe(true)
    const email = screen.getByLabelText<HTMLInputElement>(/^Email/)
    await user.type(email, 'cy')
    await user.click(button('Add Student'))
    expect(await said('Please enter a valid email address')).toBeTruthy()
    expect(heard).toEqual([])
    await user.type(email, '@school.example')
    await user.type(screen.getByLabelText('Student number (optional)'), ' 7 ')
    await user.click(button('Add Student'))
    expect(await said('cy was enrolled.')).toBeTruthy()
    expect(await heard[0]?.json()).toEqual({
      email: 'cy@school.example',
      external_user_id: null,
      sis_user_id: '7',
    })
    expect(email.value).toBe('')
  })

  it('shows the server’s words where it says no, and keeps what was typed', async () => {
    mockEndpoint(addStudent, () => ok(addStudent, { success: false, message: 'cy is already enrolled.' }))
    const { user } = await open()
    const email = screen.getByLabelText<HTMLInputElement>(/^Email/)
    await user.type(email, 'cy@school.example{Enter}')
    expect(await said('cy is already enrolled.')).toBeTruthy()
    expect(email.value).toBe('cy@school.example')
  })
})

describe('a class from a file', () => {
  const input = () => screen.getByLabelText<HTMLInputElement>('Choose a CSV file')
  const csv = (name = 'class.csv') => new File(['email\n'.padEnd(1536, 'x')], name)

  it('must be a CSV file, one at a time', async () => {
    const { user } = await open()
    await user.upload(input(), csv('class.xlsx'))
    expect(await said('Please select a CSV file')).toBeTruthy()
    expect(button('Upload Students').disabled).toBe(true)
  })

  it('shows its size, and what became of each row, those that failed first', async () => {
    const result = {
      row: 2,
      email: 'cy@school.example',
      success: true,
      message: 'Enrolled.',
      created_user: true,
    }
    mockEndpoint(addStudentsFromCsv, () =>
      ok(addStudentsFromCsv, {
        total_processed: 2,
        successful_enrollments: 1,
        failed_enrollments: 1,
        results: [result, { ...result, row: 3, email: 'nobody', success: false, message: 'No address.' }],
        notes: ['The file is not UTF-8.'],
        job_id: null,
      }),
    )
    const { user } = await open()
    await user.upload(input(), csv())
    expect(await said('1.5 KB')).toBeTruthy()
    await user.click(button('Upload Students'))
    expect(await said('Processed 2 students. 1 successful, 1 failed.')).toBeTruthy()
    expect(screen.getByText('The file is not UTF-8.')).toBeTruthy()
    const rows = within(screen.getByRole('region', { name: 'Upload results' })).getAllByRole('row')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'RowEmailStatusMessage',
      '3nobodyFailedNo address.',
      '2cy@school.exampleSuccessEnrolled.',
    ])
  })

  it.each([
    [640, 'You can send 640 of 1,000 invitations and notices today.'],
    [
      0,
      'You have sent all 1,000 invitations of today. Upload the file again tomorrow, or ask your administrator for a higher limit.',
    ],
  ])('says beforehand that %i invitations are left today', async (left, words) => {
    mockEndpoint(getInvitationLimit, () => ok(getInvitationLimit, { per_day: 1000, left }))
    await open()
    await said(words)
  })

  it('that could not be sent stays, with the reason', async () => {
    mockEndpoint(addStudentsFromCsv, () => errorReply('files_refused', { detail: 'The file has no column “email”.' }))
    const { user } = await open()
    await user.upload(input(), csv())
    await user.click(button('Upload Students'))
    expect(await said('The file has no column “email”.')).toBeTruthy()
    await waitFor(() => expect(button('Upload Students').disabled).toBe(false))
  })
})
