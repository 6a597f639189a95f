import {
  type Assignment,
  type Extension,
  getAssignment,
  listAssignments,
  listExtensions,
  removeExtension,
  setExtension,
  updateAssignment,
} from '@assay/shared/assignments.ts'
import { type CourseStudent, listCourseStudents } from '@assay/shared/courses.ts'
import { getScoreRules, previewDates } from '@assay/shared/score-rules.ts'
import type { Unbranded } from '@assay/shared/users.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { toLocalInput } from '../../../lib/local-time.ts'
import { buildAssignment, buildCourseStudent } from '../../../testing/build-course.ts'
import { buildScoreRules, buildScoreRulesPreview } from '../../../testing/build-score-rules.ts'
import { errorReply, mockBodies, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { fillIn, renderPage } from '../../../testing/render.tsx'

const due = '2026-11-23T12:00:00.000Z'
const later = '2026-11-25T12:00:00.000Z'

const quiz = buildAssignment({
  counts: { submissions: 0, graded: 0, flagged: 0, failed: 0, reviewed: 0, unreleased: 0, regrades: 0 },
  due_at: due,
})

const ada = { id: 2, username: 'ada', full_name: 'Ada Mutombo' }
const students: CourseStudent[] = [
  buildCourseStudent({ ...ada, email: 'ada@school.example' }),
  buildCourseStudent({ id: 3, username: 'ben', full_name: null, email: 'ben@school.example' }),
]

async function open(assignment = quiz, extensions: Unbranded<Extension>[] = []) {
  mockEndpoint(getAssignment, () => ok(getAssignment, assignment))
  mockEndpoint(listExtensions, () => ok(listExtensions, extensions))
  const app = renderPage('/assignments/5/settings')
  const name = await screen.findByLabelText<HTMLInputElement>(/Assignment name/)
  const type = async (label: RegExp | string, moment: string) => {
    const field = screen.getByLabelText(label)
    await userEvent.clear(field)
    if (moment) await userEvent.type(field, moment)
  }
  return { ...app, name, type, user: userEvent.setup() }
}

beforeEach(() => {
  signInAs()
  mockEndpoint(listCourseStudents, () => ok(listCourseStudents, students))
  mockEndpoint(getScoreRules, () => ok(getScoreRules, buildScoreRules()))
})

describe('the settings of an assignment', () => {
  it('shows dates in the teacher’s own time and sends in UTC only what was changed', async () => {
    const { user, type } = await open()
    const closing = screen.getByLabelText<HTMLInputElement>('Closes')
    expect(screen.getByLabelText('Due')).toHaveProperty('value', toLocalInput(due))
    const sent = mockBodies(updateAssignment, () =>
      ok(updateAssignment, { ...quiz, closes_at: later, late_rule: 'mark_late' }),
    )
    await type('Closes', toLocalInput(later))
    await user.click(screen.getByRole('radio', { name: 'Mark late' }))
    expect(screen.getByText('You have unsaved changes')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() => expect(sent).toEqual([{ closes_at: later, late_rule: 'mark_late' }]))
    await waitFor(() => expect(screen.queryByText('You have unsaved changes')).toBeNull())
    expect(closing.value).toBe(toLocalInput(later))
  })

  it('wants a name, as long as one may be when it is created', async () => {
    const { name } = await open()
    expect([name.required, name.maxLength]).toEqual([true, 200])
  })

  it('says at the field that dates are out of order, and sends nothing', async () => {
    const { user, type } = await open()
    const sent = mockBodies(updateAssignment, () => errorReply('service_unavailable'))
    await type('Closes', '2026-11-01T08:00')
    const field = screen.getByLabelText('Closes')
    expect(screen.getByText('The closing date must not be before the due date.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(document.activeElement).toBe(field)
    expect(sent).toEqual([])
  })

  it('keeps what was entered when saving fails, and says why beside the button', async () => {
    const { user, name } = await open()
    mockBodies(updateAssignment, () => errorReply('conflict', { detail: 'Unpublish it first.' }))
    await fillIn(name, ' again')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Unpublish it first.')
    expect(name.value).toBe('Quiz 3 again')
  })

  it('asks before unsaved changes are left, and not after Cancel', async () => {
    mockEndpoint(listAssignments, () => ok(listAssignments, []))
    const { user, name, address } = await open()
    const away = async () => await user.click(screen.getAllByRole('link', { name: 'Dashboard' })[0] as HTMLElement)
    await user.type(name, '!')
    await away()
    await user.click(await screen.findByRole('button', { name: 'Keep editing' }))
    expect(address()).toBe('/assignments/5/settings')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(name.value).toBe('Quiz 3')
    await away()
    await waitFor(() => expect(address()).toBe('/dashboard'))
  })

  it('does not offer another course for a published assignment', async () => {
    await open({ ...quiz, status: 'published', dates_state: 'overdue' })
    expect(screen.getByLabelText('Course')).toHaveProperty('disabled', true)
    expect(screen.getByText('Overdue')).toBeTruthy()
  })

  it('says that there is no such assignment, with a way back', async () => {
    mockEndpoint(getAssignment, () => errorReply('resource_not_found'))
    renderPage('/assignments/5/settings')
    expect(await screen.findByText('Error Loading Assignment')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Back to Dashboard' })).toBeTruthy()
  })
})

it('extensions are given to a student one searches for', async () => {
  const { user, type } = await open()
  const sent = mockBodies(setExtension, () => ok(setExtension, { student: ada, due_at: later, closes_at: null }))
  await user.click(await screen.findByRole('button', { name: 'Give Extension' }))
  await fillIn(screen.getByRole('combobox', { name: /^Student/ }), 'muto')
  await user.click(await screen.findByRole('option', { name: 'Ada Mutombo (ada)' }))
  await type(/Due for this student/, toLocalInput(due))
  expect(screen.getByText('The extended due date must be after the assignment’s.')).toBeTruthy()
  await type(/Due for this student/, toLocalInput(later))
  await user.click(screen.getByRole('button', { name: 'Save Extension' }))
  const list = await screen.findByRole('list', { name: 'Extensions' })
  expect(sent).toEqual([{ due_at: later, closes_at: null }])
  expect(within(list).getByText('Ada Mutombo')).toBeTruthy()
})

it('extensions are changed and removed', async () => {
  const { user } = await open(quiz, [{ student: ada, due_at: later, closes_at: null }])
  await user.click(await screen.findByRole('button', { name: 'Edit the extension of Ada Mutombo' }))
  expect(screen.getByLabelText(/Due for this student/)).toHaveProperty('value', toLocalInput(later))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  const removed = mockEndpoint(removeExtension, () => ok(removeExtension, { message: 'Extension removed.' }))
  await user.click(screen.getByRole('button', { name: 'Remove the extension of Ada Mutombo' }))
  await user.click(await screen.findByRole('button', { name: 'Remove Extension' }))
  await screen.findByText(/No extensions yet/)
  expect(removed).toHaveLength(1)
})

it('extensions need a course and a due date', async () => {
  await open({ ...quiz, due_at: null })
  await screen.findByText(/first save a course and a due date/)
  expect(screen.queryByRole('button', { name: 'Give Extension' })).toBeNull()
})

describe('dates that change released scores', () => {
  const published: Assignment = { ...quiz, status: 'published', late_rule: 'mark_late' }
  const changing = buildScoreRulesPreview({ changed: 2, released: 28, released_changed: 2 })

  it('are saved only once the scores they change were shown, and shown anew for other dates', async () => {
    const asked = mockBodies(previewDates, () => ok(previewDates, changing))
    const sent = mockBodies(updateAssignment, () => ok(updateAssignment, { ...published, due_at: later }))
    const { user, type } = await open(published)
    await type('Due', toLocalInput(later))
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText(/2 of 28 released scores change\./)
    expect(asked).toEqual([{ due_at: later }])
    expect(sent).toEqual([])
    await type('Closes', toLocalInput(later))
    expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    expect(await screen.findByRole('region', { name: 'Preview' })).toBe(document.activeElement)
    await user.click(screen.getByRole('button', { name: 'Save and Change Scores' }))
    await screen.findByText('Settings saved.')
    expect(sent).toEqual([{ due_at: later, closes_at: later }])
  })

  it('are saved at once where none changes, and for a draft or another name nothing is asked', async () => {
    const asked = mockBodies(previewDates, () => ok(previewDates, { ...changing, released_changed: 0 }))
    const sent = mockBodies(updateAssignment, () => ok(updateAssignment, { ...published, title: 'Quiz 3!' }))
    const { user, name, type } = await open(published)
    await user.type(name, '!')
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await screen.findByText('Settings saved.')
    expect(asked).toEqual([])
    await type('Due', toLocalInput(later))
    await user.click(screen.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(asked).toHaveLength(1)
  })

  it('are shown for an extension, given or removed', async () => {
    const asked = mockBodies(previewDates, () => ok(previewDates, changing))
    mockBodies(setExtension, () => ok(setExtension, { student: ada, due_at: later, closes_at: later }))
    const { user, type } = await open(published, [{ student: ada, due_at: later, closes_at: null }])
    await user.click(await screen.findByRole('button', { name: 'Edit the extension of Ada Mutombo' }))
    await type(/Closes for this student/, toLocalInput(later))
    await user.click(screen.getByRole('button', { name: 'Save Extension' }))
    await user.click(await screen.findByRole('button', { name: 'Save and Change Scores' }))
    await screen.findByText('Extension saved.')
    mockEndpoint(removeExtension, () => ok(removeExtension, { message: 'Extension removed.' }))
    await user.click(screen.getByRole('button', { name: 'Remove the extension of Ada Mutombo' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/2 of 28 released scores change\./)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Remove and Change Scores' }))
    await screen.findByText(/No extensions yet/)
    expect(asked).toEqual([
      { extension: { student_id: 2, dates: { due_at: later, closes_at: later } } },
      { extension: { student_id: 2, dates: null } },
    ])
  })
})
