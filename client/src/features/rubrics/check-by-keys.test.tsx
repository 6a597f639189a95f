import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { signInAs } from '../../testing/mock-api.ts'
import { button, openRubric, problems, question, rubricOf } from '../../testing/open-rubric.tsx'

beforeEach(() => signInAs())

const focused = () => document.activeElement?.textContent ?? ''
const row = (number: string) => button(new RegExp(`What is it in ${number}`))
/** Two of the first question, one of the third; the second and fourth have none. */
const unclear = () =>
  rubricOf([
    question('1', { expected: '', regions: [] }),
    question('2'),
    question('3', { expected: '' }),
    question('4', {
      kind: 'choice',
      criteria: [
        { id: 'q4', text: 'All', points: 1, expected: 'ice\nfloats', alternatives: ['a', 'b'] },
        { id: 'q4.b', text: 'More', points: 1, expected: 'steam', alternatives: [] },
      ],
    }),
  ])

describe('checking the rubric by keys', () => {
  it('shows of each closed question what is expected, and how much else is accepted', async () => {
    const { user } = await openRubric(unclear())
    expect(row('1').textContent).toBe('1What is it in 1?No expected answerCheckShort text5 points')
    expect(row('2').textContent).toBe('2What is it in 2?Answer: iceShort text5 points')
    expect(row('4').textContent).toBe(
      '4What is it in 4?Answer: ice floats · steam (2 more accepted)Multiple choice2 points',
    )
    await user.click(row('2'))
    expect(row('2').textContent).not.toContain('Answer:')
  })

  it('confirms closed questions one by one and goes to the next with a problem', async () => {
    const { user, saved } = await openRubric(unclear())
    expect(screen.getByText(/^2 questions to check/)).toBeTruthy()
    await user.click(button('Check question 1'))
    expect(focused()).toContain('What is it in 1?')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(problems().getByRole('heading').textContent).toBe('1 problem to check5 points at stake')
    expect(focused()).toContain('What is it in 3?')
    await user.keyboard('{Meta>}{Enter}{/Meta}')
    expect(problems().getByRole('heading').textContent).toBe('Nothing left to check')
    expect(focused()).toContain('What is it in 3?')
    expect(screen.getAllByRole('status').some((one) => one.textContent?.includes('Nothing else to check.'))).toBe(true)
    expect(screen.queryByRole('button', { name: /^Check question/ })).toBeNull()
    await user.click(button('Undo the last change'))
    expect(problems().getByRole('heading').textContent).toContain('1 problem to check')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.problems.map(({ question_id, dismissed = false }) => [question_id, dismissed])).toEqual([
      ['q1', true],
      ['q3', false],
      ['q1', true],
    ])
  })

  it('goes on with the fields in sight where a question is open, from one without a problem too', async () => {
    const { user } = await openRubric(unclear())
    await user.click(row('2'))
    await user.click(screen.getByLabelText('Expected answer'))
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(screen.getByLabelText('Number')).toHaveProperty('value', '3')
    expect(focused()).toContain('What is it in 3?')
    await user.type(screen.getByLabelText('Expected answer'), 'steam')
    await user.click(button('Confirm and next'))
    expect(screen.getByLabelText('Number')).toHaveProperty('value', '1')
    expect(focused()).toContain('What is it in 1?')
    await user.click(button('Split into parts…'))
    await user.click(await screen.findByLabelText('Number of part 1'))
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(problems().queryByText('Question 1: there is no expected answer.')).toBeTruthy()
  })

  it('moves the focus where a closed question has nothing to confirm', async () => {
    const { user } = await openRubric(unclear())
    row('2').focus()
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(focused()).toContain('What is it in 3?')
    expect(screen.queryByRole('button', { name: 'Undo the last change' })).toBeNull()
  })
})
