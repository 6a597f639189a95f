import { getAssignment, publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import { exportGradeHistory } from '@assay/shared/grade-history.ts'
import { exportGrades, listRetainedGrades } from '@assay/shared/grades.ts'
import { estimateRun, listRuns, processAssignment } from '@assay/shared/runs.ts'
import { setHandInTimes } from '@assay/shared/score-rules.ts'
import {
  countSubmissions,
  deleteSubmission,
  deleteSubmissions,
  listSubmissions,
  type SubmissionRow,
  uploadSubmission,
  uploadSubmissions,
} from '@assay/shared/submissions.ts'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildRunEstimate } from '../../testing/build-run.ts'
import {
  buildGrade,
  buildSubmission,
  buildSubmissionCounts,
  buildSubmissionRow,
} from '../../testing/build-submission.ts'
import { emptyErrorReply, errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { realtime, sendEvent } from '../../testing/realtime.ts'
import { recordDownloads, renderPage } from '../../testing/render.tsx'

const here = '/assignments/5/submissions'

const row = (id: number, name = `paper-${id}`) =>
  buildSubmissionRow({ id, student_identifier: name, file_name: `${name}.pdf` })

const graded: SubmissionRow = buildSubmission({ id: 31, needs_review: false })
const overridden: SubmissionRow = buildSubmission({
  id: 32,
  student_identifier: '',
  student: null,
  grade: buildGrade({ manual_score_override: 90, final_score_after_review: 90, needs_review: false }),
})
const pending: SubmissionRow = buildSubmission({
  id: 33,
  student_identifier: 'lin',
  status: 'uploaded',
  grade: null,
  late: true,
})

let rows: SubmissionRow[] = []
let counts = buildSubmissionCounts()

async function open() {
  const app = renderPage(here)
  await screen.findByText(`Submissions (${rows.length})`)
  return { ...app, user: userEvent.setup() }
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const findDialog = async () => within(await screen.findByRole('dialog'))
async function ask(name: 'Publish' | 'Unpublish') {
  const { user } = await open()
  await user.click(button(name))
  const dialog = await findDialog()
  return { dialog, user, confirm: () => user.click(dialog.getByRole('button', { name })) }
}
const openMenu = () => userEvent.click(button('More for this assignment'))
async function chooseForRow(id: number, name: string) {
  await userEvent.click(button(`More for submission ${id}`))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const removeRow = (id: number) => chooseForRow(id, 'Delete')
async function chooseFromMenu(name: string | RegExp) {
  await openMenu()
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

beforeEach(() => {
  signInAs()
  rows = [graded, overridden, pending]
  counts = buildSubmissionCounts({ graded: 2, pending: 1, late: 1, unreleased: 2, unreleased_matched: 2 })
  mockEndpoint(estimateRun, () => ok(estimateRun, buildRunEstimate()))
  mockEndpoint(countSubmissions, () => ok(countSubmissions, { ...counts, all: rows.length }))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, rows, { 'X-Total-Count': String(rows.length) }))
})

describe('SubmissionsPage: the list', () => {
  it('has a row of each paper, with who, when, its status and the score that counts', async () => {
    await open()
    await screen.findByRole('heading', { name: 'Quiz 3' })
    expect(screen.getByText('Manage submissions and grades')).toBeTruthy()
    expect(screen.getByText('Draft')).toBeTruthy()
    const heads = screen.getAllByRole('columnheader').map((head) => head.textContent)
    expect(heads).toEqual(['', 'Student', 'Submission ID', 'Submitted', 'Grade Status', 'Score', 'Actions'])
    const [, first, second, third] = screen.getAllByRole('row').map((row) => within(row))
    expect(first?.getByText('#31')).toBeTruthy()
    expect(first?.getByText('ada')).toBeTruthy()
    expect(document.querySelector('[data-letters="AM"]')).toBeTruthy()
    expect(first?.getByText(/Jan/)).toBeTruthy()
    expect(first?.getByText('Suggested')).toBeTruthy()
    expect(first?.getByText('82.5 %')).toBeTruthy()
    expect(first?.getByRole('link', { name: /^Review/ }).getAttribute('href')).toBe(`${here}/31`)
    expect(first?.getByRole('button', { name: 'More for submission 31' })).toBeTruthy()
    expect(second?.getByText('Unknown Student')).toBeTruthy()
    expect(second?.getByText('90.0 %')).toBeTruthy()
    expect(third?.getByText('Pending')).toBeTruthy()
    expect(third?.getByText('Late')).toBeTruthy()
    expect(third?.queryByText(/%/)).toBeNull()
  })

  it('has uploaded papers dated by their teacher, one or those selected', async () => {
    const sent = mockEndpoint(setHandInTimes, () => ok(setHandInTimes, { changed: 1, left_out: 0 }))
    const { user } = await open()
    await chooseForRow(31, 'Set hand-in time')
    const one = await findDialog()
    fireEvent.change(one.getByLabelText(/^Handed in/, { selector: 'input[type=datetime-local]' }), {
      target: { value: '2026-01-10T09:30' },
    })
    await user.click(one.getByRole('button', { name: 'Save' }))
    await screen.findByText('Hand-in time saved for 1 paper.')
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Review submission 31'))
    await user.click(screen.getByRole('checkbox', { name: 'Select all 3 submissions on this page' }))
    await user.click(button('Set hand-in time'))
    const all = await findDialog()
    expect(all.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
    await user.click(all.getByRole('radio', { name: 'On time' }))
    await user.click(all.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(await Promise.all(sent.map((one) => one.json()))).toEqual([
      { submission_ids: [31], at: new Date('2026-01-10T09:30').toISOString() },
      { submission_ids: [31, 32, 33], at: 'on_time' },
    ])
  })

  it('says once that there are few papers to compare with, until they are reviewed', async () => {
    await open()
    expect(await screen.findAllByText('Few papers to compare with')).toHaveLength(1)
    cleanup()
    counts = { ...counts, reviewed: 2 }
    await open()
    await screen.findByRole('heading', { name: 'Quiz 3' })
    expect(screen.queryByText('Few papers to compare with')).toBeNull()
  })

  it('says No Submissions Yet, with nothing to grade or export', async () => {
    rows = []
    renderPage(here)
    await screen.findByText('No Submissions Yet')
    expect(button('Process & Grade').disabled).toBe(true)
    await openMenu()
    await screen.findByRole('menuitem', { name: 'Rubric' })
    for (const name of ['Export CSV', /^Grading record/]) {
      const item = screen.getByRole('menuitem', { name })
      expect(item.hasAttribute('disabled') || item.getAttribute('aria-disabled') === 'true').toBe(true)
    }
  })

  it('says Error Loading Submissions, with Try Again and a way back', async () => {
    mockEndpoint(listSubmissions, emptyErrorReply)
    renderPage(here)
    await screen.findByText('Error Loading Submissions')
    expect(screen.getByText('Failed to fetch submissions or assignment details.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to Courses' }).getAttribute('href')).toBe('/courses')
    mockEndpoint(listSubmissions, () => ok(listSubmissions, [graded], { 'X-Total-Count': '1' }))
    await userEvent.click(button('Try Again'))
    await screen.findByText('#31')
  })

  it('shows the five steps with their counts, and only the next one as the main button', async () => {
    const primary = () =>
      [
        ...document.querySelectorAll(
          'header .mantine-Button-root[data-variant="filled"], header .mantine-Button-root:not([data-variant])',
        ),
      ].map((one) => one.textContent)
    const steps = () =>
      within(screen.getByRole('list', { name: 'Steps' }))
        .getAllByRole('listitem')
        .map((step) => step.textContent)
    counts = buildSubmissionCounts({ graded: 3, flagged: 2, reviewed: 1, unreleased: 3 })
    mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ rubric_checked: true })))
    await open()
    const by = ['By teachers: ', 'By the grader: ']
    expect(steps()).toEqual([
      `Rubric${by[0]}checked`,
      `Read${by[1]}3 of 3`,
      `Decide${by[0]}2 flagged`,
      `Approve${by[0]}1 of 3`,
      `Publish${by[0]}0 of 3`,
    ])
    expect(primary()).toEqual(['Grade by question'])
    cleanup()
    counts = { ...counts, flagged: 0, reviewed: 3 }
    await open()
    await waitFor(() => expect(primary()).toEqual(['Publish']))
  })

  it('says that its address lacks an id, as the page of a submission does', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const app = renderPage('/assignments/x/submissions')
    await screen.findByText(/^Assignment ID is missing\./)
    app.unmount()
    renderPage('/assignments/5/submissions/x')
    await screen.findByText(/^Assignment ID and Submission ID are required\./)
  })

  it('is refreshed by hand', async () => {
    await open()
    await chooseFromMenu('Refresh')
    await screen.findByText('Submissions refreshed successfully!')
    mockEndpoint(listSubmissions, emptyErrorReply)
    await chooseFromMenu('Refresh')
    await screen.findByText('Failed to refresh submissions.')
  })

  it('says that the connection is lost, and takes it back when the server answers again', async () => {
    realtime.state = 'disconnected'
    await open()
    const gone = mockEndpoint(listSubmissions, () => errorReply('service_unavailable'))
    await chooseFromMenu('Refresh')
    await screen.findByText('Connection lost. Reconnecting…')
    expect(screen.getByText('#32')).toBeTruthy()
    expect(gone.length).toBeGreaterThan(0)
    mockEndpoint(listSubmissions, () => ok(listSubmissions, rows))
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(screen.queryByText('Connection lost. Reconnecting…')).toBeNull())
  })

  it('shows no rows of another filter while offline, and those of the chosen one once they come', async () => {
    rows = [row(1), { ...row(2), status: 'failed' }]
    counts = buildSubmissionCounts({ failed: 1, pending: 1 })
    const { user } = await open()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    mockEndpoint(listSubmissions, () => errorReply('service_unavailable'))
    await user.click(button(/^Pending/))
    expect(screen.queryByText('#2')).toBeNull()
    await screen.findByText('Error Loading Submissions')
    expect(button(/^Pending/).getAttribute('aria-pressed')).toBe('true')
    mockEndpoint(listSubmissions, () => ok(listSubmissions, rows.slice(0, 1), { 'X-Total-Count': '1' }))
    await user.click(button('Try Again'))
    await screen.findByText('#1')
    expect(screen.queryByText('#2')).toBeNull()
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
})

describe('SubmissionsPage: uploading', () => {
  const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' })
  async function upload(...files: File[]) {
    const { user } = await open()
    await chooseFromMenu('Upload Files')
    await user.upload(screen.getByLabelText('Choose student papers'), files)
    await user.click(button(/^Upload \d files?$/))
  }

  it('asks for files, and can be cancelled', async () => {
    const { user } = await open()
    await chooseFromMenu('Upload Files')
    await user.click(button('Upload'))
    await screen.findByText('Please select files to upload')
    await user.click(button('Cancel Upload'))
    expect(screen.queryByRole('form', { name: 'Upload Files' })).toBeNull()
  })

  it.each([
    ['File uploaded successfully!', () => ok(uploadSubmission, { ...pending, id: 34 })],
    ['Failed to upload files', emptyErrorReply],
  ])('says of one file: %s', async (words, reply) => {
    mockEndpoint(uploadSubmission, reply)
    await upload(pdf('a.pdf'))
    await screen.findByText(words)
  })

  it.each([
    ['1 file uploaded; 1 was already uploaded.', [34, 32]],
    ['Nothing new: 2 files were already uploaded.', [32, 32]],
    ['2 files uploaded successfully!', [34, 35]],
  ])('says of two files: %s', async (words, ids) => {
    const uploaded = ids.map((id) => row(id))
    mockEndpoint(uploadSubmissions, () => ok(uploadSubmissions, uploaded))
    await upload(pdf('a.pdf'), pdf('b.pdf'))
    await screen.findByText(words)
  })
})

describe('SubmissionsPage: grading', () => {
  it('cannot begin before it is known whether a run is under way', async () => {
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

  it('tries papers that could not be read again', async () => {
    counts = buildSubmissionCounts({ graded: 2, pending: 1, failed: 1 })
    const asked = mockEndpoint(processAssignment, { message: 'Started', run_id: 1, queued: 1 })
    const { user } = await open()
    expect(await screen.findByText('1 paper could not be read or graded')).toBeTruthy()
    expect(screen.getByText(/^Nothing is known to be wrong with 1 file: try again\./)).toBeTruthy()
    await user.click(button('Try again'))
    await expect.poll(() => asked.length).toBe(1)
  })

  it('says which papers fail by their own files', async () => {
    counts = buildSubmissionCounts({ graded: 2, failed: 3, failed_files: 2 })
    await open()
    const said = '2 files cannot be read: upload them anew. Nothing is known to be wrong with 1 other file: try again.'
    expect(await screen.findByText(new RegExp(`^${said}`))).toBeTruthy()
  })

  it('says that it starts and that it has started, and asks for the rows again when it is over', async () => {
    const started = Promise.withResolvers<void>()
    mockEndpoint(processAssignment, async () => {
      await started.promise
      return ok(processAssignment, { message: 'Started', run_id: 1, queued: 1 })
    })
    const { user } = await open()
    await user.click(button('Process & Grade'))
    await screen.findByText('Starting processing...')
    started.resolve()
    await screen.findByText('Processing started successfully!')
    const asked = mockEndpoint(listSubmissions, () => ok(listSubmissions, [graded], { 'X-Total-Count': '1' }))
    const over = { assignment_id: 5, run_id: 1, message: '1 graded.', total: 1, graded: 1, failed: 0 }
    sendEvent('assignment_completion', over)
    await screen.findByText('1 graded.')
    await expect.poll(() => asked.length).toBeGreaterThan(0)
  })

  it.each([
    ['Failed to start processing.', emptyErrorReply],
    ['Cannot process: Assignment ID is missing.', () => errorReply('resource_not_found')],
  ])('says %s', async (words, reply) => {
    mockEndpoint(processAssignment, reply)
    const { user } = await open()
    await user.click(button('Process & Grade'))
    await screen.findByText(words)
  })

  it('says of a run that has ended how many papers were graded, in a color that tells a failure', async () => {
    await open()
    for (const [message, color, counts] of [
      ['3 graded.', 'green', { total: 3, graded: 3, failed: 0 }],
      ['2 graded, 1 could not be graded.', 'ink', { total: 3, graded: 2, failed: 1 }],
      ['0 graded, 1 could not be graded.', 'red', { total: 1, graded: 0, failed: 1 }],
    ] as const) {
      sendEvent('assignment_completion', { assignment_id: 5, run_id: 1, message, ...counts })
      const said = (await screen.findByText(message)).closest('[role]')
      expect(said?.getAttribute('style')).toContain(`mantine-color-${color}`)
      expect(said?.getAttribute('role')).toBe(color === 'red' ? 'alert' : 'status')
    }
  })
})

describe('SubmissionsPage: the menu', () => {
  it('saves the file of grades under the assignment’s name, and the grading record', async () => {
    counts = { ...counts, unreleased_reviewed: counts.unreleased }
    mockEndpoint(exportGrades, () => new Response('student_identifier\n'))
    const saved = recordDownloads()
    await open()
    await chooseFromMenu('Export CSV')
    await expect.poll(() => saved).toEqual(['assignment_5_grades.csv'])
    await chooseFromMenu('Export for Moodle')
    await expect.poll(() => saved.at(-1)).toBe('assignment_5_grades_moodle.csv')
    mockEndpoint(exportGradeHistory, () => new Response('{}\n'))
    await chooseFromMenu(/^Grading record/)
    await expect.poll(() => saved.at(-1)).toBe('assignment_5_history.jsonl')
    mockEndpoint(exportGrades, emptyErrorReply)
    await chooseFromMenu('Export CSV')
    await screen.findByText('Failed to export grades. Please try again.')
  })

  it('says before how many grades nobody has approved, and leaves them out of a gradebook’s file', async () => {
    counts = buildSubmissionCounts({ all: 9, graded: 9, unapproved: 5, unreleased: 4, unreleased_reviewed: 1 })
    const asked = mockEndpoint(exportGrades, () => new Response('Student\n'))
    const saved = recordDownloads()
    const { user } = await open()
    const queries = () => asked.map(({ url }) => new URL(url).search)
    await chooseFromMenu(/^Export CSV5 of 9 grades are suggestions that nobody has approved/)
    await expect.poll(queries).toEqual([''])
    await chooseFromMenu('Export for Canvas')
    await screen.findByText(/^3 of 9 grades are suggestions that nobody has approved/)
    await user.click(button('Export'))
    await expect.poll(queries).toEqual(['', '?format=canvas&suggestions=no'])
    await chooseFromMenu('Export for Canvas')
    await user.click(await screen.findByLabelText('Export them too'))
    await user.click(button('Export'))
    await expect.poll(() => queries().at(-1)).toBe('?format=canvas&suggestions=yes')
    expect(saved).toHaveLength(3)
  })

  it('is opened by the keyboard, leads to rubric, settings and to groups where there are any', async () => {
    const { user } = await open()
    const more = button('More for this assignment')
    more.focus()
    await user.keyboard('{Enter}')
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent?.replace(/(The history of e|E)ach.*/, ''))).toEqual([
      ...['Upload Files', 'Refresh', 'Grade by question', 'Grade the rest by my decisions…', 'Regrade everything…'],
      ...['Print for the class', 'Upload photos of a paper', 'Upload a class scan', 'Rubric', 'Settings'],
      ...['Adjust scores', 'Check accuracy', 'Similar answers'],
      ...['Export CSV', 'Export for Canvas', 'Export for Moodle', 'Export for Blackboard'],
      ...['Graded papers (ZIP)', 'Grading record'],
    ])
    expect(screen.getByRole('menuitem', { name: 'Rubric' }).getAttribute('href')).toBe('/assignments/5/rubric')
    expect(screen.getByRole('menuitem', { name: 'Settings' }).getAttribute('href')).toBe('/assignments/5/settings')
    await user.keyboard('{Escape}')
    await expect.poll(() => document.activeElement).toBe(more)
    cleanup()
    mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ groups: { max: 3, by: 'students' } })))
    await open()
    await openMenu()
    expect(await screen.findByRole('menuitem', { name: 'Groups' })).toBeTruthy()
  })
})

describe('SubmissionsPage: publishing', () => {
  const published = buildAssignment({ status: 'published' })

  it('says first who sees what, the others of a group too', async () => {
    counts = { ...counts, partners: { graded: 3, unreleased: 3 } }
    mockEndpoint(publishAssignment, () => ok(publishAssignment, published))
    const { dialog, confirm } = await ask('Publish')
    expect(dialog.getByText(/5 students will see their grades and feedback\./)).toBeTruthy()
    expect(dialog.getByText(/1 paper not graded yet/)).toBeTruthy()
    await confirm()
    await screen.findByText('Assignment published successfully!')
  })

  it('asks about papers that nobody has reviewed, and can leave them out', async () => {
    counts = { ...counts, unreleased_reviewed: 1 }
    const sent = mockEndpoint(publishAssignment, () => ok(publishAssignment, published))
    const { user, dialog, confirm } = await ask('Publish')
    expect(dialog.getByText('Nobody has reviewed 1 of these 2 grades. Release it too?')).toBeTruthy()
    await user.click(dialog.getByRole('radio', { name: 'No, only the 1 reviewed' }))
    expect(dialog.queryByText(/students will see/)).toBeNull()
    await confirm()
    await screen.findByText('Assignment published successfully!')
    expect(await sent[0]?.json()).toEqual({ reviewed_only: true })
  })

  it('says of an assignment without a course that no student sees it', async () => {
    mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ course_id: null, course_name: null })))
    const { dialog } = await ask('Publish')
    expect(dialog.getByText(/has no course, so students cannot see it/)).toBeTruthy()
    expect(dialog.queryByText(/Students will see/)).toBeNull()
  })

  it('is taken back after saying how many grades that hides', async () => {
    counts = { ...counts, unreleased: 0 }
    mockEndpoint(getAssignment, () => ok(getAssignment, published))
    mockEndpoint(unpublishAssignment, () => ok(unpublishAssignment, buildAssignment()))
    const { dialog, confirm } = await ask('Unpublish')
    expect(dialog.getByText('This hides 2 released grades.')).toBeTruthy()
    await confirm()
    await screen.findByText('Assignment unpublished successfully!')
  })

  it.each([
    ['Failed to change assignment status.', emptyErrorReply],
    ['Cannot change status: Assignment data is missing.', () => errorReply('resource_not_found')],
  ])('says in the dialog: %s', async (words, reply) => {
    mockEndpoint(publishAssignment, reply)
    const { dialog, confirm } = await ask('Publish')
    await confirm()
    await dialog.findByText(words)
  })
})

describe('SubmissionsPage: deleting', () => {
  const focused = () => document.activeElement?.getAttribute('aria-label')
  const remove = (...ids: number[]) => {
    rows = rows.filter(({ id }) => !ids.includes(id))
  }
  const mockDelete = (id: number) =>
    mockEndpoint(deleteSubmission, () => {
      remove(id)
      return ok(deleteSubmission, { message: 'Deleted' })
    })

  it('asks about one paper, says what became of it, and moves the focus to the next row', async () => {
    rows = [row(1), row(2), row(3)]
    mockEndpoint(deleteSubmission, emptyErrorReply)
    const { user } = await open()
    await removeRow(2)
    const dialog = await findDialog()
    expect(dialog.getByText('This action cannot be undone.')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await dialog.findByText('Failed to delete submission.')
    mockDelete(2)
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await screen.findByText('Submission deleted successfully!')
    await waitFor(() => expect(focused()).toBe('Review submission 3'))
  })

  it('moves the focus to the row before where the last was deleted, and to Upload Files when none is left', async () => {
    rows = [row(1), row(2)]
    const { user } = await open()
    for (const id of [2, 1]) {
      mockDelete(id)
      await removeRow(id)
      await user.click((await findDialog()).getByRole('button', { name: 'Delete' }))
      if (id === 2) await waitFor(() => expect(focused()).toBe('Review submission 1'))
      else await waitFor(() => expect(document.activeElement?.textContent).toBe('Upload Files'))
    }
  })

  it('says that several were not deleted, and moves the focus to the heading once they are', async () => {
    mockEndpoint(deleteSubmissions, emptyErrorReply)
    const { user } = await open()
    for (const name of [/Select submission 31 /, /Select submission 32 /])
      await user.click(screen.getByRole('checkbox', { name }))
    await user.click(button('Delete Selected'))
    const dialog = await findDialog()
    await user.click(dialog.getByRole('button', { name: 'Delete 2 submissions' }))
    await dialog.findByText('Failed to delete submissions.')
    mockEndpoint(deleteSubmissions, () => {
      remove(31, 32)
      const counts = { total_requested: 2, total_deleted: 2, failed_deletions: [], validation_failures: [] }
      return ok(deleteSubmissions, { results: { ...counts, successful_deletions: [31, 32] } })
    })
    await user.click(dialog.getByRole('button', { name: 'Delete 2 submissions' }))
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Submissions (1)'))
  })

  it('says that a reply could not be read', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    mockEndpoint(deleteSubmissions, () => Response.json({ results: null }))
    const { user } = await open()
    await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
    await user.click(button('Delete Selected'))
    const dialog = await findDialog()
    await user.click(dialog.getByRole('button', { name: 'Delete 3 submissions' }))
    await dialog.findByText('Invalid response from server. Please try again.')
  })
})

const openWith = (retained: number) => {
  counts = buildSubmissionCounts({ retained })
  return open()
}

it('SubmissionsPage: shows the released scores of deleted accounts under their placeholders', async () => {
  const released_at = '2026-01-12T14:02:00Z'
  const grade = { id: 3, placeholder: 'Deleted student 4f2a', final_score: 82.5, released_at }
  mockEndpoint(listRetainedGrades, () => ok(listRetainedGrades, [grade]))
  await openWith(1)
  const section = await screen.findByRole('region', { name: 'Deleted accounts' })
  expect(within(section).getByRole('listitem').textContent).toMatch(/Deleted student 4f2a82\.5\s%/)
})

it('SubmissionsPage: asks and says nothing of deleted accounts where there are none', async () => {
  const asked = mockEndpoint(listRetainedGrades, () => ok(listRetainedGrades, []))
  await openWith(0)
  expect(asked).toHaveLength(0)
  expect(screen.queryByText(/[Dd]eleted account/)).toBeNull()
})

it('SubmissionsPage: says that scores of deleted accounts could not be loaded', async () => {
  mockEndpoint(listRetainedGrades, () => errorReply('service_unavailable'))
  await openWith(1)
  await screen.findByText('Scores of deleted accounts could not be loaded.')
})
