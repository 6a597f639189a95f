import { getAssignment } from '@assay/shared/assignments.ts'
import {
  createPrint,
  getAnswerSheetQuestions,
  getPrintedCopies,
  getSeparatorSheets,
  listPrints,
  type Print,
} from '@assay/shared/printing.ts'
import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { buildAssignment } from '../../../testing/build-course.ts'
import { buildSubmissionCounts } from '../../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../../testing/mock-api.ts'
import { renderPage } from '../../../testing/render.tsx'

const print: Print = {
  id: 3,
  kind: 'copies',
  at: '2026-11-24T10:00:00.000Z',
  students: 24,
  spares: 2,
  pages: 4,
  names: true,
  double_sided: true,
  current: true,
}

let prints: Print[] = []
beforeEach(() => {
  signInAs()
  prints = []
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ course_id: 7, course_name: 'Biology 8b' })))
  mockEndpoint(countSubmissions, () => ok(countSubmissions, buildSubmissionCounts({})))
  mockEndpoint(listSubmissions, () => ok(listSubmissions, [], { 'X-Total-Count': '0' }))
  mockEndpoint(listPrints, () => ok(listPrints, prints))
})

async function openDialog() {
  renderPage('/assignments/5/submissions')
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'More for this assignment' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Print for the class' }))
  return { user, dialog: within(await screen.findByRole('dialog', { name: 'Print for the class' })) }
}

it('makes the copies that were chosen and downloads them', async () => {
  const created = mockEndpoint(createPrint, () => {
    prints = [{ ...print, names: false }]
    return ok(createPrint, print)
  })
  const downloaded = mockEndpoint(getPrintedCopies, () => new Response('%PDF-'))
  const { user, dialog } = await openDialog()
  await user.click(dialog.getByRole('checkbox', { name: /Print the student’s name/ }))
  await user.click(dialog.getByRole('button', { name: 'Download PDF' }))
  await waitFor(() => expect(downloaded).toHaveLength(1))
  expect(await created[0]?.json()).toEqual({
    kind: 'copies',
    students: true,
    spares: 2,
    names: false,
    double_sided: true,
  })
  expect(await dialog.findByText(/24 students, 2 spare, 4 pages each/)).toBeTruthy()
})

it('says why no copies could be made, and offers no copies of a blank that was replaced', async () => {
  prints = [{ ...print, current: false }]
  mockEndpoint(createPrint, () => errorReply('bad_request', { detail: 'This course has no students yet.' }))
  const { user, dialog } = await openDialog()
  expect(await dialog.findByText('The blank has been replaced since.')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: /Download again/ })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Download PDF' }))
  expect(await dialog.findByText('This course has no students yet.')).toBeTruthy()
})

it('makes only spare copies while names are hidden', async () => {
  const hidden = { names_hidden: true, times_shown: 0, last_shown: null }
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment({ course_id: 7, anonymous: hidden })))
  prints = [print]
  const created = mockEndpoint(createPrint, () => ok(createPrint, { ...print, students: 0 }))
  mockEndpoint(getPrintedCopies, () => new Response('%PDF-'))
  const { user, dialog } = await openDialog()
  expect(await dialog.findByText(/only spare copies can be printed/)).toBeTruthy()
  expect(dialog.getByRole('checkbox', { name: 'A copy for each student on the roster' })).toHaveProperty(
    'disabled',
    true,
  )
  expect(await dialog.findByText('Names are hidden now.')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: /Download again/ })).toBeNull()
  await user.click(dialog.getByRole('button', { name: 'Download PDF' }))
  await waitFor(() => expect(created).toHaveLength(1))
  expect(await created[0]?.json()).toMatchObject({ students: false, spares: 2, names: false })
})

it('makes answer sheets, and says which questions they have and which they leave out', async () => {
  const seven = { number: '4', options: 7, why: 'options' as const }
  const two = { number: '5', options: 4, why: 'several' as const }
  const questions = [1, 2, 3].map((number) => ({ number: String(number), options: 4 }))
  mockEndpoint(getAnswerSheetQuestions, { questions, left_out: [seven, two], digits: 0, versions: true })
  const created = mockEndpoint(createPrint, () => {
    prints = [{ ...print, kind: 'answer_sheets', pages: 1 }]
    return ok(createPrint, prints[0] ?? print)
  })
  const downloaded = mockEndpoint(getPrintedCopies, () => new Response('%PDF-'))
  const { user, dialog } = await openDialog()
  await user.click(dialog.getByRole('radio', { name: 'Answer sheets' }))
  expect(await dialog.findByText(/Circles for 3 questions/)).toBeTruthy()
  expect(dialog.getByText(/1 question without 2 to 6 options.*\(4\)/)).toBeTruthy()
  expect(dialog.getByText(/1 question with more than one right option.*\(5\)/)).toBeTruthy()
  expect(dialog.getByText(/circles for the version of the paper, A to D/)).toBeTruthy()
  expect(dialog.getByText(/a line for the name alone/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Download PDF' }))
  await waitFor(() => expect(downloaded).toHaveLength(1))
  expect(await created[0]?.json()).toMatchObject({ kind: 'answer_sheets', students: true, spares: 2 })
  expect(await dialog.findByText(/answer sheets, 24 students, 2 spare, 1 page each/)).toBeTruthy()
})

it('says that there is nothing to put on an answer sheet', async () => {
  mockEndpoint(getAnswerSheetQuestions, { questions: [], left_out: [], digits: 5, versions: false })
  const { user, dialog } = await openDialog()
  await user.click(dialog.getByRole('radio', { name: 'Answer sheets' }))
  expect(await dialog.findByText(/nothing to put on an answer sheet/)).toBeTruthy()
})

it('downloads as many separator sheets as were asked for, and says why there are none', async () => {
  let refused = true
  const downloaded = mockEndpoint(getSeparatorSheets, () =>
    refused ? errorReply('bad_request', { detail: 'The server is out of paper.' }) : new Response('%PDF-'),
  )
  const { user, dialog } = await openDialog()
  const sheets = dialog.getByRole('textbox', { name: 'Number of sheets' })
  await user.clear(sheets)
  await user.type(sheets, '12')
  await user.click(dialog.getByRole('button', { name: 'Download separator sheets' }))
  expect(await dialog.findByText('The server is out of paper.')).toBeTruthy()
  refused = false
  await user.click(dialog.getByRole('button', { name: 'Download separator sheets' }))
  await waitFor(() => expect(downloaded).toHaveLength(2))
  expect(downloaded.map(({ url }) => new URL(url).searchParams.get('sheets'))).toEqual(['12', '12'])
  await waitFor(() => expect(dialog.queryByText('The server is out of paper.')).toBeNull())
})
