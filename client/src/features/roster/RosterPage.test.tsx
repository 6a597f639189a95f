import { getMe } from '@assay/shared/auth.ts'
import { getCourse, listCourseStudents } from '@assay/shared/courses.ts'
import {
  addStudent,
  addStudentsFromCsv,
  type BulkRosterReply,
  getInvitationLimit,
  inviteRoster,
  listRosterJobs,
  previewRosterCsv,
  type RosterPreview,
  removeFromRoster,
  renameRosterStudent,
  resendRosterInvitation,
} from '@assay/shared/roster.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { tokenStore } from '../../lib/session/browser-store.ts'
import { buildCourseDetail, buildCourseStudent } from '../../testing/build-course.ts'
import { emptyErrorReply, errorReply, mockBodies, mockEndpoint, ok, teacher } from '../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../testing/render.tsx'

const ada = buildCourseStudent({ sis_user_id: '0042', can_rename: true })
const ben = buildCourseStudent({ id: 3, username: 'ben', full_name: null, email: 'ben@x.example', state: 'invited' })
let roster = [ada, ben]

beforeEach(() => {
  tokenStore.set('token-1')
  roster = [ada, ben]
  mockEndpoint(getMe, () => ok(getMe, teacher))
  mockEndpoint(getCourse, () =>
    ok(getCourse, buildCourseDetail({ course_code: 'BIO-8B', student_count: roster.length })),
  )
  mockEndpoint(getInvitationLimit, () => ok(getInvitationLimit, { per_day: 1000, left: 640, not_invited: 0 }))
  mockEndpoint(listRosterJobs, () => ok(listRosterJobs, []))
  mockEndpoint(listCourseStudents, ({ url }) => {
    const wanted = url.searchParams.get('state')
    const search = url.searchParams.get('search') ?? ''
    const found = roster.filter(({ state, email }) => (!wanted || state === wanted) && email?.includes(search))
    return ok(listCourseStudents, found, { 'x-total-count': String(found.length) })
  })
})

async function open() {
  const app = renderPage('/courses/7/roster')
  await screen.findByText(`Current Roster (${roster.length})`)
  return { ...app, user: userEvent.setup({ applyAccept: false }) }
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const said = (words: string) => screen.findByText(words)

describe('the roster', () => {
  it('names the course, who is on it, how far they have come in and the school’s numbers', async () => {
    await open()
    expect(screen.getByRole('heading', { name: 'Roster Management' })).toBeTruthy()
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(crumbs.getByRole('link', { name: 'Biology 8b' }).getAttribute('href')).toBe('/courses/7')
    for (const title of ['Add Individual Student', 'Bulk Upload Students'])
      expect(screen.getByRole('heading', { name: title })).toBeTruthy()
    expect(screen.getByText('BIO-8B')).toBeTruthy()
    expect(screen.getAllByText('2 students enrolled').length).toBeGreaterThan(0)
    const list = within(await screen.findByRole('list', { name: 'Students' }))
    expect(list.getByText('Student number 0042')).toBeTruthy()
    expect(list.getByText('Invited')).toBeTruthy()
  })

  it('is searched by the server, and says what it found', async () => {
    await open()
    const search = screen.getByPlaceholderText('Search by name, email or number')
    await fillIn(search, 'ben@')
    expect(await said('1 of 2 students shown')).toBeTruthy()
    await fillIn(search, 'zzz')
    expect(await said('No students match your search.')).toBeTruthy()
  })

  it('says where nobody is on it, and where it cannot be loaded', async () => {
    roster = []
    const first = await open()
    expect(await said('No students enrolled')).toBeTruthy()
    first.unmount()
    mockEndpoint(listCourseStudents, emptyErrorReply)
    await open()
    expect(await said('Failed to load students')).toBeTruthy()
  })

  it('says Error Loading Course where the course cannot be loaded, with a way back', async () => {
    mockEndpoint(getCourse, emptyErrorReply)
    renderPage('/courses/7/roster')
    expect(await said('Error Loading Course')).toBeTruthy()
    expect(screen.getByText('Failed to load course details')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to Courses' }).getAttribute('href')).toBe('/courses')
  })

  it('renames a student, where the server lets this teacher', async () => {
    const renamed = mockBodies(renameRosterStudent, () =>
      ok(renameRosterStudent, { success: true, message: 'Renamed.' }),
    )
    const { user } = await open()
    expect(await screen.findAllByRole('button', { name: /^Rename/ })).toHaveLength(1)
    await user.click(button('Rename Ada Mutombo'))
    const dialog = within(await screen.findByRole('dialog'))
    await fillIn(dialog.getByLabelText('Full name'), ' Diaz')
    await user.click(dialog.getByRole('button', { name: 'Rename' }))
    expect(await said('Renamed.')).toBeTruthy()
    expect(renamed).toEqual([{ full_name: 'Ada Mutombo Diaz' }])
  })

  it('lets a student go after a question, and says Removing... meanwhile', async () => {
    const answered = Promise.withResolvers<void>()
    mockEndpoint(removeFromRoster, emptyErrorReply)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Remove Ada Mutombo' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Are you sure you want to remove Ada Mutombo from this course?')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await dialog.findByText('Failed to remove student. Please try again.')
    mockEndpoint(removeFromRoster, async () => {
      await answered.promise
      roster = [ben]
      return ok(removeFromRoster, { success: true, message: 'ada is gone.' })
    })
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    expect(await said('Removing...')).toBeTruthy()
    answered.resolve()
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

it('says of whom there is no email address, and offers no invitation', async () => {
  roster = [buildCourseStudent({ email: '', state: 'invited', sis_user_id: '0042' })]
  await open()
  expect(await said('No email address')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Resend/ })).toBeNull()
})

describe('students who were added without being told', () => {
  const limit = (left: number, not_invited: number) =>
    mockEndpoint(getInvitationLimit, () => ok(getInvitationLimit, { per_day: 1000, left, not_invited }))

  it('are invited together once their teacher has seen how many they are', async () => {
    roster = [ada, { ...ben, never_invited: true }]
    limit(640, 1)
    const heard = mockEndpoint(inviteRoster, () => {
      limit(639, 0)
      return ok(inviteRoster, { success: true, invited: 1, message: '1 student is sent an invitation now.' })
    })
    const { user } = await open()
    expect(await said('Not invited yet')).toBeTruthy()
    expect(button('Send invitation to ben')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Invite all not yet invited (1)' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite 1 student?' }))
    expect(heard).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Send 1 invitation' }))
    expect(await said('1 student is sent an invitation now.')).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('button', { name: /Invite all/ })).toBeNull())
    expect(heard).toHaveLength(1)
  })

  it('are invited as far as the limit of the day reaches', async () => {
    limit(2, 5)
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Invite all not yet invited (5)' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite 5 students?' }))
    expect(dialog.getByText(/You can send 2 of these invitations today/)).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Send 2 invitations' })).toBeTruthy()
  })

  it('cannot be invited together in a course of an LMS', async () => {
    limit(640, 5)
    mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ student_count: 2, lms_names: ['Moodle'] })))
    await open()
    expect(await screen.findByRole('button', { name: 'Refresh' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Invite all/ })).toBeNull()
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
    await fillIn(email, '@school.example')
    await fillIn(screen.getByLabelText('Student number (optional)'), ' 7 ')
    await user.click(button('Add Student'))
    expect(await said('cy was enrolled.')).toBeTruthy()
    expect(await heard[0]?.json()).toEqual({ email: 'cy@school.example', external_user_id: null, sis_user_id: '7' })
    expect(email.value).toBe('')
  })

  it('shows the server’s words where it says no, says that adding failed, and keeps what was typed', async () => {
    mockEndpoint(addStudent, () => ok(addStudent, { success: false, message: 'cy is already enrolled.' }))
    const { user } = await open()
    const email = screen.getByLabelText<HTMLInputElement>(/^Email/)
    await user.type(email, 'cy@school.example{Enter}')
    expect(await said('cy is already enrolled.')).toBeTruthy()
    mockEndpoint(addStudent, emptyErrorReply)
    await user.click(button('Add Student'))
    expect(await said('Failed to add student. Please try again.')).toBeTruthy()
    expect(email.value).toBe('cy@school.example')
  })
})

describe('a class from a file', () => {
  const input = () => screen.getByLabelText<HTMLInputElement>('Choose a CSV file')
  const csv = (name = 'class.csv') => new File(['email\n'.padEnd(1536, 'x')], name)
  const upload = async () => {
    const { user } = await open()
    await user.upload(input(), csv())
    return user
  }
  const read: RosterPreview = {
    system: 'Canvas',
    columns: [
      { index: 0, heading: 'Student', meaning: 'full_name', samples: ['Lovelace, Ada', 'Roth, Ben'] },
      { index: 1, heading: 'ID', meaning: 'lms_user_id', samples: ['5100', '5101'] },
      { index: 2, heading: 'SIS Login ID', meaning: 'email', samples: ['ada@school.example', 'ben@school.example'] },
    ],
    problem: null,
    students: 28,
    without_email: 0,
    first_students: [
      { row: 3, full_name: 'Ada Lovelace', email: 'ada@school.example', student_number: null, lms_user_id: '5100' },
    ],
    renames: [{ row: 9, from: 'Maria Lopes', to: 'Maria López' }],
    refused_total: 2,
    refused: [
      { row: 5, email: '', message: 'Email is required' },
      { row: 6, email: 'ben', message: 'Please enter a valid email address' },
    ],
    notes: ['Left out, as they are no students: “Points Possible” in row 2.'],
  }
  const reply: BulkRosterReply = {
    total_processed: 2,
    successful_enrollments: 1,
    failed_enrollments: 1,
    results: [
      {
        ...{ row: 2, email: 'cy@school.example', success: true, message: 'Enrolled.', created_user: false },
        renamed: { student_id: 4, from: 'Maria Lopes' },
      },
      { row: 3, email: 'nobody', success: false, message: 'No address.', created_user: true },
    ],
    notes: ['The file is not UTF-8.'],
    job_id: null,
  }
  const mockPreview = (more: Partial<RosterPreview> = {}) =>
    mockEndpoint(previewRosterCsv, () => ok(previewRosterCsv, { ...read, ...more }))
  const mockAdd = () => mockEndpoint(addStudentsFromCsv, () => ok(addStudentsFromCsv, reply))
  const fieldOf = async (request: { text: () => Promise<string> } | undefined, name: string) =>
    new RegExp(`name="${name}"\\s+(.*?)\\s*--`).exec((await request?.text()) ?? '')?.[1]

  it('must be a CSV file, one at a time', async () => {
    const heard = mockPreview()
    const { user } = await open()
    await user.upload(input(), csv('class.xlsx'))
    expect(await said('Please select a CSV file')).toBeTruthy()
    expect(heard).toEqual([])
    await user.upload(input(), csv('gradebook.xls'))
    expect(await screen.findByRole('heading', { name: 'Check the file from Canvas' })).toBeTruthy()
  })

  it('is shown as it would be read before anybody is added, and takes the focus there', async () => {
    mockPreview()
    const added = mockAdd()
    await upload()
    expect(await said('1.5 KB')).toBeTruthy()
    const heading = await screen.findByRole('heading', { name: 'Check the file from Canvas' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(screen.getByText('28 students; 2 rows cannot be used.')).toBeTruthy()
    expect(screen.getByText(read.notes[0] ?? '')).toBeTruthy()
    expect(screen.getByText('Lovelace, Ada · Roth, Ben')).toBeTruthy()
    expect(screen.getByLabelText<HTMLSelectElement>('What “ID” holds').value).toBe('lms_user_id')
    expect(screen.getByText('Ada Lovelace')).toBeTruthy()
    expect(screen.getByText('Row 9: Maria Lopes becomes Maria López')).toBeTruthy()
    const rows = within(screen.getByRole('region', { name: 'Rows that cannot be used' })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'Row 5: Email is required',
      'Row 6, ben: Please enter a valid email address',
    ])
    expect(added).toEqual([])
  })

  it('asks whether the students are mailed, with nothing chosen, and adds nobody unanswered', async () => {
    mockPreview()
    const added = mockAdd()
    const user = await upload()
    const yes = await screen.findByRole<HTMLInputElement>('radio', { name: 'Yes, email them' })
    const no = screen.getByRole<HTMLInputElement>('radio', { name: 'No, email nobody' })
    expect([yes.checked, no.checked]).toEqual([false, false])
    await user.click(button('Add 28 Students'))
    expect(await said('Choose whether the students are emailed')).toBeTruthy()
    expect(document.activeElement).toBe(yes)
    expect(added).toEqual([])
    await user.click(no)
    expect(screen.queryByText('Choose whether the students are emailed')).toBeNull()
    await user.click(button('Add 28 Students'))
    expect(await said('Processed 2 students. 1 successful, 1 failed.')).toBeTruthy()
    const form = await added[0]?.text()
    expect(form).toMatch(/name="invite"\s+no\s/)
    expect(form).toContain('["full_name","lms_user_id","email"]')
    const renamed = mockBodies(renameRosterStudent, () => ok(renameRosterStudent, { success: true, message: 'Done.' }))
    await user.click(button('Undo 1 new name'))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo 1 new name' })).toBeNull())
    expect(renamed).toEqual([{ full_name: 'Maria Lopes' }])
  })

  it('is read again when a column is changed, whose meaning no other column keeps', async () => {
    const heard = mockPreview()
    const user = await upload()
    await user.selectOptions(await screen.findByLabelText('What “ID” holds'), 'Email')
    await waitFor(() => expect(heard).toHaveLength(2))
    expect(await fieldOf(heard[1], 'columns')).toBe('["full_name","email","unused"]')
  })

  it('says what is missing where no student can be read', async () => {
    mockPreview({ problem: 'Students need an email address or a name.', students: 0, refused: [], refused_total: 0 })
    const user = await upload()
    expect(await said('Students need an email address or a name.')).toBeTruthy()
    expect(button('Add Students').disabled).toBe(true)
    await user.click(button('Choose another'))
    expect(screen.queryByText('Students need an email address or a name.')).toBeNull()
  })

  it('does not ask about mail where nobody has an address', async () => {
    mockPreview({ without_email: 28 })
    const added = mockAdd()
    const user = await upload()
    expect(
      await screen.findByText(/They have no email address: papers are matched to them by name and number/),
    ).toBeTruthy()
    expect(screen.queryByRole('radio')).toBeNull()
    await user.click(button('Add 28 Students'))
    await waitFor(() => expect(added).toHaveLength(1))
    expect(await fieldOf(added[0], 'invite')).toBe('no')
  })

  it('hides the many columns of a gradebook that are not used until they are asked for', async () => {
    const quizzes = Array.from({ length: 9 }, (_, i) => ({
      index: 3 + i,
      heading: `Quiz ${i + 1}`,
      meaning: 'unused' as const,
      samples: [],
    }))
    mockPreview({ columns: [...read.columns, ...quizzes] })
    const user = await upload()
    await screen.findByLabelText('What “Quiz 3” holds')
    expect(screen.queryByLabelText('What “Quiz 4” holds')).toBeNull()
    await user.click(button('Show 6 more columns not used'))
    expect(screen.getByLabelText('What “Quiz 9” holds')).toBeTruthy()
  })

  it('shows what became of each row, those that failed first', async () => {
    mockPreview()
    mockAdd()
    const user = await upload()
    await user.click(await screen.findByRole('radio', { name: 'Yes, email them' }))
    await user.click(button('Add 28 Students'))
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
    mockEndpoint(getInvitationLimit, () => ok(getInvitationLimit, { per_day: 1000, left, not_invited: 0 }))
    await open()
    await said(words)
  })

  it('that could not be read or added stays, with the reason', async () => {
    mockEndpoint(previewRosterCsv, emptyErrorReply)
    const user = await upload()
    expect(await said('Failed to upload CSV file. Please check the format and try again.')).toBeTruthy()
    mockEndpoint(previewRosterCsv, () => errorReply('files_refused', { detail: 'This is not a CSV file.' }))
    await user.click(button('Try again'))
    expect(await said('This is not a CSV file.')).toBeTruthy()
    mockPreview()
    await user.click(button('Try again'))
    await user.click(await screen.findByRole('radio', { name: 'No, email nobody' }))
    mockEndpoint(addStudentsFromCsv, () => errorReply('files_refused', { detail: 'The disk is full.' }))
    await user.click(button('Add 28 Students'))
    expect(await said('The disk is full.')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'No, email nobody' }).checked).toBe(true)
    await waitFor(() => expect(button('Add 28 Students').disabled).toBe(false))
  })
})
