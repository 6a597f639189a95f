import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { signInAs } from '../../testing/mock-api.ts'
import { button, openRubric, question, rubricOf } from '../../testing/open-rubric.tsx'

beforeEach(() => signInAs())

const prompt = ['Which conducts heat best?', 'A) wood', 'B) copper', 'C) glass'].join('\n')
const choice = question('1', { kind: 'choice', prompt, expected: 'B' })
const truth = question('2', { kind: 'true_false', expected: 'True' })

it('takes what is right in other versions of the paper, and saves it with the rubric', async () => {
  const { user, saved } = await openRubric(rubricOf([choice, truth, question('3')]))
  const open = async () => {
    await user.click(button('More'))
    await user.click(await screen.findByRole('menuitem', { name: 'Paper versions A–D…' }))
    return within(await screen.findByRole('dialog', { name: 'Paper versions' }))
  }
  const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  let dialog = await open()
  await user.selectOptions(dialog.getByLabelText('Question 1, version B'), 'A')
  await user.keyboard('{Escape}')
  await closed()
  await waitFor(() => expect(document.activeElement).toBe(button('More')))

  dialog = await open()
  expect(dialog.getByLabelText('Question 1, version B')).toHaveProperty('value', '')
  expect(dialog.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['1', '2'])
  const options = within(dialog.getByLabelText('Question 1, version B')).getAllByRole('option')
  expect(options.map(({ textContent }) => textContent)).toEqual(['–', 'A', 'B', 'C'])
  await user.selectOptions(dialog.getByLabelText('Question 1, version B'), 'C')
  expect(dialog.getByRole('status').textContent).toContain('1 key not chosen yet')
  await user.selectOptions(dialog.getByLabelText('Question 2, version B'), 'False')
  await user.click(dialog.getByRole('button', { name: 'Add version C' }))
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Question 1, version C')))
  await user.selectOptions(dialog.getByLabelText('Question 1, version C'), 'A')
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  await closed()
  await user.click(button('Save Rubric'))
  await screen.findByText('Rubric saved.')
  expect(saved[0]?.questions.map(({ version_keys }) => version_keys)).toEqual([
    { B: 'C', C: 'A' },
    { B: 'False' },
    undefined,
  ])

  dialog = await open()
  expect(dialog.getByLabelText('Question 1, version C')).toHaveProperty('value', 'A')
  await user.click(dialog.getByRole('button', { name: 'Remove version C' }))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Remove version B'))
  await user.click(dialog.getByRole('button', { name: 'Remove version B' }))
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Add version B'))
  await user.click(dialog.getByRole('button', { name: 'Add version B' }))
  expect(dialog.getByLabelText('Question 1, version B')).toHaveProperty('value', '')
  await user.selectOptions(dialog.getByLabelText('Question 1, version B'), 'A')
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  await closed()
  await user.click(button('Save Rubric'))
  await waitFor(() => expect(saved).toHaveLength(2))
  expect(saved[1]?.questions.map(({ version_keys }) => version_keys)).toEqual([{ B: 'A' }, undefined, undefined])
})
