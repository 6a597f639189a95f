import { addInstructor, createJoinCode, deleteJoinCode, getCourse, removeInstructor } from '@assay/shared/courses.ts'
import { listLmsCourses, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildCourseDetail, buildCourseStudent } from '../../testing/build-course.ts'
import { buildLmsCourse } from '../../testing/build-lms-course.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'

const me = { id: 1, username: 'mkeller', full_name: 'Martin Keller' }
const grace = { id: 9, username: 'grace', full_name: 'Grace Hopper' }

beforeEach(() => signInAs())

async function open(part: Parameters<typeof buildCourseDetail>[0] = {}) {
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail(part)))
  const app = renderPage('/courses/7')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  return { ...app, user: userEvent.setup() }
}

const button = (name: string) => screen.findByRole('button', { name })
const dialog = async () => within(await screen.findByRole('dialog'))

describe('a course of an LMS', () => {
  const tied = buildLmsCourse()

  it('has its people from there: a sync in place of enrolling, and no code unless one is asked for', async () => {
    mockEndpoint(listLmsCourses, () => ok(listLmsCourses, [tied]))
    const asked = mockEndpoint(syncLmsRoster, () => ok(syncLmsRoster, [tied]))
    const { user } = await open({ lms_names: ['Canvas'] })
    await user.click(await button('Sync now'))
    await waitFor(() => expect(asked).toHaveLength(1))
    expect(screen.getByText(/Students are added from Canvas when the roster syncs/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Enroll Student' })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Course code' })).toBeNull()

    await user.click(await button('Add someone who is not in Canvas…'))
    const outsiders = within(screen.getByRole('region', { name: 'People who are not in Canvas' }))
    expect(outsiders.getByText(/would create a second account/)).toBeTruthy()
    expect(outsiders.getByRole('button', { name: 'Create course code' })).toBeTruthy()
    expect(await button('Add Instructor')).toBeTruthy()
  })

  it('hides no code that opens it', async () => {
    mockEndpoint(listLmsCourses, () => ok(listLmsCourses, [tied]))
    await open({ lms_names: ['Canvas', 'Moodle'], join_code: 'ABCD2345' })
    const outsiders = within(screen.getByRole('region', { name: 'People who are not in Canvas and Moodle' }))
    expect(outsiders.getByRole('status', { name: 'Course code' }).textContent).toBe('ABCD-2345')
    expect(outsiders.getByRole('button', { name: 'Turn off' })).toBeTruthy()
  })

  it('says before a student of the LMS is removed that they come back', async () => {
    mockEndpoint(listLmsCourses, () => ok(listLmsCourses, [tied]))
    const students = [buildCourseStudent({ added_by: 'lms' })]
    const { user } = await open({ lms_names: ['Canvas'], students, student_count: 1 })
    await user.click(await button('Remove Ada Mutombo'))
    expect((await dialog()).getByText(/the next sync will add them again/)).toBeTruthy()
  })
})

it('the course code is made, shown in two halves and large, and changed after a question', async () => {
  const codes = ['ABCD2345', 'WXYZ6789']
  mockEndpoint(createJoinCode, (_, count) => ok(createJoinCode, { join_code: codes[count - 1] ?? '' }))
  const { user } = await open()
  await user.click(await button('Create course code'))
  const code = await screen.findByRole('status', { name: 'Course code' })
  expect(code.textContent).toBe('ABCD-2345')
  await user.click(await button('Enlarge'))
  expect((await dialog()).getByText('ABCD-2345')).toBeTruthy()
  await user.click((await dialog()).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(await button('New code'))
  await user.click((await dialog()).getByRole('button', { name: 'New code' }))
  await waitFor(() => expect(code.textContent).toBe('WXYZ-6789'))
})

it('the course code is turned off after a question', async () => {
  const heard = mockEndpoint(deleteJoinCode, () => ok(deleteJoinCode, { message: 'Off.' }))
  const { user } = await open({ join_code: 'ABCD2345' })
  await user.click(await button('Turn off'))
  expect(heard).toEqual([])
  await user.click((await dialog()).getByRole('button', { name: 'Turn off' }))
  await button('Create course code')
  expect(heard).toHaveLength(1)
})

describe('who teaches a course', () => {
  it('is added by name or address, and an unknown one is an error at the field', async () => {
    mockEndpoint(addInstructor, (_, count) =>
      count === 1
        ? errorReply('validation_failed', {
            detail: [{ loc: ['body', 'login'], msg: 'There is no such instructor.', type: 'unknown' }],
          })
        : ok(addInstructor, grace),
    )
    const { user } = await open()
    expect(screen.queryByRole('button', { name: 'Remove Martin Keller as instructor' })).toBeNull()
    await user.click(await button('Add Instructor'))
    const field = screen.getByLabelText<HTMLInputElement>('Username or email of an instructor')
    await user.type(field, 'grace{Enter}')
    expect(await screen.findByText('There is no such instructor.')).toBeTruthy()
    expect(field.value).toBe('grace')
    await user.type(field, '{Enter}')
    expect(await button('Remove Grace Hopper as instructor')).toBeTruthy()
    expect(field.value).toBe('')
  })

  it('is removed after a confirmation, and a teacher who removes themselves is sent to the list', async () => {
    const heard = mockEndpoint(removeInstructor, () => ok(removeInstructor, { message: 'Gone.' }))
    const { user, address } = await open({ instructors: [me, grace] })
    await user.click(await button('Remove Martin Keller as instructor'))
    expect(heard).toEqual([])
    await user.click((await dialog()).getByRole('button', { name: 'Leave course' }))
    await waitFor(() => expect(address()).toBe('/courses'))
    expect(heard[0]?.url.pathname).toMatch(/\/instructors\/1$/)
  })
})
