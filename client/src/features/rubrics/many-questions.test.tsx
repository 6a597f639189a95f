import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fillIn } from '../../testing/fill-in.ts'
import { button, openRubric, question, rubricOf } from '../../testing/open-rubric.tsx'
import { signInAs } from '../../testing/sign-in-as.ts'
import { questionGroups, questionsBetween } from './many-questions.ts'

const numbers = ['1', '2 a', '2 b', '1 (part 2)', '2 (part 2)']
const exam = rubricOf(
  numbers.map((number, i) => question(number, i === 0 ? { printed_points: 5 } : {})),
  { printed_totals: [{ number: 'Section B', points: 10, question_ids: ['q2 a', 'q2 b'] }] },
)

it('offers all questions, those without printed points, and the paper’s sections and parts', () => {
  expect(questionGroups(exam).map(({ label, ids }) => [label, ids.length])).toEqual([
    ['All questions', 5],
    ['Questions without printed points', 4],
    ['Section B', 2],
    ['Part 1', 3],
    ['Part 2', 2],
  ])
  // They say the same as “all”.
  expect(questionGroups(rubricOf([question('1'), question('2')]))).toHaveLength(1)
  expect(questionsBetween(exam, 'q1 (part 2)', 'q2 a')).toEqual(['q2 a', 'q2 b', 'q1 (part 2)'])
})

it('changes points and kind of many questions in one step', async () => {
  signInAs()
  const { user, saved } = await openRubric(rubricOf(['1', '2', '3', '4'].map((number) => question(number))))
  await user.click(button('Change many questions…'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change many questions' }))
  const apply = dialog.getByRole<HTMLButtonElement>('button', { name: 'Apply' })
  expect(apply.disabled).toBe(true)
  await user.selectOptions(dialog.getByLabelText('Questions'), 'From one number to another')
  await user.selectOptions(dialog.getByLabelText('To question'), '3')
  await fillIn(dialog.getByLabelText('Points each'), '-1')
  expect(dialog.getByText('More than 0')).toBeTruthy()
  expect(apply.disabled).toBe(true)
  await user.clear(dialog.getByLabelText('Points each'))
  await fillIn(dialog.getByLabelText('Points each'), '2,5')
  await user.selectOptions(dialog.getByLabelText('Kind of answer'), 'Multiple choice')
  expect(dialog.getByRole('status').textContent).toBe('3 questions. The rubric will have 12.5 points, now 20.')
  await user.click(apply)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Change many questions…'))
  await user.click(button('Save Rubric'))
  await screen.findByText('Rubric saved.')
  expect(saved[0]?.questions.map(({ kind, criteria }) => [kind, criteria[0]?.points])).toEqual([
    ['choice', 2.5],
    ['choice', 2.5],
    ['choice', 2.5],
    ['text', 5],
  ])
  await user.click(button('Undo the last change'))
  expect(screen.getByText('4 questions, 20 points in total')).toBeTruthy()
})
