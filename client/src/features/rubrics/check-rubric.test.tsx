import { getPaperText } from '@assay/shared/rubric-endpoints.ts'
import { paperProblem, questionProblem, withProblems } from '@assay/shared/rules/rubric-problems.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { button, openRubric, problems, question, region, rows, rubricOf } from '../../testing/open-rubric.tsx'
import { drawnBox } from '../../testing/pdf-pages.tsx'
import { fillIn } from '../../testing/render.tsx'

beforeEach(() => signInAs())

describe('problems of the rubric', () => {
  it('come first, with what they cost, and are gone once they are put right', async () => {
    const totals = [{ number: null, points: 20, question_ids: [] }]
    const { user, saved } = await openRubric(
      rubricOf([question('1'), question('2'), question('4')], { printed_totals: totals }),
    )
    expect(problems().getByRole('heading').textContent).toBe('2 problems to check10 points at stake')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Check the rubric')
    await user.click(button('Renumber 4 to 3'))
    expect(rows()).toEqual(['1', '2', '3'])
    expect(document.activeElement).toBe(problems().getByRole('heading'))
    expect(problems().getByText('The paper says 20 points, the questions add up to 15.')).toBeTruthy()
    await user.click(button('Set points…'))
    const points = screen.getByLabelText<HTMLInputElement>('Question 3')
    await user.clear(points)
    await user.type(points, '10')
    expect(screen.getByText('The paper says 20 points, the questions add up to 15.')).toBeTruthy()
    await user.click(button('Set points'))
    expect(problems().getByRole('heading').textContent).toBe('Nothing left to check')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.problems).toEqual([])
    expect(saved[0]?.questions.map(({ criteria }) => criteria[0]?.points)).toEqual([5, 5, 10])
  })

  it('of a missing number can be put right by a question of its own, or one split off the question before', async () => {
    const long = question('2', { prompt: 'What floats?\nWhat sinks?\nWhy?' })
    const { user } = await openRubric(rubricOf([question('1'), long, question('4')]))
    await user.click(button('Split question 2…'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Split question 2 into parts' }))
    await user.selectOptions(dialog.getByLabelText('Part 2 begins at'), 'What sinks?')
    await user.click(dialog.getByRole('button', { name: 'Split' }))
    await waitFor(() => expect(rows()).toEqual(['1', '2', '3', '4']))
    expect(screen.getByText('4 questions, 15 points in total')).toBeTruthy()
    expect(button(/^3What sinks\? Why/)).toBeTruthy()
    expect(problems().getByText('Question 3: there is no expected answer.')).toBeTruthy()
    await user.click(button('Discard Changes'))
    await user.click(button('Add question 3'))
    expect(rows()).toEqual(['1', '2', '3', '4'])
  })

  it('are told anew of a question that was split into parts by numbers and points', async () => {
    const { user, saved } = await openRubric(rubricOf([question('1'), question('2')]))
    await user.click(button(/What is it in 2/))
    await user.click(button('Split into parts…'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Split question 2 into parts' }))
    const number = dialog.getByLabelText('Number of part 2')
    await user.clear(number)
    await user.type(number, '1')
    expect(dialog.getByText('Already there')).toBeTruthy()
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Split' }).disabled).toBe(true)
    await user.clear(number)
    await fillIn(number, '2 b')
    await user.click(dialog.getByRole('button', { name: 'Add a part' }))
    expect(dialog.getByLabelText('Number of part 3')).toHaveProperty('value', '2 c')
    expect(dialog.getByRole('status').textContent).toBe('7.5 of the question’s 5 points: 2.5 too many')
    await user.click(dialog.getByRole('button', { name: 'Reduce to 5 points' }))
    expect(dialog.getByRole('status').textContent).toBe('The parts add up to 5 points')
    expect(document.activeElement).toBe(dialog.getByRole('status'))
    await user.clear(dialog.getByLabelText('Points of part 3'))
    await user.click(dialog.getByRole('button', { name: 'Spread the missing 1.5 points' }))
    await user.click(dialog.getByRole('button', { name: 'Split' }))
    await waitFor(() => expect(rows()).toEqual(['1', '2 a', '2 b', '2 c']))
    expect(problems().getByText('Question 2 b: there is no expected answer.')).toBeTruthy()
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.questions.map(({ criteria }) => criteria[0]?.points)).toEqual([5, 1.5, 2, 1.5])
    expect(saved[0]?.questions.map(({ number: one }) => one)).toEqual(['1', '2 a', '2 b', '2 c'])
  })

  it('of a number that is there twice is put right by merging', async () => {
    const { user } = await openRubric(rubricOf([question('1'), question('2'), question('2', { id: 'q2b' })]))
    await user.click(button('Merge with previous, question 2'))
    expect(rows()).toEqual(['1', '2'])
    expect(problems().getByRole('heading').textContent).toBe('Nothing left to check')
  })

  it('can be called fine, which is stored, and opened again', async () => {
    const { user, saved } = await openRubric(
      rubricOf([question('1', { regions: [] }), question('2', { kind: 'essay' })]),
    )
    expect(problems().getByText(/asks for an essay/)).toBeTruthy()
    await user.click(button(/^It’s fine: Question 1/))
    expect(problems().getByRole('heading').textContent).toBe('Nothing left to check')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.problems).toMatchObject([{ code: 'no_region', dismissed: true }, { code: 'by_hand' }])
    await user.click(button('1 marked as fine'))
    await user.click(button('Reopen'))
    expect(problems().getByRole('heading').textContent).toContain('1 problem to check')
  })

  it('that many questions have are one, which opens each of them', async () => {
    const questions = ['1', '2', '3', '4', '5'].map((number) => question(number))
    const unsure = questions.map((one) => questionProblem('answer_unsure', one, ': compare its answer with the key.'))
    const { user, saved } = await openRubric(withProblems({ questions }, unsure))
    expect(problems().getByRole('heading').textContent).toBe('1 problem to check25 points at stake')
    expect(problems().getByText('5 answers may be misread: compare them with the key.')).toBeTruthy()
    await user.click(problems().getByRole('button', { name: 'Open question 4' }))
    expect(screen.getByLabelText('Expected answer')).toBe(document.activeElement)
    await user.click(button(/^It’s fine: 5 answers/))
    expect(problems().getByRole('heading').textContent).toBe('Nothing left to check')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.problems.map(({ dismissed }) => dismissed)).toEqual([true, true, true, true, true])
  })

  it('that very many questions have show the first of them, and set points in one step', async () => {
    const questions = Array.from({ length: 25 }, (_, i) => question(String(i + 1)))
    const unsure = questions.map((one) => questionProblem('answer_unsure', one, ': compare its answer with the key.'))
    const guessed = paperProblem('points_guessed', 'No points are printed.', 125)
    const { user } = await openRubric(withProblems({ questions }, [...unsure, guessed]))
    expect(problems().getAllByRole('button', { name: /^Open question/ })).toHaveLength(20)
    await user.click(problems().getByRole('button', { name: '5 more' }))
    expect(problems().getAllByRole('button', { name: /^Open question/ })).toHaveLength(25)
    await user.click(button('Set points…'))
    expect(await screen.findByRole('dialog', { name: 'Change many questions' })).toBeTruthy()
  })

  it('that only the reader knows have their fix beside them too', async () => {
    const [first, second] = [question('1'), question('2', { kind: 'number' })]
    const guessed = questionProblem('points_guessed', first, ' was given 5 points: no points are printed.')
    const { user, saved } = await openRubric(withProblems({ questions: [first, second] }, [guessed]))
    await user.selectOptions(screen.getByLabelText('Kind of answer to question 2'), 'Short text')
    const form = within(screen.getByRole('form', { name: 'Points of question 1' }))
    await user.clear(form.getByLabelText('Question 1'))
    await user.type(form.getByLabelText('Question 1'), '2,5{Enter}')
    expect(problems().getByRole('heading').textContent).toBe('Nothing left to check')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.questions).toMatchObject([{ criteria: [{ points: 2.5 }] }, { kind: 'text' }])
  })
})

it('the pages beside the questions show each question’s answer area, in step with the list', async () => {
  const { user } = await openRubric(rubricOf([question('1'), question('2')]))
  await user.click(screen.getByRole('button', { name: 'Blank and Key' }))
  await user.click(await screen.findByRole('button', { name: 'Answer area of question 2' }))
  await user.click(button('Close'))
  expect(await screen.findByLabelText('Number')).toHaveProperty('value', '2')
})

it('the pages beside the questions take a rectangle for where a question is answered, or its numbers', async () => {
  const { user, saved } = await openRubric(rubricOf([question('1', { regions: [] })]))
  await user.click(button('Draw on the page, question 1'))
  expect(await screen.findByText('Drag a rectangle around the space for the answer to question 1.')).toBeTruthy()
  await user.click(await screen.findByRole('button', { name: 'Draw' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Draw' })).toBeNull())
  expect(problems().getByRole('heading').textContent).toBe('Nothing left to check')
  await user.click(button(/What is it in 1/))
  const left = screen.getByLabelText<HTMLInputElement>('Left (mm), answer area 1')
  expect(left.value).toBe('25')
  await user.type(left, '{ArrowUp}{ArrowUp}')
  expect(left.value).toBe('27')
  await user.click(button('Save Rubric'))
  await screen.findByText('Rubric saved.')
  expect(saved[0]?.questions[0]?.regions).toEqual([{ page: 2, box: { ...drawnBox, x: (27 * 72) / 25.4 }, drawn: true }])
})

it('the pages beside the questions refuse a page that the blank does not have', async () => {
  const drawn = { ...region, drawn: true as const }
  const { user, saved } = await openRubric(rubricOf([question('1', { regions: [drawn] })]))
  await user.click(button(/What is it in 1/))
  const page = screen.getByLabelText<HTMLInputElement>('Page, answer area 1')
  await user.clear(page)
  await user.type(page, '9')
  expect(page.value).toBe('9')
  expect(screen.getByText('At most 2')).toBeTruthy()
  await user.click(button('Save Rubric'))
  expect(screen.getByText('Fix 1 error before saving')).toBeTruthy()
  expect(saved).toEqual([])
})

it('the pages beside the questions say at the field what is wrong with an area’s numbers, and keep them', async () => {
  const drawn = { ...region, drawn: true as const }
  const { user, saved } = await openRubric(rubricOf([question('1', { regions: [drawn] })]))
  await user.click(button(/What is it in 1/))
  const width = screen.getByLabelText<HTMLInputElement>('Width (mm), answer area 1')
  expect(width.value).toBe('141')
  await user.clear(width)
  await user.type(width, '0')
  await user.tab()
  expect(width.value).toBe('0')
  expect(width.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('At least 1')).toBeTruthy()
  await user.click(button('Save Rubric'))
  expect(screen.getByText('Fix 1 error before saving')).toBeTruthy()
  await waitFor(() => expect(document.activeElement).toBe(width))
  expect(saved).toEqual([])
  await user.type(width, '{Backspace}wide')
  await user.tab()
  expect(width.value).toBe('wide')
  await user.clear(width)
  await fillIn(width, '12,5')
  await user.click(button('Save Rubric'))
  await screen.findByText('Rubric saved.')
  expect(saved[0]?.questions[0]?.regions[0]?.box.width).toBeCloseTo((12.5 * 72) / 25.4)
})

it('the pages beside the questions take what the key says inside a rectangle for the expected answer', async () => {
  const asked = mockEndpoint(getPaperText, (_heard, count) =>
    ok(getPaperText, { text: count === 1 ? '' : 'less dense' }),
  )
  const { user } = await openRubric(rubricOf([question('1', { expected: '' })]))
  await user.click(button('Pick from the key, question 1'))
  await user.click(await screen.findByRole('button', { name: 'Draw' }))
  expect(await screen.findByText(/No words were found there/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Draw' }))
  await waitFor(() => expect(problems().getByRole('heading').textContent).toBe('Nothing left to check'))
  expect(new URL(asked[0]?.url ?? '').search).toBe('?page=2&x=72&y=200&width=300&height=60')
  await user.click(button(/What is it in 1/))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Expected answer').value).toBe('less dense')
})

it('the pages beside the questions can be left without a rectangle, by Escape too', async () => {
  const { user } = await openRubric(rubricOf([question('1', { regions: [] })]))
  await user.click(button('Draw on the page, question 1'))
  await screen.findByRole('button', { name: 'Draw' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Draw' })).toBeNull())
  expect(problems().getByText(/its answer area was not found/)).toBeTruthy()
})

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
    // Each is a step of its own.
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
    // After the last comes the first.
    expect(screen.getByLabelText('Number')).toHaveProperty('value', '1')
    expect(focused()).toContain('What is it in 1?')
    // A dialog of the question has keys of its own.
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
