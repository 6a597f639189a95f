import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { signInAs } from '../../testing/mock-api.ts'
import { button, openRubric, question, rows, rubricOf } from '../../testing/open-rubric.tsx'
import { fillIn } from '../../testing/render.tsx'
import { changeMany, questionGroups, questionsBetween, renumbered } from './editor/ChangeManyModal.tsx'

beforeEach(() => signInAs())

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
  expect(questionGroups(rubricOf([question('1'), question('2')]))).toHaveLength(1)
  expect(questionsBetween(exam, 'q1 (part 2)', 'q2 a')).toEqual(['q2 a', 'q2 b', 'q1 (part 2)'])
})

it.each([
  [['3', '4 a', '4 b', '5'], '12', ['12', '13 a', '13 b', '14']],
  [['1', '1', '1'], '7', ['7', '8', '9']],
  [['5', '6', '7'], '3 a', ['3 a', '3 b', '3 c']],
  [['1', '2'], 'a', ['a', 'b']],
  [['1.1', '1.2', '2.1'], '4', ['4.1', '4.2', '5.1']],
  [['1 (part 2)', '2 (part 2) a'], '11', ['11', '12 a']],
  [['4', '5 a'], '1 (part 2)', ['1 (part 2)', '2 (part 2) a']],
  [['1', '2'], 'z', null],
  [['1', '2'], '–', null],
])('numbers %j from %s on', (before, first, after) => {
  expect(renumbered(before, first)).toEqual(after)
})

it('changes points, kind and numbers of many questions in one step, or removes them', async () => {
  const { user, saved } = await openRubric(rubricOf(['1', '2', '3', '4'].map((number) => question(number))))
  await user.click(button('Change many questions…'))
  let dialog = within(await screen.findByRole('dialog', { name: 'Change many questions' }))
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
  await fillIn(dialog.getByLabelText('First number'), 'z')
  expect(dialog.getByText('Such as 12 or 3 a')).toBeTruthy()
  expect(apply.disabled).toBe(true)
  await user.clear(dialog.getByLabelText('First number'))
  await fillIn(dialog.getByLabelText('First number'), '11')
  expect(dialog.getByRole('status').textContent).toBe(
    '3 questions. Numbers: 11, 12, 13. The rubric will have 12.5 points, now 20.',
  )
  await user.type(dialog.getByLabelText('First number'), '{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Change many questions…'))
  await user.click(button('Save Rubric'))
  await screen.findByText('Rubric saved.')
  expect(saved[0]?.questions.map(({ number, kind, criteria }) => [number, kind, criteria[0]?.points])).toEqual([
    ['11', 'choice', 2.5],
    ['12', 'choice', 2.5],
    ['13', 'choice', 2.5],
    ['4', 'text', 5],
  ])
  await user.click(button('Undo the last change'))
  expect(screen.getByText('4 questions, 20 points in total')).toBeTruthy()

  await user.click(button('Change many questions…'))
  dialog = within(await screen.findByRole('dialog', { name: 'Change many questions' }))
  await user.click(dialog.getByLabelText('Remove'))
  const remove = dialog.getByRole<HTMLButtonElement>('button', { name: 'Remove' })
  expect(remove.disabled).toBe(true)
  await user.click(dialog.getByLabelText(/^2 What is/))
  await user.click(dialog.getByLabelText(/^4 What is/))
  expect(dialog.getByRole('status').textContent).toBe(
    '2 questions will be removed. The others keep their numbers and points. The rubric will have 10 points, now 20.',
  )
  await user.click(remove)
  await waitFor(() => expect(rows()).toEqual(['1', '3']))
  await user.click(button('Undo the last change'))
  expect(rows()).toEqual(['1', '2', '3', '4'])
})

it('joins lines that were taken for questions, and leaves the answer and the points of all', () => {
  const line = { kind: 'text' as const, expected: '', printed_points: 1 }
  const read = rubricOf([
    question('1'),
    question('2', { ...line, prompt: 'Which floats?' }),
    question('3', { kind: 'choice', expected: 'B', prompt: 'A) iron B) ice' }),
    question('4', { ...line, prompt: 'C) lead' }),
  ])
  const changes = { action: 'join' as const, points: null, kind: null, first: '7' }
  const { questions } = changeMany(read, ['q4', 'q2', 'q3'], changes)
  expect(questions).toMatchObject([
    { id: 'q1' },
    { id: 'q2', number: '7', kind: 'choice', prompt: 'Which floats?\nA) iron B) ice\nC) lead', printed_points: 2 },
  ])
  expect(questions[1]?.criteria).toMatchObject([{ expected: 'B', points: 15 }])
})

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
