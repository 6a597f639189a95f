import { deleteAssignments, previewDeletion } from '@assay/shared/assignments.ts'
import {
  createCourse,
  deleteCourse,
  enrolStudent,
  getCourse,
  listCourses,
  removeStudent,
  updateCourse,
} from '@assay/shared/courses.ts'
import { getCourseRetention } from '@assay/shared/retention.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it, vi } from 'vitest'
import { timeZone } from '../../lib/local-time.ts'
import {
  buildCourse,
  buildCourseAssignment,
  buildCourseDetail,
  buildCourseStudent,
} from '../../testing/build-course.ts'
import { emptyErrorReply, errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../testing/render.tsx'

beforeEach(() => {
  signInAs()
  mockEndpoint(listCourses, () => ok(listCourses, [buildCourse()]))
  mockEndpoint(getCourse, () => ok(getCourse, opened))
  mockEndpoint(getCourseRetention, { months: null, school_months: 0, effective_months: 0, upcoming: [] })
})

const opened = buildCourseDetail({
  description: 'Cells and plants',
  course_code: 'BIO-8B',
  students: [buildCourseStudent()],
  assignments: [buildCourseAssignment(), buildCourseAssignment({ id: 6, title: 'Essay', status: 'published' })],
})

const open = (path: string) => ({ ...renderPage(path), user: userEvent.setup() })
const UNREACHED = 'Assay cannot be reached. Check your connection and try again.'
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

async function chooseMenu(name: string) {
  await userEvent.click(await screen.findByRole('button', { name }))
  await screen.findAllByRole('menuitem')
}

it('the list of courses shows a card of each, with what is missing said', async () => {
  mockEndpoint(listCourses, [
    buildCourse(),
    buildCourse({ id: 8, name: 'Physics', description: 'Forces', course_code: 'PHY-1' }),
  ])
  open('/courses')
  await screen.findByRole('heading', { name: 'My Courses' })
  const bare = within(await screen.findByRole('article', { name: 'Biology 8b' }))
  expect(bare.getByText('No description provided.')).toBeTruthy()
  expect(bare.getByText(/Created .* 2026/)).toBeTruthy()
  expect(bare.getByText(/Updated .* 2026/)).toBeTruthy()
  expect(bare.getByRole('link', { name: /^View Details/ }).getAttribute('href')).toBe('/courses/7')
  const full = within(screen.getByRole('article', { name: 'Physics' }))
  expect(full.getByText('PHY-1')).toBeTruthy()
  expect(full.getByText('Forces')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Create Course' }).getAttribute('href')).toBe('/courses/create')
})

it('the list of courses shows six cards’ shapes while it loads, and what to do where there is none', async () => {
  const { promise: come, resolve: arrive } = Promise.withResolvers<void>()
  mockEndpoint(listCourses, async () => {
    await come
    return ok(listCourses, [])
  })
  open('/courses')
  const shapes = await screen.findByRole('status', { name: 'Loading courses' })
  expect(shapes.children).toHaveLength(6)
  arrive()
  await screen.findByText('No Courses Yet')
  expect(screen.getByRole('link', { name: 'Create Your First Course' }).getAttribute('href')).toBe('/courses/create')
})

it.each([
  ['An unexpected error occurred while fetching courses.', emptyErrorReply],
  ['An unexpected error occurred. Please try again.', () => HttpResponse.json([{ id: 'seven' }])],
  [`An unexpected network or server error occurred while fetching courses. ${UNREACHED}`, () => HttpResponse.error()],
  ['Assay is starting. Please try again in a moment.', () => errorReply('starting_up')],
])('the list of courses fails with Error Loading Courses: %s', async (words, how) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  mockEndpoint(listCourses, how)
  open('/courses')
  await screen.findByRole('heading', { name: 'Error Loading Courses' })
  expect(screen.getByText(words)).toBeTruthy()
})

it('making a course needs a name, sends what is empty as null, and leads to its roster after two seconds', async () => {
  const made = mockEndpoint(createCourse, () => ok(createCourse, buildCourseDetail()))
  const { address } = open('/courses/create')
  const name = await screen.findByLabelText(/Course Name/)
  expect(button('Create Course').disabled).toBe(true)
  await fillIn(name, '   ')
  expect(button('Create Course').disabled).toBe(true)
  await fillIn(name, 'Biology 8b')
  expect(screen.getByLabelText('Course Description')).toBeTruthy()
  expect(screen.getByLabelText('Course Code (optional)')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe('/courses')
  expect(screen.getByRole('heading', { name: 'Tips' })).toBeTruthy()
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(button('Create Course'))
  await screen.findByText(/created successfully!/)
  expect(await made[0]?.json()).toMatchObject({ description: null, course_code: null, time_zone: timeZone() })
  await vi.advanceTimersByTimeAsync(1500)
  expect(address()).toBe('/courses/create')
  await vi.advanceTimersByTimeAsync(500)
  vi.useRealTimers()
  await waitFor(() => expect(address()).toBe('/courses/7/roster'))
})

it.each([
  ['An unexpected error occurred during course creation.', emptyErrorReply],
  ['An unexpected error occurred. Please check the details and try again.', () => HttpResponse.json({})],
  [`An unexpected network or server error occurred. ${UNREACHED}`, () => HttpResponse.error()],
])('making a course fails beside the button, keeping what was typed: %s', async (words, how) => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  mockEndpoint(createCourse, how)
  const { user } = open('/courses/create')
  const name = await screen.findByLabelText<HTMLInputElement>(/Course Name/)
  await fillIn(name, 'Biology 8b')
  await user.click(button('Create Course'))
  await screen.findByText(words)
  expect(name.value).toBe('Biology 8b')
})

it('a course shows what it is, who is in it and the ways on', async () => {
  open('/courses/7')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  for (const words of ['BIO-8B', 'Cells and plants', 'Students', 'Assignments', 'Created', 'Updated'])
    expect(screen.getAllByText(words).length).toBeGreaterThan(0)
  for (const [name, to] of [
    ['Analytics', '/courses/7/analytics'],
    ['Manage Roster', '/courses/7/roster'],
  ])
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(to)
  await chooseMenu('More for this course')
  expect(screen.getByRole('menuitem', { name: 'Edit Course' }).getAttribute('href')).toBe('/courses/7/edit')
  const student = within(screen.getByRole('list', { name: 'Enrolled students' }))
  expect(student.getByText('Ada Mutombo').nextSibling?.textContent).toMatch(/^ada · ID 2/)
  const first = within(screen.getByRole('list', { name: 'Assignments' }))
  expect(first.getByRole('checkbox', { name: 'Select Quiz 3' })).toBeTruthy()
  expect(first.getByRole('button', { name: 'More for Quiz 3' })).toBeTruthy()
  expect(first.getByText(/Assignment ID 5/)).toBeTruthy()
  expect(first.getByRole('link', { name: 'View Submissions of Quiz 3' }).getAttribute('href')).toBe(
    '/assignments/5/submissions',
  )
})

it('a course takes the course along to a new assignment', async () => {
  const { user, router } = open('/courses/7')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  await user.click(screen.getByRole('link', { name: 'Create Assignment' }))
  await screen.findByText(/This assignment will be linked to/)
  expect(router.state.location.state).toEqual({ courseId: 7 })
})

it.each([
  ['An unexpected error occurred while fetching course details.', emptyErrorReply],
  [
    `An unexpected network or server error occurred while fetching course details. ${UNREACHED}`,
    () => HttpResponse.error(),
  ],
])('a course fails with Error Loading Course and a way back: %s', async (words, how) => {
  mockEndpoint(getCourse, how)
  open('/courses/7')
  await screen.findByRole('heading', { name: 'Error Loading Course' })
  expect(screen.getByText(words)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Back to Courses' }).getAttribute('href')).toBe('/courses')
})

it('a course says Course Not Found, and Course ID is required', async () => {
  mockEndpoint(getCourse, () => errorReply('resource_not_found'))
  open('/courses/7')
  await screen.findByRole('heading', { name: 'Course Not Found' })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  open('/courses/seven')
  await screen.findByText(/Course ID is required/)
})

it('students of a course are enrolled by a whole number above 0', async () => {
  mockEndpoint(enrolStudent, buildCourseStudent({ id: 9, username: 'lin', full_name: 'Lin Chen' }))
  const { user } = open('/courses/7')
  await user.click(await screen.findByRole('button', { name: 'Enroll Student' }))
  expect(button('Enroll').disabled).toBe(true)
  expect(screen.getByRole('link', { name: 'Add others by email' }).getAttribute('href')).toBe('/courses/7/roster')
  for (const wrong of ['0', '-1', '1.5', 'nine']) {
    await user.clear(screen.getByLabelText('User ID'))
    await user.type(screen.getByLabelText('User ID'), wrong)
    await user.click(button('Enroll'))
    expect(screen.getByText('Please enter a valid user ID')).toBeTruthy()
  }
  await user.clear(screen.getByLabelText('User ID'))
  await user.type(screen.getByLabelText('User ID'), '9')
  await user.click(button('Enroll'))
  await screen.findByText('Lin Chen enrolled')
  mockEndpoint(enrolStudent, emptyErrorReply)
  await user.type(screen.getByLabelText('User ID'), '10')
  await user.click(button('Enroll'))
  await screen.findByText('Failed to enroll student')
})

it('students of a course are removed after a question', async () => {
  mockEndpoint(removeStudent, emptyErrorReply)
  const { user } = open('/courses/7')
  await user.click(await screen.findByRole('button', { name: 'Remove Ada Mutombo' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Are you sure you want to remove Ada Mutombo from this course?')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await dialog.findByText('Failed to remove student')
  mockEndpoint(removeStudent, () => ok(removeStudent, { message: 'Removed' }))
  await user.click(dialog.getByRole('button', { name: 'Remove' }))
  await screen.findByText('Ada Mutombo removed from the course')
})

const results = (part: object) => ({
  results: {
    total_requested: 2,
    total_deleted: 1,
    successful_deletions: [5],
    failed_deletions: [],
    validation_failures: [],
    ...part,
  },
})

async function choose() {
  mockEndpoint(previewDeletion, { validation_details: { warnings: ['3 submissions', '3 grades'] } })
  const { user } = open('/courses/7')
  const all = await screen.findByRole('checkbox', { name: 'Select all' })
  expect(screen.queryByRole('button', { name: /^Delete Selected/ })).toBeNull()
  await user.click(all)
  await user.click(button('Delete Selected (2)'))
  const dialog = within(await screen.findByRole('dialog'))
  await dialog.findByText('3 submissions')
  expect(dialog.getByText('This action cannot be undone.')).toBeTruthy()
  return { user, confirm: dialog.getByRole('button', { name: 'Delete 2 assignments' }), dialog }
}

it('deleting assignments together says how many went, which did not, and which were gone', async () => {
  mockEndpoint(deleteAssignments, () =>
    ok(
      deleteAssignments,
      results({
        failed_deletions: [{ id: 6, title: 'Essay' }],
        validation_failures: [{ id: 8, error: 'Assignment 8 not found' }],
      }) as never,
    ),
  )
  const { user, confirm } = await choose()
  await user.click(confirm)
  await screen.findByText('Successfully deleted 1/2 assignments')
  await screen.findByText('Failed to delete: Essay')
  await screen.findByText('Validation failures: Assignment 8 not found')
})

it('deleting assignments together says Failed to perform bulk deletion', async () => {
  mockEndpoint(deleteAssignments, emptyErrorReply)
  const { user, confirm, dialog } = await choose()
  await user.click(confirm)
  await dialog.findByText('Failed to perform bulk deletion')
})

async function ask() {
  const { user, address } = open('/courses/7')
  await chooseMenu('More for this course')
  await user.click(screen.getByRole('menuitem', { name: 'Delete Course' }))
  const dialog = within(await screen.findByRole('dialog'))
  const confirm = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete Course' })
  const typed = dialog.getByLabelText(/^Type Biology 8b/)
  return { user, address, dialog, confirm, typed }
}

it('deleting a course needs its exact name', async () => {
  const words = 'Course "Biology 8b" and all its assignments and enrollments have been deleted successfully'
  mockEndpoint(deleteCourse, () => ok(deleteCourse, { message: words }))
  const { user, address, dialog, confirm, typed } = await ask()
  expect(confirm.disabled).toBe(true)
  await fillIn(typed, 'biology 8b')
  expect(confirm.disabled).toBe(true)
  expect(
    dialog.getByText('Course name does not match. Please type the exact course name to confirm deletion.'),
  ).toBeTruthy()
  await user.clear(typed)
  await fillIn(typed, ' Biology 8b ')
  await user.click(confirm)
  await screen.findByText(words)
  await waitFor(() => expect(address()).toBe('/courses'))
})

it.each([
  ['Failed to delete course', emptyErrorReply],
  ['Course information not available', () => errorReply('resource_not_found')],
])('deleting a course says %s', async (words, how) => {
  mockEndpoint(deleteCourse, how)
  const { user, dialog, confirm, typed } = await ask()
  await fillIn(typed, 'Biology 8b')
  await user.click(confirm)
  await dialog.findByText(words)
})

it('editing a course is saved when something has changed, and leads to the course after 1.5 seconds', async () => {
  mockEndpoint(updateCourse, () => ok(updateCourse, { ...opened, name: 'Biology 8c' }))
  const { user, address } = open('/courses/7/edit')
  await screen.findByRole('heading', { name: 'Edit Course' })
  const name = screen.getByLabelText<HTMLInputElement>(/Course Name/)
  expect(name.value).toBe('Biology 8b')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Course Description').value).toBe('Cells and plants')
  expect(screen.getByLabelText<HTMLInputElement>('Course Code (optional)').value).toBe('BIO-8B')
  expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe('/courses/7')
  expect(button('Save Changes').disabled).toBe(true)
  await user.clear(name)
  expect(button('Save Changes').disabled).toBe(true)
  await fillIn(name, 'Biology 8c')
  await screen.findByText('You have unsaved changes')
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await userEvent.setup({ advanceTimers: vi.advanceTimersByTime }).click(button('Save Changes'))
  await screen.findByText('Course "Biology 8c" updated successfully!')
  await vi.advanceTimersByTimeAsync(1000)
  expect(address()).toBe('/courses/7/edit')
  await vi.advanceTimersByTimeAsync(500)
  vi.useRealTimers()
  await waitFor(() => expect(address()).toBe('/courses/7'))
})

it.each([
  ['Failed to update course', emptyErrorReply],
  ['Course information is not available', () => errorReply('resource_not_found')],
])('editing a course says %s, and keeps what was typed', async (words, how) => {
  mockEndpoint(updateCourse, how)
  const { user } = open('/courses/7/edit')
  const name = await screen.findByLabelText<HTMLInputElement>(/Course Name/)
  await user.type(name, '!')
  await user.click(button('Save Changes'))
  await screen.findByText(words)
  expect(name.value).toBe('Biology 8b!')
})
