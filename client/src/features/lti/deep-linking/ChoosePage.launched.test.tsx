import { createAssignment, getAssignment } from '@assay/shared/assignments.ts'
import { getMe } from '@assay/shared/auth.ts'
import { getCourse } from '@assay/shared/courses.ts'
import { resumeLaunch } from '@assay/shared/lti/lti.ts'
import {
  answerDeepLink,
  getLinkChoice,
  type LinkableAssignment,
  type LinkChoice,
} from '@assay/shared/lti/lti-deep-linking.ts'
import { checkRubric, generateRubric, getRubric } from '@assay/shared/rubric-endpoints.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { externalNavigation } from '../../../lib/session/external-navigation.ts'
import { buildAssignment, buildCourseDetail } from '../../../testing/build-course.ts'
import { buildCurrentRubric } from '../../../testing/build-rubric.ts'
import { errorReply, mockEndpoint, ok, teacher } from '../../../testing/mock-api.ts'
import { fillIn } from '../../../testing/render.tsx'
import { buildLaunch, launchTokenReply, renderLaunched } from '../../../testing/render-launched.tsx'

const launch = buildLaunch({ purpose: 'deep_link', path: '/lti/choose', assignment_id: null, link_title: null })

function assignment(id: number, title: string, more: Partial<LinkableAssignment> = {}): LinkableAssignment {
  const facts = { points: null, due_at: null, linked: false, added_at: null }
  return { id, title, status: 'published', created_at: '2026-01-01T00:00:00Z', ...facts, ...more }
}

const three = [
  assignment(5, 'Quiz 3', { points: 20, due_at: '2031-03-08T08:00:00Z' }),
  assignment(4, 'Quiz 2', { status: 'draft' }),
  assignment(3, 'Quiz 1', { linked: true, added_at: '2026-01-02T00:00:00Z' }),
]

const choiceOf = (more: Partial<LinkChoice> = {}): LinkChoice => ({
  platform_name: 'Lindenhof Canvas',
  context_title: 'Biology, spring',
  in_course: true,
  course: { id: 7, name: 'Biology 8b' },
  accepts: { links: true, several: true, line_items: true },
  answered: false,
  assignments: three,
  ...more,
})

const left = vi.fn<typeof externalNavigation.goTo>()
beforeEach(() => {
  vi.spyOn(externalNavigation, 'goTo').mockImplementation(left.mockReset())
  mockEndpoint(getMe, () => ok(getMe, teacher))
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail()))
  mockEndpoint(resumeLaunch, () => ok(resumeLaunch, launchTokenReply(launch)))
})

function choosing(choice: LinkChoice, path = '/lti/choose') {
  mockEndpoint(getLinkChoice, () => ok(getLinkChoice, choice))
  const sent = mockEndpoint(answerDeepLink, () => ok(answerDeepLink, { page: '/lti/return/one-time' }))
  renderLaunched(path)
  return sent
}

const box = (name: RegExp) => screen.findByRole('checkbox', { name })
const button = (name: string) => screen.getByRole('button', { name })

describe('choosing assignments for an LMS course', () => {
  it('says of each what it is worth, when it is due, whether students see it and whether it is linked', async () => {
    choosing(choiceOf())
    await screen.findByRole('heading', { name: 'Add assignments' })
    await box(/Quiz 3.*Published.*20 points.*Due 8 Mar 2031|Quiz 3.*Published.*20 points.*Due Mar 8, 2031/)
    await box(/Quiz 2.*Draft/)
    await box(/Quiz 1.*Linked in this course/)
    expect(
      screen.getByText(
        'From Biology 8b in Assay. Each one becomes a link in Biology, spring, with a column in its gradebook.',
      ),
    ).toBeTruthy()
  })

  it('sends what was chosen, in that order, and leaves for the page that takes it along', async () => {
    const sent = choosing(choiceOf())
    expect((await screen.findByRole('button', { name: 'Add assignment' })).hasAttribute('disabled')).toBe(true)
    await userEvent.click(await box(/Quiz 2/))
    await userEvent.click(await box(/Quiz 3/))
    expect(screen.getByRole('status').textContent).toBe('2 assignments chosen.')
    await userEvent.click(button('Add 2 assignments'))
    await waitFor(() => expect(left).toHaveBeenCalledWith('/lti/return/one-time'))
    expect(await sent[0]?.json()).toEqual({ assignment_ids: [4, 5] })
    expect(button('Cancel').hasAttribute('disabled')).toBe(true)
    expect(sent).toHaveLength(1)
  })

  it('takes one alone where the LMS does', async () => {
    const accepts = { links: true, several: false, line_items: false }
    const sent = choosing(choiceOf({ accepts }))
    await screen.findByRole('heading', { name: 'Add an assignment' })
    await userEvent.click(await screen.findByRole('radio', { name: /Quiz 2/ }))
    await userEvent.click(screen.getByRole('radio', { name: /Quiz 3/ }))
    expect(screen.queryByText(/gradebook/)).toBeNull()
    await userEvent.click(button('Add assignment'))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toEqual({ assignment_ids: [5] })
  })

  it('can be done by keyboard alone', async () => {
    const sent = choosing(choiceOf())
    const first = await box(/Quiz 3/)
    first.focus()
    await userEvent.keyboard(' {Enter}')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(await sent[0]?.json()).toEqual({ assignment_ids: [5] })
  })

  it('goes back to the LMS with nothing', async () => {
    const sent = choosing(choiceOf())
    await userEvent.click(await box(/Quiz 3/))
    await userEvent.click(button('Cancel'))
    await waitFor(() => expect(left).toHaveBeenCalledWith('/lti/return/one-time'))
    expect(await sent[0]?.json()).toEqual({ assignment_ids: [] })
  })

  it('says what a draft and a second link mean before they are sent', async () => {
    choosing(choiceOf())
    await userEvent.click(await box(/Quiz 1/))
    expect(screen.getByText(/It is already linked in this course/)).toBeTruthy()
    await userEvent.click(await box(/Quiz 2/))
    expect(screen.getByText(/One of them is already linked in this course/)).toBeTruthy()
    expect(screen.getByText('Students see a draft only after you publish it in Assay.')).toBeTruthy()
  })

  it('finds by name in a long list, and says what is chosen and not shown', async () => {
    const many = Array.from({ length: 9 }, (_, i) => assignment(i + 1, `Quiz ${i + 1}`))
    const sent = choosing(choiceOf({ assignments: many }))
    await userEvent.click(await box(/Quiz 2/))
    const search = screen.getByRole('searchbox', { name: 'Search assignments' })
    await userEvent.type(search, 'quiz 7{Enter}')
    expect(sent).toHaveLength(0)
    expect(within(screen.getByRole('list')).getAllByRole('checkbox')).toHaveLength(1)
    expect(screen.getByText('1 of them hidden by this search')).toBeTruthy()
    await userEvent.clear(search)
    await fillIn(search, 'nowhere')
    expect(screen.getByText('No assignments match “nowhere”.')).toBeTruthy()
  })

  it('preserves the choice when it is refused, says why, and reloads the list', async () => {
    const asked = mockEndpoint(getLinkChoice, () => ok(getLinkChoice, choiceOf()))
    mockEndpoint(answerDeepLink, () =>
      errorReply('resource_not_found', { detail: 'One of these assignments is not in this course.' }),
    )
    renderLaunched('/lti/choose')
    await userEvent.click(await box(/Quiz 3/))
    await userEvent.click(button('Add assignment'))
    await screen.findByText('One of these assignments is not in this course.')
    expect((await box(/Quiz 3/)).matches(':checked')).toBe(true)
    await waitFor(() => expect(asked.length).toBeGreaterThan(1))
    expect(left).not.toHaveBeenCalled()
  })

  it('leaves for no other site, whatever it was answered', async () => {
    mockEndpoint(getLinkChoice, () => ok(getLinkChoice, choiceOf()))
    mockEndpoint(answerDeepLink, () => ok(answerDeepLink, { page: '//evil.example/return' }))
    renderLaunched('/lti/choose')
    await userEvent.click(await box(/Quiz 3/))
    await userEvent.click(button('Add assignment'))
    await screen.findByRole('alert')
    expect(left).not.toHaveBeenCalled()
  })
})

it('creating one on the way comes back with the new one chosen beside what was chosen before', async () => {
  choosing(choiceOf())
  await userEvent.click(await box(/Quiz 3/))
  await userEvent.click(screen.getByRole('link', { name: 'Create a new one' }))
  await screen.findByRole('heading', { name: 'Create Assignment' })
  expect(screen.queryByRole('combobox', { name: 'Course' })).toBeNull()
  expect(screen.getByRole('link', { name: 'Add assignments' }).getAttribute('href')).toBe(
    '/l/launch-0001/lti/choose?chosen=5',
  )
  mockEndpoint(createAssignment, () => ok(createAssignment, created))
  const making = mockEndpoint(generateRubric, () => errorReply('service_unavailable'))
  mockEndpoint(getLinkChoice, () => ok(getLinkChoice, choiceOf({ assignments: [assignment(9, 'Quiz 4'), ...three] })))
  await fillIn(screen.getByLabelText(/Assignment name/), 'Quiz 4')
  const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' })
  await userEvent.upload(screen.getByLabelText('Choose the blank assignment'), pdf('blank.pdf'))
  await userEvent.upload(screen.getByLabelText('Choose the answer key'), pdf('key.pdf'))
  await userEvent.click(button('Create Assignment'))
  expect((await box(/Quiz 4/)).matches(':checked')).toBe(true)
  expect((await box(/Quiz 3/)).matches(':checked')).toBe(true)
  expect(button('Add 2 assignments')).toBeTruthy()
  expect(await making[0]?.json()).toEqual({ by: 'rules' })
  await screen.findByText(/^“Quiz 4” was created\. Check questions/)
  expect(screen.getByRole('link', { name: 'Check the Rubric' }).getAttribute('href')).toBe(
    '/l/launch-0001/assignments/9/rubric?create=true&for=choice&chosen=5%2C9',
  )
})

it('creating one on the way comes back from checking the rubric, with the same ones chosen', async () => {
  mockEndpoint(getAssignment, () => ok(getAssignment, created))
  const current = buildCurrentRubric({ checked: null, graded: 0 })
  mockEndpoint(getRubric, () => ok(getRubric, current))
  mockEndpoint(checkRubric, { ...current, checked: { by_name: 'Martin Keller', at: created.created_at } })
  renderLaunched('/assignments/9/rubric?for=choice&chosen=5,9')
  const crumbs = within(await screen.findByRole('navigation', { name: 'Breadcrumb' }))
  const back = crumbs.getByRole('link', { name: 'Add assignments' })
  expect(back.getAttribute('href')).toBe('/l/launch-0001/lti/choose?chosen=5%2C9')
  mockEndpoint(getLinkChoice, () => ok(getLinkChoice, choiceOf({ assignments: [assignment(9, 'Quiz 4'), ...three] })))
  await userEvent.click(button('Confirm Rubric'))
  expect((await box(/Quiz 4/)).matches(':checked')).toBe(true)
  expect((await box(/Quiz 3/)).matches(':checked')).toBe(true)
})

it('creating one on the way teaches the first step where a course has no assignments', async () => {
  choosing(choiceOf({ assignments: [] }))
  await screen.findByRole('heading', { name: 'Biology 8b has no assignments yet' })
  expect(screen.getByRole('link', { name: 'Create an assignment' }).getAttribute('href')).toBe(
    '/l/launch-0001/create-assignment?courseId=7&for=choice',
  )
})

const cases: [string, Partial<LinkChoice>, string, boolean][] = [
  ['it was answered', { answered: true }, 'Your choice was sent', false],
  [
    'the LMS takes no links',
    { accepts: { links: false, several: true, line_items: true } },
    'Lindenhof Canvas requested something else',
    true,
  ],
  ['there is no course yet', { course: null, assignments: [] }, 'This course is not set up yet', true],
  [
    'the LMS named no course',
    { course: null, in_course: false, assignments: [] },
    'This is not part of a course',
    true,
  ],
]
it.each(cases)('where there is nothing to choose says so when %s, and leads back', async (_, more, title, back) => {
  const sent = choosing(choiceOf(more))
  await screen.findByRole('heading', { name: title })
  const leads = screen.queryByRole('button', { name: 'Back to Lindenhof Canvas' })
  expect(leads !== null).toBe(back)
  if (!leads) return
  await userEvent.click(leads)
  await waitFor(() => expect(left).toHaveBeenCalledWith('/lti/return/one-time'))
  expect(await sent[0]?.json()).toEqual({ assignment_ids: [] })
})

it('where there is nothing to choose offers another try when the assignments cannot be loaded', async () => {
  mockEndpoint(getLinkChoice, () => errorReply('service_unavailable'))
  renderLaunched('/lti/choose')
  await screen.findByText('The assignments could not be loaded')
  mockEndpoint(getLinkChoice, () => ok(getLinkChoice, choiceOf()))
  await userEvent.click(button('Try Again'))
  await box(/Quiz 3/)
})

const created = buildAssignment({ id: 9, title: 'Quiz 4' })
