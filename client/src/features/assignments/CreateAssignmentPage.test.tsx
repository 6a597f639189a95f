import { createAssignment, getAssignment, listAssignments } from '@assay/shared/assignments.ts'
import { getCourse, listCourses } from '@assay/shared/courses.ts'
import { generateRubric, getRubric } from '@assay/shared/rubric-endpoints.ts'
import { listRuns } from '@assay/shared/runs.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildAssignment, buildCourse, buildCourseDetail } from '../../testing/build-course.ts'
import { buildCurrentRubric } from '../../testing/build-rubric.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { fillIn, renderApp, renderPage } from '../../testing/render.tsx'

const course = (id: number) => buildCourse({ id, name: `Course ${id}` })

const created = buildAssignment({
  course_id: null,
  course_name: null,
  counts: { submissions: 0, graded: 0, flagged: 0, failed: 0, reviewed: 0, unreleased: 0, regrades: 0 },
})

const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' })

async function open(path = '/create-assignment', courses = [course(7), course(8)]) {
  mockEndpoint(listCourses, () => ok(listCourses, courses))
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ ...course(7), instructors: [] })))
  const app = renderPage(path)
  const select = await screen.findByLabelText<HTMLSelectElement>('Course')
  return { ...app, select, user: userEvent.setup() }
}

async function fill(user: ReturnType<typeof userEvent.setup>) {
  await fillIn(screen.getByLabelText(/Assignment name/), 'Quiz 3')
  await user.upload(screen.getByLabelText('Choose the blank assignment'), pdf('blank.pdf'))
  await user.upload(screen.getByLabelText('Choose the answer key'), pdf('key.pdf'))
}

beforeEach(() => signInAs())

describe('which course an assignment belongs to', () => {
  it('is none until one is chosen, and the form says what that means', async () => {
    const { select, user } = await open()
    await screen.findByRole('option', { name: 'Course 8' })
    expect(select.value).toBe('')
    expect(screen.getByText(/students will not see the assignment/)).toBeTruthy()
    await user.selectOptions(select, 'Course 8')
    expect(screen.queryByText(/students will not see the assignment/)).toBeNull()
  })

  it('is the only one there is', async () => {
    const { select } = await open('/create-assignment', [course(8)])
    await waitFor(() => expect(select.value).toBe('8'))
  })

  it('is the one the address names, with its breadcrumb and its notice', async () => {
    const { select, user } = await open('/create-assignment?courseId=7')
    await screen.findByText(/will be linked to/)
    expect(select.value).toBe('7')
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toBeTruthy()
    await user.selectOptions(select, 'No course')
    expect(screen.queryByText(/will be linked to/)).toBeNull()
  })

  it('is sent with the form', async () => {
    const { select, user } = await open()
    const sent = mockEndpoint(createAssignment, () => errorReply('service_unavailable'))
    await user.selectOptions(select, await screen.findByRole('option', { name: 'Course 8' }))
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Create Assignment' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.text()).toMatch(/name="course_id"\s+8\s/)
  })
})

it('needs a name and two PDFs, and says so until then', async () => {
  const { user } = await open()
  const words = 'Assignment name, blank assignment PDF, and answer key PDF are required.'
  const create = screen.getByRole<HTMLButtonElement>('button', { name: 'Create Assignment' })
  expect(create.disabled).toBe(true)
  expect(screen.getByText(words)).toBeTruthy()
  for (const what of ['The blank assignment is', 'The answer key is', 'The student papers are'])
    expect(screen.getByRole('checkbox', { name: `${what} handwritten` })).toBeTruthy()
  await fill(user)
  expect(create.disabled).toBe(false)
  expect(screen.queryByText(words)).toBeNull()
})

describe('where the focus goes', () => {
  it('from a removed file to the next one, and from the last to where files are chosen', async () => {
    const { user } = await open()
    await fill(user)
    await user.upload(screen.getByLabelText('Choose student papers'), [pdf('ada.pdf'), pdf('ben.pdf')])
    await user.click(screen.getByRole('button', { name: 'Remove ada.pdf' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove ben.pdf' }))
    await user.click(screen.getByRole('button', { name: 'Remove key.pdf' }))
    expect(document.activeElement).toBe(screen.getByLabelText('Choose the answer key'))
  })

  it('to a date that is wrong, which is unfolded for it', async () => {
    const sent = mockEndpoint(createAssignment, () => errorReply('service_unavailable'))
    const { user } = await open()
    await fill(user)
    const due = screen.getByLabelText('Due')
    const folded = due.closest('details')
    await fillIn(screen.getByLabelText('Opens'), '2026-11-23T12:00')
    await fillIn(due, '2026-11-01T12:00')
    expect(folded?.open).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Create Assignment' }))
    expect(folded?.open).toBe(true)
    expect(document.activeElement).toBe(due)
    expect(sent).toEqual([])
  })

  it('to the notice when the assignment is refused', async () => {
    mockEndpoint(createAssignment, () => errorReply('service_unavailable'))
    const { user } = await open()
    await fill(user)
    await user.click(screen.getByRole('button', { name: 'Create Assignment' }))
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('Failed to create assignment')
    await waitFor(() => expect(document.activeElement).toBe(alert))
  })
})

it.each([
  ['/create-assignment', /Assignment name/],
  ['/courses/create', /Course Name/],
])('leaving with something entered is asked about on %s, and only then', async (path, label) => {
  mockEndpoint(listCourses, () => ok(listCourses, []))
  mockEndpoint(listAssignments, () => ok(listAssignments, []))
  const user = userEvent.setup()
  const app = renderApp(path)
  const away = async () =>
    await user.click((await screen.findAllByRole('link', { name: 'Dashboard' }))[0] as HTMLElement)
  await fillIn(await screen.findByLabelText(label), 'Quiz 3')
  await away()
  await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
  expect(app.address()).toBe(path)
  expect(screen.getByLabelText(label)).toHaveProperty('value', 'Quiz 3')
  await user.clear(screen.getByLabelText(label))
  await away()
  await waitFor(() => expect(app.address()).toBe('/dashboard'))
})

it('leaving with something entered is not asked about once the assignment is created', async () => {
  mockEndpoint(listRuns, () => ok(listRuns, []))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
  mockEndpoint(getAssignment, () => ok(getAssignment, created))
  mockEndpoint(createAssignment, () => ok(createAssignment, created))
  const generation = { by: 'rules' as const, state: 'running' as const, message: 'Reading the answer key' }
  const none = buildCurrentRubric({ rubric: null, version: 0, made: null, checked: null, generation })
  mockEndpoint(getRubric, () => ok(getRubric, none))
  const made = mockEndpoint(generateRubric, () => ok(generateRubric, none))
  const { user, address } = await open()
  await fill(user)
  await user.click(screen.getByRole('button', { name: 'Create Assignment' }))
  await screen.findByText('Assignment created and files uploaded successfully!')
  await waitFor(() => expect(address()).toBe('/assignments/5/rubric'))
  await screen.findByText('Creating the rubric')
  expect(await made[0]?.json()).toEqual({ by: 'rules' })
})
