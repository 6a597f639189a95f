import { getCourse } from '@assay/shared/courses.ts'
import {
  exportGradebook,
  type Gradebook,
  type GradebookCell,
  type GradebookColumn,
  type GradebookRow,
  getGradebook,
  updateGradebook,
} from '@assay/shared/gradebook.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { buildCourseDetail } from '../../testing/build-course.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { recordDownloads, renderPage } from '../../testing/render.tsx'

beforeEach(() => {
  signInAs()
  // jsdom has no layout.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(900)
  mockEndpoint(getCourse, () => ok(getCourse, buildCourseDetail({ id: 7, name: 'Physics' })))
})

const column = (id: number, part: Partial<GradebookColumn> = {}): GradebookColumn => ({
  assignment_id: id,
  title: `Quiz ${id}`,
  status: 'published',
  due_at: null,
  max_points: 20,
  names_hidden: false,
  counts: true,
  weight: 1,
  mean: 50,
  ...part,
})

const row = (id: number, full_name: string, total: number | null, cells: (GradebookCell | null)[]): GradebookRow => ({
  student_id: id,
  username: `user-${id}`,
  full_name,
  student_number: `10${id}`,
  total,
  cells,
})

const small: Gradebook = {
  columns: [column(1), column(2, { counts: false, weight: 2 }), column(3, { status: 'draft', mean: null })],
  rows: [
    row(1, 'Zoe Abel', 62.5, [{ submission_id: 11, points: 12.5, late: true, dropped: true }, null, null]),
    row(2, 'Éva van Dam', 95, [
      { submission_id: 21, points: 19 },
      { submission_id: 22, points: 3, of: 10, state: 'newer' },
      { submission_id: 23, points: 8, state: 'unreleased' },
    ]),
    row(3, 'Bo Zimt', null, [{ state: 'missing' }, null, { submission_id: 33, state: 'ungraded' }]),
  ],
  drop_lowest: 1,
  mean: 78.8,
}

async function open(book = small) {
  mockEndpoint(getGradebook, () => ok(getGradebook, book))
  app = renderPage('/courses/7/gradebook')
  return screen.findByRole('grid', { name: 'Gradebook' })
}

let app: ReturnType<typeof renderPage>
const names = () => screen.getAllByRole('rowheader').map((cell) => cell.querySelector('span')?.textContent)
const press = (key: string) => userEvent.keyboard(key)
const focus = () => document.activeElement

it('a gradebook tells points and percent, and what is late, dropped, missing or not released, in words', async () => {
  const grid = await open()
  expect(grid.getAttribute('aria-rowcount')).toBe('4')
  expect(grid.getAttribute('aria-colcount')).toBe('5')
  expect(names()).toEqual(['Zoe Abel', 'Éva van Dam', 'Bo Zimt'])
  const labels = screen.getAllByRole('link').map((link) => link.getAttribute('aria-label'))
  expect(labels.filter((label) => label?.includes('point') || label?.includes('grade'))).toEqual([
    '12.5, 62.5\u00a0% of 20 points, late, dropped as one of the lowest',
    '19, 95.0\u00a0% of 20 points',
    '3, 30.0\u00a0% of 10 points, a newer grade or paper is not released, does not count',
    '8, 40.0\u00a0% of 20 points, not released, so it does not count',
    'to grade',
  ])
  expect(screen.getByRole('gridcell', { name: 'missing' })).toBeTruthy()
  const heads = screen.getAllByRole('columnheader').map((head) => head.textContent)
  expect(heads).toEqual([
    'Student',
    'Total1 droppedmean 78.8\u00a0%',
    'Quiz 1of 20mean 50.0\u00a0%',
    'Quiz 2of 20 · Not countedmean 50.0\u00a0%',
    'Quiz 3of 20 · Draftno mean yet',
  ])
  const bands = [...grid.querySelectorAll('[data-band]')].map((one) => one.getAttribute('data-band'))
  expect(bands).toContain('excellent')
  expect(bands).toContain('needsWork')
})

it('a gradebook is sorted by any column and filtered by name, number, missing, late and low work', async () => {
  await open()
  const head = (name: string) => screen.getByRole('button', { name })
  await userEvent.click(head('Total'))
  expect(names()).toEqual(['Éva van Dam', 'Zoe Abel', 'Bo Zimt'])
  await userEvent.click(head('Total'))
  expect(names()).toEqual(['Zoe Abel', 'Éva van Dam', 'Bo Zimt'])
  expect(screen.getByRole('columnheader', { name: /Total/ }).getAttribute('aria-sort')).toBe('ascending')
  await userEvent.click(head('Quiz 2'))
  expect(names()[0]).toBe('Éva van Dam')
  expect(screen.getByRole('status').textContent).toBe('3 of 3 students shown, sorted by Quiz 2 in descending order')
  const search = screen.getByRole('searchbox', { name: 'Search students' })
  await userEvent.type(search, 'eva')
  await waitFor(() => expect(names()).toEqual(['Éva van Dam']))
  await userEvent.clear(search)
  await userEvent.type(search, '103')
  await waitFor(() => expect(names()).toEqual(['Bo Zimt']))
  await userEvent.clear(search)
  const show = screen.getByRole('combobox', { name: 'Show' })
  const found: Record<string, (string | null | undefined)[]> = {}
  for (const filter of ['Missing work', 'Late work', 'Total below 90%']) {
    await userEvent.selectOptions(show, filter)
    found[filter] = names()
  }
  expect(found).toEqual({ 'Missing work': ['Bo Zimt'], 'Late work': ['Zoe Abel'], 'Total below 90%': ['Zoe Abel'] })
  await userEvent.type(search, 'nobody')
  await screen.findByText('No students match.')
})

it('of a thousand students by forty assignments few cells are drawn, and the keys reach every one', async () => {
  const cells = (student: number) =>
    Array.from({ length: 40 }, (_, i) => ({ submission_id: 100 * student + i + 1, points: (student + i) % 21 }))
  const grid = await open({
    columns: Array.from({ length: 40 }, (_, i) => column(i + 1)),
    rows: Array.from({ length: 1000 }, (_, i) => row(i + 1, `Student ${String(i).padStart(4, '0')}`, 50, cells(i + 1))),
    drop_lowest: 0,
    mean: 50,
  })
  await waitFor(() => expect(screen.getAllByRole('row').length).toBeGreaterThan(10))
  expect(grid.querySelectorAll('[role=gridcell]').length).toBeLessThan(600)
  expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
  screen.getByRole('button', { name: 'Student' }).focus()
  await press('{ArrowDown}')
  expect(focus()?.textContent).toContain('Student 0000')
  await press('{ArrowRight}{ArrowRight}')
  expect(focus()?.getAttribute('href')).toBe('/assignments/1/submissions/101')
  await press('{End}')
  expect(focus()?.getAttribute('href')).toBe('/assignments/40/submissions/140')
  await press('{Control>}{End}{/Control}')
  expect(focus()?.getAttribute('href')).toBe('/assignments/40/submissions/100040')
  await press('{ArrowUp}{ArrowLeft}')
  expect(focus()?.getAttribute('href')).toBe('/assignments/39/submissions/99939')
  await press('{Home}')
  expect(focus()?.textContent).toContain('Student 0998')
  await press('{Control>}{Home}{/Control}')
  expect(focus()?.textContent).toContain('Student 0000')
  await press('{ArrowUp}{ArrowUp}')
  expect(focus()).toBe(screen.getByRole('button', { name: 'Student' }))
  expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1)
  mockEndpoint(getSubmission, () => errorReply('resource_not_found'))
  await press('{ArrowDown}{ArrowRight}{ArrowRight}{Enter}')
  await waitFor(() => expect(app.address()).toBe('/assignments/1/submissions/101'))
  await screen.findByText('Submission Not Found')
})

it('what counts is changed in one dialog, which shows each share and refuses what is no weight', async () => {
  await open()
  const sent = mockBodies(updateGradebook, () => ok(updateGradebook, { message: 'Saved.' }))
  await userEvent.click(screen.getByRole('button', { name: 'What counts' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Quiz 2' }))
  expect(dialog.getAllByText(/^\d+\.\d\s%$/).map((share) => share.textContent)).toEqual(
    ['25.0', '50.0', '25.0'].map((share) => `${share}\u00a0%`),
  )
  const weight = dialog.getByRole('textbox', { name: 'Weight of Quiz 1' })
  await userEvent.clear(weight)
  expect(dialog.getByText('Above 0, up to 1000')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  await userEvent.type(weight, '1,5')
  const drop = dialog.getByRole('textbox', { name: 'Drop the lowest grades of each student' })
  await userEvent.clear(drop)
  await userEvent.type(drop, '2')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    {
      drop_lowest: 2,
      assignments: [
        { assignment_id: 1, counts: true, weight: 1.5 },
        { assignment_id: 2, counts: true, weight: 2 },
        { assignment_id: 3, counts: true, weight: 1 },
      ],
    },
  ])
})

it('a gradebook is exported as CSV and for each LMS', async () => {
  await open()
  const saved = recordDownloads()
  const heard = mockEndpoint(exportGradebook, () => new Response('a,b', { headers: { 'Content-Type': 'text/csv' } }))
  for (const item of ['Export CSV', 'Export for Moodle']) {
    await userEvent.click(screen.getByRole('button', { name: 'Export' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: item }))
  }
  await waitFor(() => expect(heard.map(({ url }) => url.searchParams.get('format'))).toEqual([null, 'moodle']))
  await waitFor(() => expect(saved).toHaveLength(2))
})

it('a gradebook without students leads to the roster', async () => {
  mockEndpoint(getGradebook, () => ok(getGradebook, { ...small, rows: [] }))
  renderPage('/courses/7/gradebook')
  await screen.findByRole('heading', { name: 'No Students Yet' })
  const link = screen.getByRole('link', { name: 'Manage Roster' })
  expect(link.getAttribute('href')).toBe('/courses/7/roster')
})
