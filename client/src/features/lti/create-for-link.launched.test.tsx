import { createAssignment, getAssignment } from '@assay/shared/assignments.ts'
import { getMe } from '@assay/shared/auth.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { getSetUp, resumeLaunch, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { generateRubric } from '@assay/shared/rubric-endpoints.ts'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment, buildCourseDetail } from '../../testing/build-course.ts'
import { errorReply, mockEndpoint, ok, teacher } from '../../testing/mock-api.ts'
import { buildLaunch, LAUNCH_ID, launchTokenReply, renderLaunched } from '../../testing/render-launched.tsx'

const launch = buildLaunch({ purpose: 'set_up', path: '/lti/set-up', course_id: 7, assignment_id: null })
const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' })
const here = () => location.pathname

beforeEach(() => {
  mockEndpoint(getMe, () => ok(getMe, teacher))
  mockEndpoint(getAssignment, () => errorReply('service_unavailable'))
  mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(launch)))
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
  mockEndpoint(createAssignment, () => ok(createAssignment, buildAssignment()))
})

async function create() {
  renderLaunched('/create-assignment?courseId=7&for=link')
  const name = await screen.findByLabelText<HTMLInputElement>(/Assignment name/)
  expect(name.value).toBe('Quiz 3')
  await screen.findByText(/“Quiz 3” in Lindenhof Canvas will open this assignment/)
  await waitFor(() => expect(screen.queryByLabelText('Course')).toBeNull())
  await userEvent.upload(screen.getByLabelText('Choose the blank assignment'), pdf('blank.pdf'))
  await userEvent.upload(screen.getByLabelText('Choose the answer key'), pdf('key.pdf'))
  await userEvent.click(screen.getByRole('button', { name: 'Create Assignment' }))
}

it('ties the assignment that was created to the link, and leads to its rubric, which is made meanwhile', async () => {
  const tied = mockEndpoint(setUpLaunch, () => ok(setUpLaunch, buildLaunch()))
  const making = mockEndpoint(generateRubric, () => errorReply('service_unavailable'))
  await create()
  await waitFor(() => expect(here()).toBe(`/l/${LAUNCH_ID}/assignments/5/rubric`))
  expect(await tied[0]?.json()).toEqual({ assignment: { kind: 'existing', assignment_id: 5 } })
  expect(await making[0]?.json()).toEqual({ by: 'rules' })
  const nav = await screen.findByRole('navigation', { name: 'This course' })
  expect(nav.textContent).toContain('Submissions')
})

it('leads back to the setup, where the assignment can be chosen, when it cannot be tied', async () => {
  mockEndpoint(setUpLaunch, () => errorReply('conflict', { detail: 'The link opens something else meanwhile.' }))
  mockEndpoint(getSetUp, {
    context_title: 'Biology',
    link_title: 'Quiz 3',
    has_link: true,
    course_id: 7,
    courses: [],
    assignments: [{ id: 5, title: 'Quiz 3', status: 'draft' }],
    copied_from: null,
  })
  await create()
  await screen.findByText(/was created, but the link does not open it yet\. The link opens something else/)
  await waitFor(() => expect(here()).toBe(`/l/${LAUNCH_ID}/lti/set-up`))
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>(/^Assignment/).value).toBe('5'))
})
