import { getAssignment, publishAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import { exportGradeHistory } from '@assay/shared/grade-history.ts'
import { exportGrades } from '@assay/shared/grades.ts'
import { estimateRun, listRuns, processAssignment } from '@assay/shared/runs.ts'
import type { Unbranded } from '@assay/shared/shown-names.ts'
import {
  countSubmissions,
  deleteSubmission,
  deleteSubmissions,
  listSubmissions,
  type Submission,
  type SubmissionCounts,
  type SubmissionRow,
  uploadSubmission,
} from '@assay/shared/submissions.ts'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildRunEstimate } from '../../testing/build-run.ts'
import { buildGrade, buildSubmission } from '../../testing/build-submission.ts'
import { buildSubmissionCounts } from '../../testing/build-submission-row.ts'
import { emptyErrorReply, errorReply, mockApi, mockEndpoint, ok } from '../../testing/mock-api.ts'
import { sendEvent } from '../../testing/realtime.ts'
import { renderApp } from '../../testing/render.tsx'
import { signInAs } from '../../testing/sign-in-as.ts'

mockApi()

const here = '/assignments/5/submissions'

const rowOf = (part: Partial<Unbranded<Submission>>): SubmissionRow => buildSubmission(part)

const countsOf = (part: Partial<SubmissionCounts> = {}) =>
  buildSubmissionCounts({ all: 3, graded: 2, pending: 1, late: 1, unreleased: 2, unreleased_matched: 2, ...part })

const graded = rowOf({ id: 31, needs_review: false })
const overridden = rowOf({
  id: 32,
  student_identifier: '',
  student: null,
  grade: buildGrade({ manual_score_override: 90, final_score_after_review: 90, needs_review: false }),
})
const pending = rowOf({ id: 33, student_identifier: 'lin', status: 'uploaded', grade: null, late: true })

beforeEach(() => {
  signInAs()
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment()))
  mockEndpoint(listRuns, () => ok(listRuns, []))
  mockEndpoint(estimateRun, () => ok(estimateRun, buildRunEstimate()))
  mockEndpoint(countSubmissions, () => ok(countSubmissions, countsOf()))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, [graded, overridden, pending], { 'X-Total-Count': '3' }))
})

async function open() {
  renderApp(here)
  await screen.findByText('Submissions (3)')
  return userEvent.setup()
}

const openMore = () => userEvent.click(button('More for this assignment'))
const fromMore = async (name: string | RegExp) => {
  await openMore()
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

describe('the submissions’ screen', () => {
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
    expect(first?.getByRole('button', { name: /^Delete/ })).toBeTruthy()
    expect(second?.getByText('Unknown Student')).toBeTruthy()
    expect(second?.getByText('90.0 %')).toBeTruthy()
    expect(third?.getByText('Pending')).toBeTruthy()
    expect(third?.getByText('Late')).toBeTruthy()
    expect(third?.queryByText(/%/)).toBeNull()
  })

  it('says No Submissions Yet, with nothing to grade or export', async () => {
    mockEndpoint(countSubmissions, () => ok(countSubmissions, countsOf({ all: 0, graded: 0, pending: 0 })))
    mockEndpoint(listSubmissions, () => ok(listSubmissions, [], { 'X-Total-Count': '0' }))
    renderApp(here)
    await screen.findByText('No Submissions Yet')
    expect(button('Process & Grade').disabled).toBe(true)
    await openMore()
    await screen.findByRole('menuitem', { name: 'Rubric' })
    for (const name of ['Export CSV', /^Grading record/]) {
      const item = screen.getByRole('menuitem', { name })
      expect(item.hasAttribute('disabled') || item.getAttribute('aria-disabled') === 'true').toBe(true)
    }
  })

  it('opens the files’ panel and closes it again', async () => {
    const user = await open()
    await user.click(button('Upload Files'))
    await user.click(button('Upload'))
    await screen.findByText('Please select files to upload')
    await user.click(button('Cancel Upload'))
    expect(screen.queryByRole('form', { name: 'Upload Files' })).toBeNull()
  })

  it('has few buttons on a phone: the files’ panel is opened from the menu', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          ...new EventTarget(),
          matches: query.includes('max-width: 47.99em'),
          media: query,
          addEventListener: () => {},
          removeEventListener: () => {},
        }) as unknown as MediaQueryList,
    )
    const user = await open()
    expect(screen.queryByRole('button', { name: 'Upload Files' })).toBeNull()
    await fromMore('Upload Files')
    await screen.findByRole('form', { name: 'Upload Files' })
    await user.click(button('Cancel Upload'))
    expect(screen.queryByRole('form', { name: 'Upload Files' })).toBeNull()
    vi.restoreAllMocks()
  })

  it.each([
    ['File uploaded successfully!', () => ok(uploadSubmission, { ...pending, id: 40 })],
    ['Failed to upload files', emptyErrorReply],
  ])('says of one file: %s', async (words, how) => {
    mockEndpoint(uploadSubmission, how)
    const user = await open()
    await user.click(button('Upload Files'))
    const pdf = new File(['%PDF-1.7'], 'a.pdf', { type: 'application/pdf' })
    await user.upload(screen.getByLabelText('Choose student papers'), pdf)
    await user.click(button('Upload 1 file'))
    await screen.findByText(words)
  })

  it('fails with Error Loading Submissions, Try Again and a way back', async () => {
    mockEndpoint(listSubmissions, emptyErrorReply)
    renderApp(here)
    await screen.findByText('Error Loading Submissions')
    expect(screen.getByText('Failed to fetch submissions or assignment details.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to Courses' }).getAttribute('href')).toBe('/courses')
    mockEndpoint(listSubmissions, () => ok(listSubmissions, [graded], { 'X-Total-Count': '1' }))
    await userEvent.click(button('Try Again'))
    await screen.findByText('#31')
  })

  it('says that an address lacks its ids', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const app = renderApp('/assignments/x/submissions')
    await screen.findByText(/^Assignment ID is missing\./)
    app.unmount()
    renderApp('/assignments/5/submissions/x')
    await screen.findByText(/^Assignment ID and Submission ID are required\./)
  })

  it('is refreshed by hand', async () => {
    const user = await open()
    await user.click(button('Refresh'))
    await screen.findByText('Submissions refreshed successfully!')
    mockEndpoint(listSubmissions, emptyErrorReply)
    await user.click(button('Refresh'))
    await screen.findByText('Failed to refresh submissions.')
  })
})

describe('grading', () => {
  it('says that it starts, that it has started, and that it is over', async () => {
    let start = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    mockEndpoint(processAssignment, async () => {
      await started
      return ok(processAssignment, { message: 'Started', run_id: 1, queued: 1 })
    })
    const user = await open()
    await user.click(button('Process & Grade'))
    await screen.findByText('Starting processing...')
    start()
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
  ])('says %s', async (words, how) => {
    mockEndpoint(processAssignment, how)
    const user = await open()
    await user.click(button('Process & Grade'))
    await screen.findByText(words)
  })
})

describe('what is in the file of grades', () => {
  it('is saved under the assignment’s name', async () => {
    mockEndpoint(exportGrades, () => new Response('student_identifier\n'))
    URL.createObjectURL = () => 'blob:grades'
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download)
    })
    const saved: string[] = []
    await open()
    await fromMore('Export CSV')
    await expect.poll(() => saved).toEqual(['assignment_5_grades.csv'])
    mockEndpoint(exportGradeHistory, () => new Response('{}\n'))
    await fromMore(/^Grading record/)
    await expect.poll(() => saved.at(-1)).toBe('assignment_5_history.jsonl')
    clicked.mockRestore()
  })

  it('or is not to be had: Failed to export grades. Please try again.', async () => {
    mockEndpoint(exportGrades, emptyErrorReply)
    await open()
    await fromMore('Export CSV')
    await screen.findByText('Failed to export grades. Please try again.')
  })

  it('is in a menu with the rubric and the settings, which the keyboard opens and gives the focus back', async () => {
    const user = await open()
    const more = button('More for this assignment')
    more.focus()
    await user.keyboard('{Enter}')
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent?.replace(/(The history of e|E)ach.*/, ''))).toEqual([
      'Print for the class',
      'Upload photos of a paper',
      'Upload a class scan',
      'Rubric',
      'Settings',
      'Adjust scores',
      'Check accuracy',
      'Similar answers',
      'Export CSV',
      'Graded papers (ZIP)',
      'Grading record',
    ])
    expect(screen.getByRole('menuitem', { name: 'Rubric' }).getAttribute('href')).toBe('/assignments/5/rubric')
    expect(screen.getByRole('menuitem', { name: 'Settings' }).getAttribute('href')).toBe('/assignments/5/settings')
    await user.keyboard('{Escape}')
    await expect.poll(() => document.activeElement).toBe(more)
  })
})

describe('publishing', () => {
  const published = buildAssignment({ status: 'published' })

  it('turns a draft into a published assignment, after saying who sees what', async () => {
    mockEndpoint(publishAssignment, () => ok(publishAssignment, published))
    const user = await open()
    await user.click(button('Publish'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/2 students will see their grades and feedback\./)).toBeTruthy()
    expect(dialog.getByText(/1 paper not graded yet/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Publish' }))
    await screen.findByText('Assignment published successfully!')
  })

  it('and back, saying how many grades that hides', async () => {
    mockEndpoint(getAssignment, () => ok(getAssignment, published))
    mockEndpoint(countSubmissions, () => ok(countSubmissions, countsOf({ unreleased: 0 })))
    mockEndpoint(unpublishAssignment, () => ok(unpublishAssignment, buildAssignment()))
    const user = await open()
    await screen.findByText('Published')
    await user.click(button('Unpublish'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('This hides 2 released grades.')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Unpublish' }))
    await screen.findByText('Assignment unpublished successfully!')
  })

  it.each([
    ['Failed to change assignment status.', emptyErrorReply],
    ['Cannot change status: Assignment data is missing.', () => errorReply('resource_not_found')],
  ])('fails where it was asked: %s', async (words, how) => {
    mockEndpoint(publishAssignment, how)
    const user = await open()
    await user.click(button('Publish'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Publish' }))
    await dialog.findByText(words)
  })
})

describe('deleting', () => {
  const asked = async () => within(await screen.findByRole('dialog'))

  it('asks about one paper, and says what became of it', async () => {
    mockEndpoint(deleteSubmission, emptyErrorReply)
    const user = await open()
    await user.click(button(/^Delete submission 31/))
    const dialog = await asked()
    expect(dialog.getByText('This action cannot be undone.')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await dialog.findByText('Failed to delete submission.')
    mockEndpoint(deleteSubmission, () => ok(deleteSubmission, { message: 'Deleted' }))
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await screen.findByText('Submission deleted successfully!')
  })

  it('asks about several, and says what became of each', async () => {
    mockEndpoint(deleteSubmissions, emptyErrorReply)
    const user = await open()
    await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
    expect(screen.getAllByText('3 selected').length).toBeGreaterThan(0)
    await user.click(button('Delete Selected'))
    const dialog = await asked()
    expect(dialog.getByText('This action cannot be undone.')).toBeTruthy()
    const confirm = dialog.getByRole('button', { name: 'Delete 3 submissions' })
    await user.click(confirm)
    await dialog.findByText('Failed to delete submissions.')
    const results = {
      total_requested: 3,
      total_deleted: 2,
      successful_deletions: [31, 32],
      failed_deletions: [{ id: 33, title: 'lin' }],
      validation_failures: [],
    }
    mockEndpoint(deleteSubmissions, () => ok(deleteSubmissions, { results }))
    await user.click(confirm)
    await screen.findByText('Successfully deleted 2 submission(s)!')
    await screen.findByText(/^Failed to delete 1 submission\(s\)\. Check logs for details\./)
  })

  it('says that an answer could not be read', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    mockEndpoint(deleteSubmissions, () => Response.json({ results: null }))
    const user = await open()
    await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
    await user.click(button('Delete Selected'))
    const dialog = await asked()
    await user.click(dialog.getByRole('button', { name: 'Delete 3 submissions' }))
    await dialog.findByText('Invalid response from server. Please try again.')
  })
})
