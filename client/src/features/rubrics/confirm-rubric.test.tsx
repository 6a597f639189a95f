import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildRubric } from '../../testing/build-rubric.ts'
import { buildSubmissionCounts } from '../../testing/build-submission.ts'
import { mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { button, openRubric, problems, question, rows, rubricOf } from '../../testing/open-rubric.tsx'
import { fillIn, renderPage } from '../../testing/render.tsx'

beforeEach(() => signInAs())

it('undoing takes back one fix or what was typed in one field at a time', async () => {
  const { user } = await openRubric(rubricOf([question('1'), question('2'), question('4')]))
  await user.click(button('Renumber 4 to 3'))
  await user.click(button(/What is it in 1/))
  const expected = screen.getByLabelText<HTMLTextAreaElement>('Expected answer')
  await fillIn(expected, ' and snow')
  await user.click(button('Add an accepted answer, criterion 1'))
  await user.click(button('Undo the last change'))
  expect(screen.queryByLabelText('Accepted answer 1, criterion 1')).toBeNull()
  await user.click(button('Undo the last change'))
  expect(expected.value).toBe('ice')
  await user.click(button('Undo the last change'))
  expect(rows()).toEqual(['1', '2', '4'])
  expect(document.activeElement).toBe(problems().getByRole('heading'))
  expect(screen.queryByRole('button', { name: 'Undo the last change' })).toBeNull()
})

it('undoing brings back what was discarded, and then a question that was removed', async () => {
  const { user } = await openRubric(rubricOf([question('1'), question('2')]))
  await user.click(button(/What is it in 2/))
  await user.click(button('Remove question 2'))
  await user.click(button('Discard Changes'))
  await user.click(button('Undo the last change'))
  expect(rows()).toEqual(['1'])
  await user.click(button('Undo the last change'))
  expect(rows()).toEqual(['1', '2'])
})

it('saving the rubric takes a double click for one', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, saved } = await openRubric(rubricOf([question('1'), question('2'), question('4')]), promise)
  await user.click(button('Renumber 4 to 3'))
  await user.dblClick(button('Save Rubric'))
  resolve()
  await screen.findByText('Rubric saved.')
  await waitFor(() => expect(button('Confirm Rubric').disabled).toBe(false))
  expect(saved).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
})

it('saving the rubric keeps what is typed meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { user, saved } = await openRubric(rubricOf([question('1')]), promise)
  await user.click(button(/What is it in 1/))
  const expected = screen.getByLabelText<HTMLTextAreaElement>('Expected answer')
  await fillIn(expected, ' water')
  await user.click(button('Save Rubric'))
  await fillIn(expected, ' or snow')
  resolve()
  await screen.findByText('Rubric saved.')
  expect(expected.value).toBe('ice water or snow')
  await user.click(button('Save Rubric'))
  await waitFor(() => expect(saved).toHaveLength(2))
  expect(saved[1]?.questions[0]?.criteria[0]?.expected).toBe('ice water or snow')
})

describe('confirming the rubric', () => {
  beforeEach(() => {
    mockEndpoint(countSubmissions, () => ok(countSubmissions, buildSubmissionCounts()))
    mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
  })

  it('saves what is unsaved first, and goes on to the papers', async () => {
    const { user, saved, checked, address } = await openRubric(rubricOf([question('1'), question('2'), question('4')]))
    await user.click(button('Renumber 4 to 3'))
    await user.click(button('Confirm Rubric'))
    await waitFor(() => expect(address()).toBe('/assignments/5/submissions'))
    expect(saved).toHaveLength(1)
    expect(checked).toEqual([{ version: 2, checked: true }])
  })

  it('asks about open problems, with what they cost', async () => {
    const { user, saved, checked, address } = await openRubric(
      rubricOf([question('1', { expected: '' }), question('3')]),
    )
    await user.click(button('Renumber 3 to 2'))
    await user.click(button('Confirm Rubric'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Confirm the rubric?' }))
    expect(dialog.getByText('The rubric has 1 open problem')).toBeTruthy()
    expect(dialog.getByText('5 points on each paper may be graded wrongly.')).toBeTruthy()
    expect(dialog.getByRole('listitem').textContent).toBe('Question 1: there is no expected answer. (5 points)')
    expect([saved, checked]).toEqual([[], []])
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(button('Confirm Rubric'))
    await user.click(await screen.findByRole('button', { name: 'Confirm Anyway' }))
    await waitFor(() => expect(address()).toBe('/assignments/5/submissions'))
    expect(saved).toHaveLength(1)
    expect(checked).toEqual([{ version: 2, checked: true }])
  })

  it('is shown with who confirmed it, and can be undone', async () => {
    const { user, checked, address } = await openRubric(buildRubric())
    await user.click(button('Confirm Rubric'))
    await waitFor(() => expect(address()).toBe('/assignments/5/submissions'))
    cleanup()
    renderPage('/assignments/5/rubric')
    expect(await screen.findByText(/Confirmed by Martin Keller/)).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Rubric')
    expect(screen.queryByRole('button', { name: 'Confirm Rubric' })).toBeNull()
    await user.click(button('Undo Confirmation'))
    await screen.findByRole('button', { name: 'Confirm Rubric' })
    expect(checked.map((one) => one.checked)).toEqual([true, false])
  })
})
