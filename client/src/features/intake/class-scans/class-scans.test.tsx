import {
  type ClassScan,
  type ClassScanRow,
  confirmClassScan,
  editClassScan,
  getClassScan,
  getClassScanPage,
  listClassScans,
  type PageTurn,
  resumeClassScan,
  splitClassScan,
  uploadClassScan,
} from '@assay/shared/class-scans.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'
import { announceEdit, isSamePlace } from './PapersReview.tsx'

beforeEach(() => signInAs())

const page = (number: number, doubts: string[] = []) => ({
  key: `page-${number}`,
  page: number,
  turn: 0 as PageTurn,
  blank_page: number,
  doubts,
  offers: [] as string[],
})
const paper = (key: string, pages: ReturnType<typeof page>[], student: number) => ({
  ...{ key, pages, notes: [], student_id: student, student_by: 'match' as const, student_doubt: null },
  ...{ name_read: 'Ada Byron', checked: false, submission_id: null },
})
const scan: ClassScan = {
  id: 3,
  assignment_id: 5,
  state: 'ready',
  failure: null,
  files: [{ name: 'copier.pdf', pages: 4 }],
  pages: 4,
  progress: { step: 'names', done: 2, total: 2 },
  split: { by: 'blank', pages_per_paper: null },
  created_at: '2026-11-20T09:00:00.000Z',
  revision: 7,
  papers: [
    paper('one', [page(1), page(2)], 11),
    paper('two', [page(3), page(4, ['This page is not in the blank.'])], 12),
  ],
  dropped: [],
  can_undo: false,
  names_unread: 0,
  students: [
    { id: 11, name: 'Ada Byron', username: 'ada', has_paper: false },
    { id: 12, name: 'Ben Okri', username: 'ben', has_paper: false },
  ],
}

it('says of pages that were set apart why', async () => {
  const apart = page(5, ['This page belongs to another assignment.'])
  mockEndpoint(getClassScan, () => ok(getClassScan, { ...scan, dropped: [apart] }))
  renderPage('/assignments/5/class-scans/3')
  await screen.findByText(/1 page was set apart/)
  within(screen.getByRole('region', { name: 'Dropped pages' })).getByText('This page belongs to another assignment.')
})

it('shows doubtful papers first, and moves a page to another by its menu', async () => {
  mockEndpoint(getClassScan, () => ok(getClassScan, scan))
  const edits = mockEndpoint(editClassScan, () => ok(editClassScan, { ...scan, revision: 8, can_undo: true }))
  renderPage('/assignments/5/class-scans/3')
  const doubtful = await screen.findByRole('region', { name: 'Papers to look at' })
  expect(within(doubtful).getAllByRole('article').length).toBe(1)
  within(doubtful).getByText('This page is not in the blank.')
  await userEvent.click(within(doubtful).getByRole('button', { name: 'Change Page 4 of the scan' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Paper 1: Ada Byron' }))
  await screen.findByRole('button', { name: 'Undo' })
  expect(await Promise.all(edits.map((one) => one.json()))).toEqual([
    { revision: 7, edit: { kind: 'move', pages: ['page-4'], paper: 'one', before: null } },
  ])
})

it('offers a page without a code to the paper that lacks it, in its place, by one press', async () => {
  const lost = { ...page(5, ['No code was read on this page.']), blank_page: 2, offers: ['gone', 'two'] }
  const two = paper('two', [page(1), page(3)], 12)
  const papers = [paper('one', [page(1), page(2)], 11), two, paper('rest', [lost], 12)]
  mockEndpoint(getClassScan, () => ok(getClassScan, { ...scan, papers }))
  const edits = mockEndpoint(editClassScan, () => ok(editClassScan, { ...scan, revision: 8, can_undo: true }))
  renderPage('/assignments/5/class-scans/3')
  await userEvent.click(await screen.findByRole('button', { name: 'Put into paper 2: Ben Okri' }))
  await screen.findByText('Page 5 moved to paper 2.')
  expect(await Promise.all(edits.map((one) => one.json()))).toEqual([
    { revision: 7, edit: { kind: 'move', pages: ['page-5'], paper: 'two', before: 'page-3' } },
  ])
})

it('shows a page large and upright, and those beside it in its paper', async () => {
  const turned = { ...page(2), turn: 180 as PageTurn }
  const papers = [paper('one', [page(1), turned], 11)]
  mockEndpoint(getClassScan, () => ok(getClassScan, { ...scan, papers }))
  const asked = mockEndpoint(
    getClassScanPage,
    () => new Response('picture', { headers: { 'Content-Type': 'image/jpeg' } }),
  )
  renderPage('/assignments/5/class-scans/3')
  await userEvent.click(await screen.findByRole('button', { name: 'Show Page 1 of the scan large' }))
  const dialog = await screen.findByRole('dialog', { name: 'Page 1 of the scan, in paper 1' })
  await within(dialog).findByRole('img', { name: 'Page 1 of the scan' })
  expect(within(dialog).getByRole('button', { name: 'Previous page' })).toHaveProperty('disabled', true)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Next page' }))
  await within(dialog).findByRole('img', { name: 'Page 2 of the scan' })
  expect(asked.map(({ url }) => new URL(url).search)).toEqual(['?size=large&turn=0', '?size=large&turn=180'])
})

it.each<[string, string, string | null, string | null, boolean]>([
  ['at the end of its paper', 'page-2', 'one', null, true],
  ['before the page after it', 'page-1', 'one', 'page-2', true],
  ['on a dropped page', 'page-9', null, 'page-8', true],
  ['before the first of its paper', 'page-2', 'one', 'page-1', false],
  ['at the end of another paper', 'page-2', 'two', null, false],
  ['among the dropped pages', 'page-2', null, null, false],
])('knows whether a page that is dropped %s lies where it did', (_, key, paper, before, isPlace) => {
  expect(isSamePlace({ ...scan, dropped: [page(8), page(9)] }, key, { paper, before })).toBe(isPlace)
})

it('says where a page went by the numbers that papers have then', () => {
  const [one, two] = scan.papers
  if (!one || !two) throw new Error('two papers')
  const before = { ...scan, papers: [paper('gone', [page(5)], 11), one, two] }
  const move = { kind: 'move' as const, pages: ['page-5'], paper: 'two', before: null }
  expect(announceEdit(before, move, scan)).toBe('Page 5 moved to paper 2.')
})

it('says how many papers are in doubt before they are confirmed', async () => {
  mockEndpoint(getClassScan, () => ok(getClassScan, scan))
  const confirmed = mockEndpoint(confirmClassScan, () => ok(confirmClassScan, { ...scan, state: 'confirming' }))
  renderPage('/assignments/5/class-scans/3')
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm papers' }))
  const dialog = await screen.findByRole('dialog')
  within(dialog).getByText(/1 paper is still in doubt/)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Confirm papers' }))
  await expect.poll(() => confirmed.length).toBe(1)
})

it('splits a scan again in another way, by keyboard, and goes on when the names are read', async () => {
  let now = { ...scan, can_undo: true }
  mockEndpoint(getClassScan, () => ok(getClassScan, now))
  const reading = {
    ...scan,
    revision: 8,
    state: 'analysing' as const,
    progress: { step: 'names' as const, done: 0, total: 2 },
  }
  const splits = mockEndpoint(splitClassScan, () => {
    now = { ...reading, can_undo: true }
    return ok(splitClassScan, now)
  })
  renderPage('/assignments/5/class-scans/3')
  const user = userEvent.setup()
  await screen.findByText(/split by printed codes or the blank’s pages\./)
  const opener = screen.getByRole('button', { name: 'Split again' })
  opener.focus()
  await user.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Split the scan again' })
  within(dialog).getByText(/without your changes\. Undo brings them back\./)
  within(dialog)
    .getByRole('radio', { name: /^Compare with the blank/, checked: true })
    .focus()
  await user.keyboard('{ArrowDown}{ArrowDown}')
  const submit = within(dialog).getByRole('button', { name: 'Split again' })
  expect(submit).toHaveProperty('disabled', true)
  await user.type(within(dialog).getByLabelText('Pages in a paper'), '2{Enter}')
  await screen.findByText(/Reading the names: 0 of 2/)
  const place = screen.getByRole('region', { name: 'Class scan' })
  await expect.poll(() => document.activeElement).toBe(place)
  expect(await Promise.all(splits.map((one) => one.json()))).toEqual([
    { revision: 7, by: 'page_count', pages_per_paper: 2 },
  ])
})

it('says in the dialog why a scan was not split again', async () => {
  mockEndpoint(getClassScan, () => ok(getClassScan, scan))
  mockEndpoint(splitClassScan, () =>
    errorReply('bad_request', { detail: 'No separator sheet was found in this scan.' }),
  )
  renderPage('/assignments/5/class-scans/3')
  await userEvent.click(await screen.findByRole('button', { name: 'Split again' }))
  const dialog = await screen.findByRole('dialog')
  await userEvent.click(within(dialog).getByRole('radio', { name: 'A separator sheet lies before each paper' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Split again' }))
  await within(dialog).findByText('No separator sheet was found in this scan.')
})

it('reads names that were not read yet, where there are any', async () => {
  mockEndpoint(getClassScan, () => ok(getClassScan, { ...scan, names_unread: 3 }))
  const resumed = mockEndpoint(resumeClassScan, () => ok(resumeClassScan, { ...scan, state: 'analysing' }))
  renderPage('/assignments/5/class-scans/3')
  await userEvent.click(await screen.findByRole('button', { name: 'Read 3 names' }))
  await expect.poll(() => resumed.length).toBe(1)
})

it('splits as the scan shows, and at separator sheets where that is chosen', async () => {
  mockEndpoint(listClassScans, () => ok(listClassScans, [] as ClassScanRow[]))
  const uploaded = mockEndpoint(uploadClassScan, () => errorReply('files_refused', { detail: 'It is damaged.' }))
  const { container } = renderPage('/assignments/5/class-scans')
  const user = userEvent.setup()
  await screen.findByRole('radio', { name: /^Let Assay find/, checked: true })
  const input = container.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('there is no input for files')
  await user.upload(input, new File(['%PDF-'], 'copier.pdf', { type: 'application/pdf' }))
  await user.click(screen.getByRole('button', { name: 'Upload and split' }))
  expect(await screen.findByText('It is damaged.')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'A separator sheet lies before each paper' }))
  await user.click(screen.getByRole('button', { name: 'Upload and split' }))
  await waitFor(() => expect(uploaded).toHaveLength(2))
  expect(await uploaded[0]?.text()).not.toContain('split_by')
  expect(await uploaded[1]?.text()).toMatch(/name="split_by"\s+separators\s/)
})
