import { type Assignment, deleteAssignment, listAssignments } from '@assay/shared/assignments.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment } from '../../testing/build-course.ts'
import { emptyErrorReply, errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { renderPage } from '../../testing/render.tsx'

let listed: Assignment[] = []

beforeEach(() => {
  signInAs()
  listed = [buildAssignment(), buildAssignment({ id: 6, title: 'Essay', status: 'published' })]
  mockEndpoint(listAssignments, () => ok(listAssignments, listed))
})

const cardOf = async (title: string) => within(await screen.findByRole('article', { name: title }))

it('the dashboard shows a card of each assignment', async () => {
  renderPage('/dashboard')
  await screen.findByRole('heading', { name: 'Your Assignments' })
  expect(screen.getByRole('link', { name: 'Create New Assignment' }).getAttribute('href')).toBe('/create-assignment')
  const draft = await cardOf('Quiz 3')
  expect(draft.getByText('Draft')).toBeTruthy()
  expect(draft.getByText(/Assignment ID 5 · Created/)).toBeTruthy()
  expect(draft.getByRole('link', { name: /^View Submissions/ }).getAttribute('href')).toBe('/assignments/5/submissions')
  expect(draft.getByRole('button', { name: 'More for Quiz 3' })).toBeTruthy()
  expect((await cardOf('Essay')).getByText('Published')).toBeTruthy()
})

it('the dashboard says what waits for the teacher, the oldest assignment first', async () => {
  const counts = { submissions: 20, graded: 15, failed: 0, flagged: 2, reviewed: 3, unreleased: 0, regrades: 1 }
  listed = [
    buildAssignment({ rubric_checked: true, counts }),
    buildAssignment({
      id: 6,
      title: 'Essay',
      created_at: '2020-01-01T00:00:00Z',
      counts: { ...counts, graded: 0, reviewed: 0 },
    }),
  ]
  renderPage('/dashboard')
  const waiting = within(await screen.findByRole('region', { name: 'Waiting for you' }))
  expect(waiting.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '1 regrade request in Essay',
    'A rubric to check in Essay',
    '20 papers to grade in Essay',
    '1 regrade request in Quiz 3',
    '5 papers to grade in Quiz 3',
    'and 1 more below',
  ])
})

it('the dashboard shows six cards’ shapes while it loads, and what to do where there is none', async () => {
  const { promise: come, resolve: arrive } = Promise.withResolvers<void>()
  mockEndpoint(listAssignments, async () => {
    await come
    return ok(listAssignments, [])
  })
  renderPage('/dashboard')
  const shapes = await screen.findByRole('status', { name: 'Loading assignments' })
  expect(shapes.children).toHaveLength(6)
  arrive()
  await screen.findByText('No Assignments Yet')
  expect(screen.getByRole('link', { name: 'Create Your First Assignment' }).getAttribute('href')).toBe(
    '/create-assignment',
  )
})

it('the dashboard says Failed to fetch assignments., and tries again', async () => {
  mockEndpoint(listAssignments, emptyErrorReply)
  renderPage('/dashboard')
  await screen.findByText('Failed to fetch assignments.')
  mockEndpoint(listAssignments, () => ok(listAssignments, [buildAssignment()]))
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  await cardOf('Quiz 3')
})

async function ask() {
  renderPage('/dashboard')
  await userEvent.click((await cardOf('Essay')).getByRole('button', { name: 'More for Essay' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete Assignment' }))
  return within(await screen.findByRole('dialog'))
}
const confirm = (dialog: ReturnType<typeof within>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Delete Assignment' }))

it('deleting an assignment says what goes along before it goes', async () => {
  mockEndpoint(deleteAssignment, () => {
    listed = listed.slice(0, 1)
    return ok(deleteAssignment, { message: 'Deleted', validation_details: { warnings: [] } } as never)
  })
  const dialog = await ask()
  for (const words of ['3 submissions', '3 grades with feedback', 'This action cannot be undone.'])
    expect(dialog.getByText(words)).toBeTruthy()
  expect(dialog.getByText(/all uploaded files/)).toBeTruthy()
  await confirm(dialog)
  await screen.findByText('Assignment deleted successfully!')
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Essay' })).toBeNull())
})

it('deleting an assignment takes one that is gone already off the list', async () => {
  mockEndpoint(deleteAssignment, () => {
    listed = listed.slice(0, 1)
    return errorReply('resource_not_found')
  })
  await confirm(await ask())
  await screen.findByText('Assignment already deleted.')
  await waitFor(() => expect(screen.queryByRole('article', { name: 'Essay' })).toBeNull())
})

it.each([
  ['You do not have permission to delete this assignment', () => errorReply('auth_insufficient_permissions')],
  [
    'It is locked. Warnings: 28 grades',
    () =>
      HttpResponse.json(
        { detail: { message: 'It is locked.', validation_details: { warnings: ['28 grades'] } } },
        { status: 400 },
      ),
  ],
  ['Cannot delete assignment due to validation errors', () => new HttpResponse(null, { status: 400 })],
  ['Failed to delete assignment. Please try again.', emptyErrorReply],
])('deleting an assignment says %s, and keeps it', async (words, how) => {
  mockEndpoint(deleteAssignment, how)
  const dialog = await ask()
  await confirm(dialog)
  await dialog.findByText(words)
  expect(screen.getByRole('article', { name: 'Essay', hidden: true })).toBeTruthy()
})
