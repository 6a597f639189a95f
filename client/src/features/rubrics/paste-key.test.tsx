import { EditedRubric } from '@assay/shared/rules/edited-rubric.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { signInAs } from '../../testing/mock-api.ts'
import { button, openRubric, problems, question, rows, rubricOf } from '../../testing/open-rubric.tsx'
import { fillIn } from '../../testing/render.tsx'
import { applyPastedKey } from './editor/PasteKeyForm.tsx'
import { parsePastedKey } from './pasted-key.ts'

const options = ['Which conducts heat best?', 'A) wood', 'B) copper', 'C) glass'].join('\n')

describe('a pasted key, applied', () => {
  const numbers = ['1', '2', '3', '4', '5']
  const rubric = rubricOf(numbers.map((number) => question(number, number === '1' ? { prompt: options } : {})))
  const applied = (text: string, add = false) => applyPastedKey(rubric, parsePastedKey(text, numbers).answers, add)

  it('gives each question the kind its answer leaves no doubt of', () => {
    const { questions } = applied('1 b 2 t 3 -4,5 4 B\n5. yes')
    expect(questions.map(({ kind, criteria }) => [kind, criteria[0]?.expected])).toEqual([
      ['choice', 'B'],
      ['true_false', 'True'],
      ['number', '-4,5'],
      ['text', 'B'],
      ['true_false', 'yes'],
    ])
  })

  it.each([
    ['x = 3', 'number'],
    ['2√3', 'number'],
    ['200 cm3', 'number'],
    ['43°', 'number'],
    ['9.8 m/s²', 'number'],
    ['2nd', 'text'],
    ['7 pm', 'text'],
    ['2x', 'text'],
    ['5 May', 'text'],
    ['4 stages', 'text'],
  ])('takes “%s” for a %s', (answer, kind) => {
    expect(applied(`2. ${answer}`).questions[1]?.kind).toBe(kind)
  })

  it('takes F for false only in a key that has T', () => {
    const kinds = (text: string) => applied(text).questions.map(({ kind }) => kind)
    expect(kinds('2 F 3 E')[1]).toBe('text')
    expect(kinds('2 F 3 T')[1]).toBe('true_false')
  })

  it('takes away what was accepted beside another answer, and nothing where the answer is the same', () => {
    const [first, ...rest] = rubric.questions
    const criteria = [{ id: 'q1', text: 'All', points: 4, expected: 'A', alternatives: ['C'] }]
    const before = first ? { ...rubric, questions: [{ ...first, criteria }, ...rest] } : rubric
    const after = (answer: string) =>
      applyPastedKey(before, [{ number: '1', answer, points: 2 }], false).questions[0]?.criteria
    expect(after('B')).toMatchObject([{ expected: 'B', alternatives: [], points: 2 }])
    expect(after('A')).toMatchObject([{ expected: 'A', alternatives: ['C'], points: 2 }])
    expect(after('')).toMatchObject([{ expected: 'A', alternatives: ['C'], points: 2 }])
  })

  it('gives another kind where the answer is none of the one it has', () => {
    const numbersOnly = rubricOf(numbers.map((number) => question(number, { kind: 'number', expected: '7' })))
    const after = applyPastedKey(
      numbersOnly,
      parsePastedKey('1 (2.5, 3.5)\n2 the game is fair\n3 $58\n4 π\n5 k = 1/9, F(x) = x^3/27', numbers).answers,
      false,
    )
    expect(after.questions.map(({ kind }) => kind)).toEqual(['text', 'text', 'number', 'number', 'text'])
  })

  it('adds parts in the order of the key: ix after viii', () => {
    const parts = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x'].map((part) => `1 ${part}`)
    const key = parsePastedKey([...parts, '2'].map((number) => `${number}\t7`).join('\n'), []).answers
    const { questions } = applyPastedKey(rubricOf([]), key, true)
    expect(questions.map(({ number }) => number)).toEqual([...parts, '2'])
  })

  it('leaves one criterion with all the points of those an answer replaces', () => {
    const criteria = [2, 3].map((points, i) => ({
      id: `q1.${i}`,
      text: 'A step',
      points,
      expected: '1',
      alternatives: [],
    }))
    const before = rubricOf([{ ...question('1'), criteria }])
    const [first] = applyPastedKey(before, [{ number: '1', answer: '53', points: null }], false).questions
    expect(first?.criteria).toEqual([{ id: 'q1.0', text: 'A step', points: 5, expected: '53', alternatives: [] }])
  })

  it('takes what it says again for compared with the key', () => {
    const unsure = { id: 'u', code: 'answer_unsure' as const, question_id: 'q2', message: 'Question 2', points: 5 }
    const before = { ...rubric, problems: [unsure] }
    const after = applyPastedKey(before, [{ number: '2', answer: 'ice', points: null }], false)
    expect(after.problems).toEqual([{ ...unsure, dismissed: true }])
    expect(applyPastedKey(before, [{ number: '2', answer: '', points: 3 }], false).problems).toEqual([unsure])
  })

  it('adds the questions that nobody has found where numbers put them, if it is told to', () => {
    expect(applied('2 (a) B\n7 C').questions.map(({ number }) => number)).toEqual(numbers)
    const { questions } = applied('2 (a) B\n7 C', true)
    expect(questions.map(({ number }) => number)).toEqual(['1', '2', '2 a', '3', '4', '5', '7'])
    expect(questions.at(-1)).toMatchObject({ kind: 'choice', criteria: [{ expected: 'C' }] })
    expect(EditedRubric.safeParse({ questions, problems: [] }).success).toBe(true)
  })
})

describe('the key as text', () => {
  beforeEach(() => signInAs())

  const openForm = async () => within(await screen.findByRole('complementary', { name: 'Paste the key' }))

  it('shows what it changes, is applied in one step and undone in one', async () => {
    const { user, saved } = await openRubric(
      rubricOf([
        question('1', { prompt: options, expected: '' }),
        question('2'),
        question('3', { kind: 'number', expected: '42' }),
      ]),
    )
    await user.click(button('Paste the key…'))
    const pages = within(await screen.findByRole('region', { name: 'Answer key' }))
    expect(await pages.findByTestId('paper')).toBeTruthy()
    let form = await openForm()
    const apply = form.getByRole<HTMLButtonElement>('button', { name: 'Apply' })
    expect(document.activeElement).toBe(form.getByLabelText('Key'))
    expect(apply.disabled).toBe(true)
    await fillIn(form.getByLabelText('Key'), '1\tB\t2\n2\tsteam\t5\n3\t42\nwhatever\n4\tTrue\t3')
    expect(form.getByText('2 questions will change. 1 question already says what the key says.')).toBeTruthy()
    expect(form.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
      ['No.', 'Now', 'Will be', 'Points'],
      ['1', '–', 'BMultiple choice', '5 → 2'],
      ['2', 'ice', 'steam', '5'],
    ])
    expect(form.getByText('Line 4: “whatever”. Not understood.')).toBeTruthy()
    await user.click(form.getByLabelText('Add it as a question'))
    expect(form.getByRole('row', { name: /^4 Not there True *True or false 3$/ })).toBeTruthy()
    await user.click(apply)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Paste the key…'))
    expect(rows()).toHaveLength(4)
    expect(screen.getByText('4 questions, 15 points in total')).toBeTruthy()

    await user.click(button('Undo the last change'))
    expect(rows()).toHaveLength(3)
    expect(screen.queryByRole('button', { name: 'Undo the last change' })).toBeNull()
    expect(problems().getByText('Question 1: there is no expected answer.')).toBeTruthy()

    // The line that was not used waits in the field to be mended.
    await user.click(button('Paste the key…'))
    form = await openForm()
    expect(form.getByLabelText('Key')).toHaveProperty('value', 'whatever')
    await user.clear(form.getByLabelText('Key'))
    await user.upload(form.getByLabelText('Key file'), new File(['no,answer\n1,B\n'], 'key.csv'))
    await form.findByText('1 question will change.')
    await user.click(form.getByRole('button', { name: 'Apply' }))
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.questions[0]).toMatchObject({ kind: 'choice', criteria: [{ expected: 'B', points: 5 }] })
  })

  it('makes the questions where none was found', async () => {
    const { user } = await openRubric(rubricOf([question('1')]))
    await user.click(button(/What is it in 1/))
    await user.click(button('Remove question 1'))
    await user.click(button('Paste the key…'))
    const form = await openForm()
    await fillIn(form.getByLabelText('Key'), Array.from({ length: 50 }, (_, i) => `${i + 1} B`).join(' '))
    await user.click(form.getByRole('button', { name: 'Apply' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(rows()).toHaveLength(50)
    await waitFor(() => expect(document.activeElement?.getAttribute('data-focus')).toMatch(/^question-/))
  })
})
