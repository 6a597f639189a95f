import { getAssignment } from '@assay/shared/assignments.ts'
import { checkRubric, getPaperText, getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { questionProblem, withProblems, withProblemsAfterEdit } from '@assay/shared/rules/rubric-problems.ts'
import { listRuns } from '@assay/shared/runs.ts'
import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildAssignment } from '../../testing/build-course.ts'
import { buildCurrentRubric, buildRubric } from '../../testing/build-rubric.ts'
import { buildSubmissionCounts } from '../../testing/build-submission-row.ts'
import { mockApi, mockEndpoint, ok } from '../../testing/mock-api.ts'
import { drawnBox } from '../../testing/pdf-pages.tsx'
import { renderApp } from '../../testing/render.tsx'
import { signInAs } from '../../testing/sign-in-as.ts'

mockApi()

beforeEach(() => {
  signInAs()
  mockEndpoint(getAssignment, () => ok(getAssignment, buildAssignment()))
})

const region = { page: 1, box: { x: 40, y: 100, width: 400, height: 60 } }

function question(number: string, part: Partial<Question> & { expected?: string } = {}): Question {
  const { expected = 'ice', ...rest } = part
  const id = `q${number}`
  const criteria = [{ id, text: 'What is asked', points: 5, expected, alternatives: [] }]
  return { id, number, prompt: `What is it in ${number}?`, kind: 'text', criteria, regions: [region], ...rest }
}

const rubricOf = (questions: Question[], rest: Partial<Rubric> = {}) => withProblems({ questions, ...rest }, [])

/** What the server stores is what it answers. */
async function open(rubric: Rubric) {
  let current = buildCurrentRubric({ rubric, checked: null, graded: 0 })
  const saved: Rubric[] = []
  mockEndpoint(getRubric, () => ok(getRubric, current))
  mockEndpoint(saveRubric, async ({ json }) => {
    const body = saveRubric.body?.parse(await json())
    if (!body) throw new Error('a body')
    const stored = withProblemsAfterEdit(current.rubric, body.rubric)
    saved.push(stored)
    current = { ...current, version: current.version + 1, rubric: stored }
    return ok(saveRubric, current)
  })
  const checked: { version: number; checked: boolean }[] = []
  mockEndpoint(checkRubric, async ({ json }) => {
    const body = checkRubric.body?.parse(await json())
    if (!body) throw new Error('a body')
    checked.push(body)
    current = { ...current, checked: body.checked ? { by_name: 'Martin Keller', at: '2026-01-12T15:00:00Z' } : null }
    return ok(checkRubric, current)
  })
  const app = renderApp('/assignments/5/rubric')
  await screen.findByRole('region', { name: 'Problems' })
  return { ...app, user: userEvent.setup(), saved, checked }
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const problems = () => within(screen.getByRole('region', { name: 'Problems' }))
const rows = () =>
  within(screen.getByRole('list', { name: 'Questions' }))
    .getAllByRole('heading', { level: 3 })
    .map((row) => row.textContent?.replace(/(?:What|No question).*/, ''))

describe('problems of the rubric', () => {
  it('come first, with what they cost, and are gone once they are put right', async () => {
    const totals = [{ number: null, points: 20, question_ids: [] }]
    const { user, saved } = await open(
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
    expect(problems().getByRole('heading').textContent).toBe('No open problems')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.problems).toEqual([])
    expect(saved[0]?.questions.map(({ criteria }) => criteria[0]?.points)).toEqual([5, 5, 10])
  })

  it('of a missing number can be put right by a question of its own, or one split off the question before', async () => {
    const long = question('2', { prompt: 'What floats?\nWhat sinks?\nWhy?' })
    const { user } = await open(rubricOf([question('1'), long, question('4')]))
    await user.click(button('Split question 2…'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Split question 2' }))
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Split' }).disabled).toBe(true)
    await user.click(dialog.getByLabelText('What sinks?'))
    await user.click(dialog.getByRole('button', { name: 'Split' }))
    await waitFor(() => expect(rows()).toEqual(['1', '2', '3', '4']))
    expect(problems().getByText('Question 3: there is no expected answer.')).toBeTruthy()
    await user.click(button('Discard Changes'))
    await user.click(button('Add question 3'))
    expect(rows()).toEqual(['1', '2', '3', '4'])
  })

  it('of a number that is there twice is put right by merging', async () => {
    const { user } = await open(rubricOf([question('1'), question('2'), question('2', { id: 'q2b' })]))
    await user.click(button('Merge with previous, question 2'))
    expect(rows()).toEqual(['1', '2'])
    expect(problems().getByRole('heading').textContent).toBe('No open problems')
  })

  it('can be called fine, which is stored, and opened again', async () => {
    const { user, saved } = await open(rubricOf([question('1', { regions: [] }), question('2', { kind: 'essay' })]))
    expect(problems().getByText(/asks for an essay/)).toBeTruthy()
    await user.click(button(/^It’s fine: Question 1/))
    expect(problems().getByRole('heading').textContent).toBe('No open problems')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.problems).toMatchObject([{ code: 'no_region', dismissed: true }, { code: 'by_hand' }])
    await user.click(button('1 marked as fine'))
    await user.click(button('Reopen'))
    expect(problems().getByRole('heading').textContent).toContain('1 problem to check')
  })

  it('that only the reader knows have their fix beside them too', async () => {
    const [first, second] = [question('1'), question('2', { kind: 'number' })]
    const guessed = questionProblem('points_guessed', first, ' was given 5 points: no points are printed.')
    const { user, saved } = await open(withProblems({ questions: [first, second] }, [guessed]))
    await user.selectOptions(screen.getByLabelText('Kind of answer to question 2'), 'Short text')
    const form = within(screen.getByRole('form', { name: 'Points of question 1' }))
    await user.clear(form.getByLabelText('Question 1'))
    await user.type(form.getByLabelText('Question 1'), '2,5{Enter}')
    expect(problems().getByRole('heading').textContent).toBe('No open problems')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.questions).toMatchObject([{ criteria: [{ points: 2.5 }] }, { kind: 'text' }])
  })
})

describe('the pages beside the questions', () => {
  it('show each question’s answer area, in step with the list', async () => {
    const { user } = await open(rubricOf([question('1'), question('2')]))
    await user.click(screen.getByRole('button', { name: 'Blank and Key' }))
    await user.click(await screen.findByRole('button', { name: 'Answer area of question 2' }))
    await user.click(button('Close'))
    expect(await screen.findByLabelText('Number')).toHaveProperty('value', '2')
  })

  it('take a rectangle for where a question is answered, or its numbers', async () => {
    const { user, saved } = await open(rubricOf([question('1', { regions: [] })]))
    await user.click(button('Draw on the page, question 1'))
    expect(await screen.findByText('Drag a rectangle around the space for the answer to question 1.')).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: 'Draw' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Draw' })).toBeNull())
    expect(problems().getByRole('heading').textContent).toBe('No open problems')
    await user.click(button(/What is it in 1/))
    const left = screen.getByLabelText<HTMLInputElement>('Left (mm), answer area 1')
    expect(left.value).toBe('25')
    await user.type(left, '{ArrowUp}{ArrowUp}')
    expect(left.value).toBe('27')
    await user.click(button('Save Rubric'))
    await screen.findByText('Rubric saved.')
    expect(saved[0]?.questions[0]?.regions).toEqual([
      { page: 2, box: { ...drawnBox, x: (27 * 72) / 25.4 }, drawn: true },
    ])
  })

  it('take what the key says inside a rectangle for the expected answer', async () => {
    const asked = mockEndpoint(getPaperText, (_heard, count) =>
      ok(getPaperText, { text: count === 1 ? '' : 'less dense' }),
    )
    const { user } = await open(rubricOf([question('1', { expected: '' })]))
    await user.click(button('Pick from the key, question 1'))
    await user.click(await screen.findByRole('button', { name: 'Draw' }))
    expect(await screen.findByText(/No words were found there/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Draw' }))
    await waitFor(() => expect(problems().getByRole('heading').textContent).toBe('No open problems'))
    expect(new URL(asked[0]?.url ?? '').search).toBe('?page=2&x=72&y=200&width=300&height=60')
    await user.click(button(/What is it in 1/))
    expect(screen.getByLabelText<HTMLTextAreaElement>('Expected answer').value).toBe('less dense')
  })

  it('can be left without a rectangle, by Escape too', async () => {
    const { user } = await open(rubricOf([question('1', { regions: [] })]))
    await user.click(button('Draw on the page, question 1'))
    await screen.findByRole('button', { name: 'Draw' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Draw' })).toBeNull())
    expect(problems().getByText(/its answer area was not found/)).toBeTruthy()
  })
})

describe('confirming the rubric', () => {
  beforeEach(() => {
    mockEndpoint(countSubmissions, () => ok(countSubmissions, buildSubmissionCounts()))
    mockEndpoint(listRuns, () => ok(listRuns, []))
    mockEndpoint(listSubmissions, () => ok(listSubmissions, []))
  })

  it('saves what is unsaved first, and goes on to the papers', async () => {
    const { user, saved, checked, address } = await open(rubricOf([question('1'), question('2'), question('4')]))
    await user.click(button('Renumber 4 to 3'))
    await user.click(button('Confirm Rubric'))
    await waitFor(() => expect(address()).toBe('/assignments/5/submissions'))
    expect(saved).toHaveLength(1)
    expect(checked).toEqual([{ version: 2, checked: true }])
  })

  it('is shown with who confirmed it, and can be undone', async () => {
    const { user, checked, address } = await open(buildRubric())
    await user.click(button('Confirm Rubric'))
    await waitFor(() => expect(address()).toBe('/assignments/5/submissions'))
    cleanup()
    renderApp('/assignments/5/rubric')
    expect(await screen.findByText(/Confirmed by Martin Keller/)).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Rubric')
    expect(screen.queryByRole('button', { name: 'Confirm Rubric' })).toBeNull()
    await user.click(button('Undo Confirmation'))
    await screen.findByRole('button', { name: 'Confirm Rubric' })
    expect(checked.map((one) => one.checked)).toEqual([true, false])
  })
})
