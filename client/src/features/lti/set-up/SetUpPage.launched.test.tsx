import { getMe } from '@assay/shared/auth.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { getSetUp, openLaunch, resumeLaunch, type SetUp, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { timeZone } from '../../../lib/local-time.ts'
import { buildCourseAssignment, buildCourseDetail } from '../../../testing/build-course.ts'
import { errorReply, mockEndpoint, ok, teacher } from '../../../testing/mock-api.ts'
import { fillIn } from '../../../testing/render.tsx'
import { buildLaunch, LAUNCH_ID, launchTokenReply, renderLaunched } from '../../../testing/render-launched.tsx'

const launch = buildLaunch({ purpose: 'set_up', path: '/lti/set-up', course_id: null, assignment_id: null })
const settled = buildLaunch({ path: '/courses/7' })

const setUp = (part: Partial<SetUp> = {}): SetUp => ({
  context_title: 'Biology, spring',
  link_title: 'Quiz 3',
  has_link: true,
  course_id: null,
  courses: [],
  assignments: [],
  copied_from: null,
  ...part,
})

beforeEach(() => {
  mockEndpoint(getMe, () => ok(getMe, { ...teacher, from_lms: true }))
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply(launch)))
})

async function open(part: Partial<SetUp> = {}) {
  mockEndpoint(getSetUp, () => ok(getSetUp, setUp(part)))
  renderLaunched('/enter#one-time')
  await screen.findAllByRole('radiogroup')
}
const choice = (name: RegExp | string) => screen.getByRole<HTMLInputElement>('radio', { name })
const go = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Continue/ })
const here = () => location.pathname + location.search

describe('the first launch of a course', () => {
  it('offers a new course by the LMS’s name, and goes on to its new assignment', async () => {
    const asked = mockEndpoint(setUpLaunch, { ...launch, course_id: 7, purpose: 'set_up', path: '/lti/set-up' })
    await open()
    await screen.findByRole('heading', { name: 'Set up “Quiz 3”' })
    expect(screen.getByLabelText<HTMLInputElement>(/Course name/).value).toBe('Biology, spring')
    expect(choice(/A new assignment/).checked).toBe(true)
    expect(screen.queryByRole('navigation', { name: 'This course' })).toBeNull()
    await userEvent.click(go())
    await waitFor(() => expect(here()).toBe(`/l/${LAUNCH_ID}/create-assignment?courseId=7&for=link`))
    expect(await asked[0]?.json()).toEqual({
      course: { kind: 'new', name: 'Biology, spring', time_zone: timeZone() },
      assignment: { kind: 'later' },
    })
  })

  it('needs a name for it', async () => {
    await open({ context_title: null })
    expect(go().disabled).toBe(true)
    await fillIn(screen.getByLabelText(/Course name/), 'Biology')
    expect(go().disabled).toBe(false)
  })

  it('makes it a section of a course there is, and opens an assignment of that course', async () => {
    const assignments = [buildCourseAssignment({ id: 12, title: 'Cells' })]
    const asked = mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ assignments })))
    const sent = mockEndpoint(setUpLaunch, () => ok(setUpLaunch, settled))
    await open({ courses: [{ id: 9, name: 'Biology 8b', assignments: 1 }] })
    expect(screen.queryByRole('radio', { name: /An assignment of this course/ })).toBeNull()
    await userEvent.click(choice(/Another section/))
    expect(go().disabled).toBe(true)
    await userEvent.selectOptions(screen.getByLabelText(/^Course/), 'Biology 8b (1 assignment)')
    await userEvent.click(await screen.findByRole('radio', { name: /An assignment of this course/ }))
    expect(asked[0]?.url.pathname).toMatch(/\/courses\/9$/)
    await userEvent.selectOptions(screen.getByLabelText(/^Assignment/), 'Cells (draft)')
    await userEvent.click(go())
    await waitFor(() => expect(here()).toBe(`/l/${LAUNCH_ID}/courses/7`))
    expect(await sent[0]?.json()).toEqual({
      course: { kind: 'existing', course_id: 9 },
      assignment: { kind: 'existing', assignment_id: 12 },
    })
  })

  it('forgets an assignment that was chosen from another course', async () => {
    const assignments = [buildCourseAssignment({ id: 12, title: 'Cells' })]
    mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ assignments })))
    await open({
      courses: [
        { id: 9, name: 'Biology 8b', assignments: 1 },
        { id: 10, name: 'Biology 8c', assignments: 1 },
      ],
    })
    await userEvent.click(choice(/Another section/))
    await userEvent.selectOptions(screen.getByLabelText(/^Course/), '9')
    await userEvent.click(await screen.findByRole('radio', { name: /An assignment of this course/ }))
    await userEvent.selectOptions(screen.getByLabelText(/^Assignment/), '12')
    await userEvent.selectOptions(screen.getByLabelText(/^Course/), '10')
    expect(choice(/A new assignment/).checked).toBe(true)
  })

  it('offers the copy first where the course was copied', async () => {
    const sent = mockEndpoint(setUpLaunch, () => ok(setUpLaunch, settled))
    const copied_from = { course_id: 4, course_name: 'Biology, fall', assignment_id: 31, title: 'Quiz 3' }
    await open({ copied_from })
    expect(screen.getByText(/copied from “Biology, fall”/)).toBeTruthy()
    expect(choice('A copy of “Quiz 3” from “Biology, fall”').checked).toBe(true)
    await userEvent.click(go())
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toMatchObject({ assignment: { kind: 'copy', assignment_id: 31 } })
  })

  it('asks for the course alone where there is no link yet', async () => {
    const sent = mockEndpoint(setUpLaunch, () => ok(setUpLaunch, settled))
    await open({ has_link: false, link_title: null })
    expect(screen.getAllByRole('radiogroup')).toHaveLength(1)
    await userEvent.click(go())
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toMatchObject({ assignment: { kind: 'none' } })
  })
})

describe('the first launch of a link in a course that is settled', () => {
  it('asks only for the assignment, and offers the one of the same name', async () => {
    const sent = mockEndpoint(setUpLaunch, () => ok(setUpLaunch, settled))
    const assignments = [
      { id: 12, title: 'Cells', status: 'published' as const },
      { id: 13, title: 'quiz 3', status: 'draft' as const },
    ]
    await open({ course_id: 7, assignments })
    expect(screen.getByRole('radiogroup', { name: 'What should “Quiz 3” open?' })).toBeTruthy()
    expect(screen.getAllByRole('radiogroup')).toHaveLength(1)
    expect(screen.getByLabelText<HTMLSelectElement>(/^Assignment/).value).toBe('13')
    await userEvent.click(go())
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toEqual({ assignment: { kind: 'existing', assignment_id: 13 } })
  })
})

it('says why it could not be saved, and shows what is there when somebody else was first', async () => {
  mockEndpoint(setUpLaunch, () => errorReply('conflict', { detail: 'Someone else has already set up this course.' }))
  await open()
  const again = mockEndpoint(getSetUp, () => ok(getSetUp, setUp({ course_id: 7 })))
  await userEvent.click(go())
  await screen.findByText('Someone else has already set up this course.')
  await waitFor(() => expect(again).toHaveLength(1))
  await waitFor(() => expect(screen.queryByLabelText(/Course name/)).toBeNull())
})

it('redirects when it is opened again after all is set up', async () => {
  mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(settled)))
  renderLaunched('/lti/set-up')
  await screen.findByRole('heading', { name: 'Biology 8b' })
  const nav = within(await screen.findByRole('navigation', { name: 'This course' }))
  expect(nav.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'Submissions',
    'Course',
    'Roster',
    'Gradebook',
    'Analytics',
  ])
})

it('offers to bring in an account that is there already, quietly', async () => {
  mockEndpoint(openLaunch, () => ok(openLaunch, launchTokenReply({ ...launch, can_join_account: true })))
  await open()
  const link = screen.getByRole('link', { name: 'Merge that account' })
  expect(link.getAttribute('href')).toBe(`/l/${LAUNCH_ID}/lti/account`)
})
