import {
  type CurrentRubric,
  generateRubric,
  getRubric,
  getRubricVersion,
  listRubricVersions,
  restoreRubricVersion,
  saveRubric,
  stopRubricGeneration,
} from '@assay/shared/rubric-endpoints.ts'
import { rubricToFile } from '@assay/shared/rules/rubric-file.ts'
import { questionProblem } from '@assay/shared/rules/rubric-problems.ts'
import { estimateRun, processAssignment } from '@assay/shared/runs.ts'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildCurrentRubric, buildRubric } from '../../testing/build-rubric.ts'
import { buildRunEstimate } from '../../testing/build-run.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { button, question } from '../../testing/open-rubric.tsx'
import { fillIn, renderPage } from '../../testing/render.tsx'

beforeEach(() => signInAs())

async function open(current: CurrentRubric = buildCurrentRubric()) {
  mockEndpoint(getRubric, () => ok(getRubric, current))
  renderPage('/assignments/5/rubric')
  await screen.findByRole('heading', { name: 'Rubric' })
  return userEvent.setup()
}

const rows = () => within(screen.getByRole('list', { name: 'Questions' })).getAllByRole('heading', { level: 3 })

describe('the rubric’s screen', () => {
  it('shows sums, one question open at a time, and what does not add up', async () => {
    const user = await open()
    expect(screen.getByText('2 questions, 15 points in total')).toBeTruthy()
    await user.click(button(/Why does ice float/))
    const points = screen.getByLabelText<HTMLInputElement>('Points')
    await user.clear(points)
    await fillIn(points, '7,5')
    expect(screen.getByText('The paper says 10 points, but the criteria add up to 7.5.')).toBeTruthy()
    expect(screen.getByText('2 questions, 12.5 points in total')).toBeTruthy()
    await user.click(button('Add a criterion'))
    expect(screen.getByText('The paper says 10 points, but the criteria add up to 8.5 = 7.5 + 1.')).toBeTruthy()
    await user.click(button(/How much is 12 times 12/))
    expect(screen.getAllByLabelText('Points')).toHaveLength(1)
    expect(screen.getByText('Points differ')).toBeTruthy()
  })

  it('opens the question a link names, and tells new results beside what is written and can be undone', async () => {
    const rubric = buildRubric()
    const [question, other] = rubric.questions
    if (!question || !other) throw new Error('two questions')
    const told = (papers: number) =>
      questionProblem('results_doubtful', question, `: all ${papers} answers got 0 points.`)
    const problems = [[], [told(28)], [told(56)]]
    mockEndpoint(getRubric, (_, count) =>
      ok(getRubric, buildCurrentRubric({ rubric: { ...rubric, problems: problems[count - 1] ?? [] } })),
    )
    renderPage(`/assignments/5/rubric?question=${other.id}`)
    await screen.findByText('Nothing left to check')
    const row = button(/How much is 12 times 12/)
    expect(row.getAttribute('aria-expanded')).toBe('true')
    expect(document.activeElement).toBe(row)
    const notes = screen.getByLabelText<HTMLInputElement>('Notes to the grader')
    const askAgain = () => act(() => void window.dispatchEvent(new Event('online')))
    await userEvent.type(notes, 'x{Backspace}')
    askAgain()
    await screen.findByText('Question 1: all 28 answers got 0 points.')
    expect(button('Undo the last change')).toBeTruthy()
    await fillIn(notes, 'Mine')
    askAgain()
    await screen.findByText('Question 1: all 56 answers got 0 points.')
    expect(notes.value).toBe('Mine')
    await userEvent.click(button('Undo the last change'))
    expect(notes.value).toBe('')
    expect(screen.getByText('Question 1: all 56 answers got 0 points.')).toBeTruthy()
  })

  it('shows of each part what it asks, not the stem that all parts share', async () => {
    const [first, second] = buildRubric().questions
    if (!first || !second) throw new Error('two questions')
    const stem = 'A car travels along a level road.\n'
    const questions = [
      { ...first, prompt: `${stem}Name the force.` },
      { ...second, prompt: `${stem}Calculate the acceleration.` },
    ]
    await open(buildCurrentRubric({ rubric: { ...buildRubric(), questions } }))
    expect(rows().map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^\w+Name the force\./),
      expect.stringMatching(/^\w+Calculate the acceleration\./),
    ])
  })

  it('says which grades a change touches, saves on the version it was made on, and regrades when asked', async () => {
    const saved = buildCurrentRubric({ version: 2, outdated: 12 })
    const sent: unknown[] = []
    mockEndpoint(saveRubric, async ({ json }) => {
      const body = saveRubric.body?.parse(await json())
      sent.push(body)
      const rubric = body?.rubric ?? null
      const stored = { ...saved, rubric }
      mockEndpoint(getRubric, () => ok(getRubric, stored))
      return ok(saveRubric, stored)
    })
    mockEndpoint(estimateRun, () => ok(estimateRun, buildRunEstimate()))
    const begun = mockEndpoint(processAssignment, { message: 'Started', run_id: 1, queued: 12 })
    const user = await open()
    await user.click(button(/How much is 12 times 12/))
    await user.click(button('Add an accepted answer, criterion 1'))
    await user.keyboard('12 dozen')
    await user.click(button('Save Rubric'))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('12 grades rest on question 2, which changed.')).toBeTruthy()
    await user.click(within(dialog).getByLabelText('Regrade 12 papers now (changed questions only)'))
    await user.click(within(dialog).getByRole('button', { name: 'Save and Regrade' }))
    await screen.findByText('12 grades were based on an earlier rubric')
    expect(sent[0]).toMatchObject({
      version: 1,
      rubric: { questions: [{}, { criteria: [{ alternatives: ['12 dozen'] }] }] },
    })
    await waitFor(async () => expect(await begun[0]?.json()).toEqual({ outdated: true }))
    expect(screen.queryByText('You have unsaved changes')).toBeNull()
  })

  it('sends nothing that does not hold, and goes to the field', async () => {
    const user = await open()
    await user.click(button('Add a question'))
    expect(screen.getByLabelText<HTMLInputElement>('Number').value).toBe('3')
    await user.click(button(/Why does ice float/))
    await user.click(button('Save Rubric'))
    // The new question lacks what is looked for, so it is opened.
    expect(await screen.findByText('What is looked for must not be empty')).toBeTruthy()
    expect(screen.getByText('Fix 1 error before saving')).toBeTruthy()
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true'))
  })

  it('moves questions by the keyboard, keeps the focus on them, and brings back what was taken out', async () => {
    const user = await open()
    button(/Why does ice float/).focus()
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}')
    expect(rows().map((row) => row.textContent?.slice(0, 1))).toEqual(['2', '1'])
    expect(document.activeElement?.textContent).toContain('Why does ice float')
    await user.keyboard('{Enter}')
    await user.click(button('Remove question 1'))
    expect(rows()).toHaveLength(1)
    await user.click(button('Undo the last change'))
    expect(rows()).toHaveLength(2)
  })

  it('keeps what was written when somebody else saved meanwhile', async () => {
    mockEndpoint(saveRubric, () => errorReply('conflict', { detail: 'Someone else has changed the rubric.' }))
    const user = await open(buildCurrentRubric({ graded: 0 }))
    await user.click(button(/How much is 12 times 12/))
    await fillIn(screen.getByLabelText('Notes to the grader'), 'Mine')
    await user.click(button('Save Rubric'))
    expect((await screen.findByRole('alert')).textContent).toContain('Someone else has changed the rubric.')
    expect(screen.getByLabelText<HTMLInputElement>('Notes to the grader').value).toBe('Mine')
  })

  it('stays unsaved while papers are graded by it', async () => {
    const user = await open(buildCurrentRubric({ held: true }))
    await user.click(button(/How much is 12 times 12/))
    await user.type(screen.getByLabelText('Notes to the grader'), 'x')
    expect(button('Save Rubric').disabled).toBe(true)
    expect(screen.getByText(/Papers are being graded with this rubric/)).toBeTruthy()
  })

  it('finds one of thirty questions', async () => {
    const questions = Array.from({ length: 30 }, (_, i) => question(`${i + 1}`, { prompt: `About topic ${i + 1}` }))
    await open(buildCurrentRubric({ rubric: { questions, problems: [] } }))
    expect(rows()).toHaveLength(30)
    await fillIn(screen.getByLabelText('Find a question'), 'topic 17')
    expect(rows()).toHaveLength(1)
  })
})

const none = buildCurrentRubric({ rubric: null, version: 0, made: null, graded: 0 })
const running = { by: 'rules' as const, state: 'running' as const, message: 'Reading the answer key' }

it('a rubric that is not there yet is made from blank and key, by a model only where there is one', async () => {
  const sent = mockEndpoint(generateRubric, () => ok(generateRubric, { ...none, generation: running }))
  const user = await open(none)
  expect(screen.queryByRole('button', { name: /^Have / })).toBeNull()
  await user.click(button('Create from blank and key'))
  expect(await screen.findByText(/Reading the answer key/)).toBeTruthy()
  expect(await sent[0]?.json()).toEqual({ by: 'rules' })
})

it('a rubric that is not there yet is made at once where one comes to check it, and once', async () => {
  const sent = mockEndpoint(generateRubric, () => ok(generateRubric, none))
  mockEndpoint(getRubric, () => ok(getRubric, none))
  renderPage('/assignments/5/rubric?create=true')
  await waitFor(() => expect(sent).toHaveLength(1))
  // Nothing came of it: the button offers it again.
  expect(await screen.findByRole('button', { name: 'Create from blank and key' })).toBeTruthy()
  expect(await sent[0]?.json()).toEqual({ by: 'rules' })
  expect(sent).toHaveLength(1)
})

it('a rubric that is not there yet can be stopped while it is made, and offers to make it again', async () => {
  const stopped = mockEndpoint(stopRubricGeneration, () => {
    mockEndpoint(getRubric, () => ok(getRubric, none))
    return ok(stopRubricGeneration, none)
  })
  const user = await open({ ...none, generation: running })
  expect(screen.queryByRole('button', { name: 'Create from blank and key' })).toBeNull()
  await user.click(button('Stop'))
  expect(await screen.findByRole('button', { name: 'Create from blank and key' })).toBeTruthy()
  expect(stopped).toHaveLength(1)
  expect(screen.queryByText(/Reading the answer key/)).toBeNull()
  expect(await screen.findByText('Stopped.')).toBeTruthy()
  expect(document.activeElement).not.toBe(document.body)
})

it('a rubric that is not there yet does not call stopped what was there first', async () => {
  const made = buildCurrentRubric({ version: 2 })
  mockEndpoint(stopRubricGeneration, () => {
    mockEndpoint(getRubric, () => ok(getRubric, made))
    return ok(stopRubricGeneration, made)
  })
  const user = await open({ ...buildCurrentRubric({ version: 1 }), generation: running })
  await user.click(button('Stop'))
  expect(await screen.findByText('The new rubric was finished before it could be stopped.')).toBeTruthy()
  expect(screen.queryByText(/^Stopped/)).toBeNull()
})

it('a rubric that is not there yet says so where it cannot be stopped', async () => {
  mockEndpoint(stopRubricGeneration, () => errorReply('service_unavailable', { detail: 'Try again in a minute.' }))
  const user = await open({ ...none, generation: running })
  await user.click(button('Stop'))
  expect(await screen.findByText('Try again in a minute.')).toBeTruthy()
  expect(screen.getByText(/Reading the answer key/)).toBeTruthy()
})

it('a rubric that is not there yet says why it could not be made, and offers the model that is set up', async () => {
  const failed = { by: 'rules' as const, state: 'failed' as const, message: 'The answer key is damaged.' }
  await open({ ...none, model: 'openai/gpt', generation: failed })
  expect(screen.getByText('The answer key is damaged.')).toBeTruthy()
  expect(button('Create with openai/gpt')).toBeTruthy()
})

it('versions and files shows what another version says, and restores it', async () => {
  const now = buildCurrentRubric({ version: 2 })
  const made = now.made
  if (!made) throw new Error('made')
  const second = { ...made, made_by: 'user' as const, made_by_name: 'Martin Keller', note: 'Stricter' }
  const first = { ...made, version: 1 }
  mockEndpoint(listRubricVersions, () => ok(listRubricVersions, [second, first]))
  const earlier = { ...buildRubric(), questions: buildRubric().questions.slice(0, 1) }
  mockEndpoint(getRubricVersion, () => ok(getRubricVersion, { ...first, rubric: earlier }))
  const sent = mockEndpoint(restoreRubricVersion, buildCurrentRubric({ version: 3, rubric: earlier }))
  const user = await open(now)
  await user.click(button('Versions'))
  expect(await screen.findByText('Stricter')).toBeTruthy()
  await user.click(button('View version 1'))
  expect(await screen.findByText('Removes question 2.')).toBeTruthy()
  await user.click(button('Restore version 1'))
  await user.click(await screen.findByRole('button', { name: 'Restore' }))
  expect(await screen.findByText('1 question, 10 points in total')).toBeTruthy()
  expect(await sent[0]?.json()).toEqual({ version: 2 })
})

it('versions and files previews a file, takes it over unsaved, and says what is wrong with another', async () => {
  const user = await open()
  const choose = (text: string) =>
    user.upload(screen.getByLabelText('Rubric file'), new File([text], 'rubric.json', { type: 'application/json' }))
  await choose('{"questions": []}')
  expect(await screen.findByText(/This is not a rubric file/)).toBeTruthy()
  await user.click(within(screen.getByRole('dialog')).getByText('Close'))
  const rubric = buildRubric()
  const file = rubricToFile('Quiz 3', { ...rubric, questions: rubric.questions.slice(0, 1) })
  await choose(JSON.stringify(file))
  expect(await screen.findByText('Removes question 2.')).toBeTruthy()
  await user.click(button('Import'))
  expect(screen.getByText('1 question, 10 points in total')).toBeTruthy()
  expect(screen.getByText('You have unsaved changes')).toBeTruthy()
})
