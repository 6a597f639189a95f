import { getAssignment } from '@assay/shared/assignments.ts'
import { listRuns } from '@assay/shared/runs.ts'
import {
  countSubmissions,
  deleteSubmission,
  deleteSubmissions,
  listSubmissions,
  type SubmissionRow,
  uploadSubmissions,
} from '@assay/shared/submissions.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildSubmissionCounts, buildSubmissionRow } from '../../testing/build-submission-row.ts'
import { errorReply, mockApi, mockEndpoint, ok } from '../../testing/mock-api.ts'
import { realtime, sendEvent } from '../../testing/realtime.ts'
import { renderApp } from '../../testing/render.tsx'
import { signInAs } from '../../testing/sign-in-as.ts'

mockApi()

const assignment = buildAssignment({
  course_id: 7,
  course_name: 'Biology 8b',
  counts: { submissions: 3, graded: 3, flagged: 0, failed: 0, unreleased: 3 },
})

const row = (id: number, name = `paper-${id}`) =>
  buildSubmissionRow({ id, student_identifier: name, file_name: `${name}.pdf` })

const countsOf = ({ length }: SubmissionRow[]) =>
  buildSubmissionCounts({
    all: length,
    graded: length,
    unmatched: length,
    unreleased: length,
    graded_unmatched: length,
  })

let rows: SubmissionRow[] = []

async function open() {
  const app = renderApp('/assignments/5/submissions')
  await screen.findByText(`Submissions (${rows.length})`)
  return { ...app, user: userEvent.setup() }
}

beforeEach(() => {
  signInAs()
  rows = [row(1), row(2), row(3)]
  mockEndpoint(getAssignment, () => ok(getAssignment, assignment))
  mockEndpoint(listRuns, () => ok(listRuns, []))
  mockEndpoint(countSubmissions, () => ok(countSubmissions, countsOf(rows)))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, rows, { 'X-Total-Count': String(rows.length) }))
})

it('lets nothing be graded before it is known whether it is being graded already', async () => {
  const answered = Promise.withResolvers<void>()
  mockEndpoint(listRuns, async () => {
    await answered.promise
    return ok(listRuns, [])
  })
  await open()
  const begin = await screen.findByRole('button', { name: 'Process & Grade' })
  expect(begin).toHaveProperty('disabled', true)
  answered.resolve()
  await waitFor(() => expect(begin).toHaveProperty('disabled', false))
})

describe('when the server is gone', () => {
  it('says that the connection is lost, and takes it back when it answers again', async () => {
    realtime.state = 'disconnected'
    const { user } = await open()
    const gone = mockEndpoint(listSubmissions, () => errorReply('service_unavailable'))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await screen.findByText('Connection lost. Reconnecting…')
    expect(screen.getByText('paper-2')).toBeTruthy()
    expect(gone.length).toBeGreaterThan(0)
    mockEndpoint(listSubmissions, () => ok(listSubmissions, rows))
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(screen.queryByText('Connection lost. Reconnecting…')).toBeNull())
  })
})

describe('what is said of a run that has ended', () => {
  it.each([
    ['3 graded.', 'green', { total: 3, graded: 3, failed: 0 }],
    ['2 graded, 1 could not be graded.', 'ink', { total: 3, graded: 2, failed: 1 }],
    ['0 graded, 1 could not be graded.', 'red', { total: 1, graded: 0, failed: 1 }],
  ])('%s is %s', async (message, color, counts) => {
    await open()
    sendEvent('assignment_completion', { assignment_id: 5, run_id: 1, message, ...counts })
    const said = (await screen.findByText(message)).closest('[role]')
    expect(said?.getAttribute('style')).toContain(`mantine-color-${color}`)
    expect(said?.getAttribute('role')).toBe(color === 'red' ? 'alert' : 'status')
  })
})

describe('what publishing does', () => {
  it('says of an assignment without a course that no student sees it', async () => {
    mockEndpoint(getAssignment, () => ok(getAssignment, { ...assignment, course_id: null, course_name: null }))
    const { user } = await open()
    await user.click(await screen.findByRole('button', { name: 'Publish' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/has no course, so students cannot see it/)).toBeTruthy()
    expect(dialog.queryByText(/Students will see/)).toBeNull()
  })
})

describe('where the focus goes when papers are deleted', () => {
  const focused = () => document.activeElement?.getAttribute('aria-label')
  const gone = (...ids: number[]) => {
    rows = rows.filter(({ id }) => !ids.includes(id))
  }
  const confirm = async (user: ReturnType<typeof userEvent.setup>) => {
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: /^Delete/ }))
  }

  it.each([
    [2, 'Review submission 3'],
    [3, 'Review submission 2'],
  ])('to the row after or before #%i', async (id, next) => {
    mockEndpoint(deleteSubmission, () => {
      gone(id)
      return ok(deleteSubmission, { message: 'Deleted' })
    })
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: `Delete submission ${id}` }))
    await confirm(user)
    await waitFor(() => expect(focused()).toBe(next))
  })

  it('to the heading after several', async () => {
    mockEndpoint(deleteSubmissions, () => {
      gone(1, 2)
      return ok(deleteSubmissions, {
        results: {
          total_requested: 2,
          total_deleted: 2,
          successful_deletions: [1, 2],
          failed_deletions: [],
          validation_failures: [],
        },
      })
    })
    const { user } = await open()
    await user.click(screen.getByRole('checkbox', { name: /Select submission 1 / }))
    await user.click(screen.getByRole('checkbox', { name: /Select submission 2 / }))
    await user.click(screen.getByRole('button', { name: 'Delete Selected' }))
    await confirm(user)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Submissions (1)'))
  })

  it('to Upload Files when none is left', async () => {
    rows = [row(1)]
    mockEndpoint(deleteSubmission, () => {
      gone(1)
      return ok(deleteSubmission, { message: 'Deleted' })
    })
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Delete submission 1' }))
    await confirm(user)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Upload Files'))
  })
})

describe('uploading', () => {
  it.each([
    ['1 file uploaded; 1 was already uploaded.', [4, 2]],
    ['Nothing new: 2 files were already uploaded.', [2, 2]],
    ['2 files uploaded successfully!', [4, 5]],
  ])('says %s', async (words, ids) => {
    mockEndpoint(uploadSubmissions, () =>
      ok(
        uploadSubmissions,
        ids.map((id) => row(id)),
      ),
    )
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Upload Files' }))
    const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' })
    await user.upload(screen.getByLabelText('Choose student papers'), [pdf('a.pdf'), pdf('b.pdf')])
    await user.click(screen.getByRole('button', { name: 'Upload 2 files' }))
    await screen.findByText(words)
  })
})

it.each(['submissions_changed', 'question_changed'] as const)(
  'asks for its rows and counts again after %s, once for many',
  async (name) => {
    const listed = mockEndpoint(listSubmissions, () =>
      ok(listSubmissions, rows, { 'X-Total-Count': String(rows.length) }),
    )
    await open()
    const before = listed.length
    const [one, another] = [5, 6].map((assignment_id) => ({ assignment_id, question_id: '1', change_id: null }))
    if (!one || !another) throw new Error('events')
    rows = [row(1, 'renamed'), row(2), row(3)]
    for (const event of [another, one, one]) sendEvent(name, event)
    expect((await screen.findAllByText('renamed')).length).toBeGreaterThan(0)
    expect(listed).toHaveLength(before + 1)
  },
)
