import { getRubric } from '@assay/shared/rubric-endpoints.ts'
import { questionProblem } from '@assay/shared/rules/rubric-problems.ts'
import { estimateRun, listRuns, processAssignment, retryRun } from '@assay/shared/runs.ts'
import { countSubmissions, listSubmissions } from '@assay/shared/submissions.ts'
import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildCurrentRubric, buildRubric } from '../../testing/build-rubric.ts'
import { buildLlmRunEstimate, buildRun, buildRunEstimate } from '../../testing/build-run.ts'
import { buildSubmission, buildSubmissionCounts } from '../../testing/build-submission.ts'
import { errorReply, mockEndpoint, ok, signInAs } from '../../testing/mock-api.ts'
import { sendEvent } from '../../testing/realtime.ts'
import { renderPage } from '../../testing/render.tsx'

const counts = buildSubmissionCounts({ pending: 1 })

beforeEach(() => {
  signInAs()
  mockEndpoint(countSubmissions, () => ok(countSubmissions, counts))
  const pending = buildSubmission({ id: 33, status: 'uploaded', grade: null })
  mockEndpoint(listSubmissions, () => ok(listSubmissions, [pending], { 'X-Total-Count': '1' }))
})

async function open() {
  renderPage('/assignments/5/submissions')
  await screen.findByText('Submissions (1)')
  return userEvent.setup()
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })

const started = () => ok(processAssignment, { message: 'Started', run_id: 1, queued: 1 })

describe('Process & Grade', () => {
  it('begins at once where the offline grader grades', async () => {
    mockEndpoint(estimateRun, () => ok(estimateRun, buildRunEstimate()))
    const begun = mockEndpoint(processAssignment, started)
    const user = await open()
    await user.click(button('Process & Grade'))
    await screen.findByText('Processing started successfully!')
    expect(begun).toHaveLength(1)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says what of the rubric is open and what that costs, and grades anyway or opens the rubric', async () => {
    const [first, second] = buildRubric().questions
    if (!first || !second) throw new Error('two questions')
    const problems = [
      questionProblem('no_answer', first, ': there is no expected answer.'),
      questionProblem('no_region', first, ': its answer area was not found on the blank.'),
      questionProblem('points_guessed', second, ' was given 5 points: no points are printed.'),
    ]
    mockEndpoint(estimateRun, () => ok(estimateRun, buildRunEstimate({ problems })))
    mockEndpoint(getRubric, () => ok(getRubric, buildCurrentRubric()))
    const begun = mockEndpoint(processAssignment, started)
    const user = await open()
    await user.click(button('Process & Grade'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Grade 3 papers?' }))
    expect(dialog.getByText('The rubric has 3 open problems')).toBeTruthy()
    expect(dialog.getByText('15 points on each paper may be graded wrongly.')).toBeTruthy()
    expect(dialog.getByText('Question 1: there is no expected answer.')).toBeTruthy()
    expect(begun).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Grade Anyway' }))
    await screen.findByText('Processing started successfully!')
    expect(begun).toHaveLength(1)

    await user.click(button('Process & Grade'))
    const again = within(await screen.findByRole('dialog', { name: 'Grade 3 papers?' }))
    await user.click(again.getByRole('link', { name: 'Check the Rubric' }))
    await screen.findByRole('heading', { name: 'Rubric' })
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(begun).toHaveLength(1)
  })

  it('says first who grades, what it costs, how long it takes, what is left and what leaves the server', async () => {
    mockEndpoint(estimateRun, () => ok(estimateRun, buildLlmRunEstimate({ unread: 1 })))
    const begun = mockEndpoint(processAssignment, started)
    const user = await open()
    await user.click(button('Process & Grade'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Grade 3 papers?' }))
    const words = screen.getByRole('dialog').textContent
    expect(words).toContain('openai/gpt-test')
    expect(words).toContain('about $0.84 (18,000 tokens in, 5,100 out)')
    expect(words).toContain('about 4 minutes')
    expect(words).toContain('$12.30')
    expect(words).toContain('1 paper has not been read yet')
    expect(words).toMatch(/Sent to the AI model’s provider: the questions, the key.*images/)
    expect(words).not.toContain('The budget may not cover')
    expect(begun).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(begun).toHaveLength(0)

    await user.click(button('Process & Grade'))
    await user.click(await screen.findByRole('button', { name: 'Grade 3 papers' }))
    await screen.findByText('Processing started successfully!')
    expect(begun).toHaveLength(1)
  })

  it('warns when the budget will not do, and says so when nobody knows the price', async () => {
    mockEndpoint(estimateRun, (_heard, count) =>
      ok(
        estimateRun,
        count === 1
          ? buildLlmRunEstimate({ left_of_budget: 0.2, enough: false })
          : buildLlmRunEstimate({ dollars: null, leaves_server: false }),
      ),
    )
    const user = await open()
    await user.click(button('Process & Grade'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('The budget may not cover all papers')).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await user.click(button('Process & Grade'))
    await screen.findByText(/no prices set/)
    expect(screen.getByText(/Nothing leaves it unless/)).toBeTruthy()
  })

  it('says what it reads first, and that nothing can be graded where nothing is left', async () => {
    mockEndpoint(estimateRun, buildLlmRunEstimate({ pages_to_read: 6, left_of_budget: 0, enough: false }))
    const user = await open()
    await user.click(button('Process & Grade'))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('about 6 handwritten pages')).toBeTruthy()
    expect(dialog.getByText('This month’s budget is used up')).toBeTruthy()
    expect(dialog.queryByText('The budget may not cover all papers')).toBeNull()
    expect(dialog.getByText('nothing')).toBeTruthy()
    expect(dialog.getByRole('button', { name: 'Grade 3 papers' })).toHaveProperty('disabled', true)
  })

  it('keeps the question with the server’s words when the run cannot begin', async () => {
    mockEndpoint(estimateRun, () => ok(estimateRun, buildLlmRunEstimate()))
    mockEndpoint(processAssignment, () => errorReply('run_in_progress'))
    const user = await open()
    await user.click(button('Process & Grade'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Grade 3 papers' }))
    await dialog.findByRole('alert')
  })
})

describe('a run with a model', () => {
  it('shows who grades and what it has cost so far', async () => {
    const cost = { calls: 4, input_tokens: 900, output_tokens: 100, dollars: 0.123, estimated: 0 }
    mockEndpoint(listRuns, () => ok(listRuns, [buildRun({ graders: ['openai/gpt-test'], cost })]))
    await open()
    await screen.findByText('by openai/gpt-test · $0.123 so far')
  })

  it('that waits says why and until when, tries at once on request, and goes on', async () => {
    const retry_at = new Date(Date.now() + 90_000).toISOString()
    const reason = 'OpenAI has reached the rate limit of this key.'
    const since = new Date(Date.now() - 12 * 60_000).toISOString()
    const wait = { reason, needs_settings: false, since, retry_at, tries: 3 }
    mockEndpoint(listRuns, () => ok(listRuns, [buildRun({ graders: ['openai/gpt-test'], waiting: wait })]))
    const user = await open()
    await screen.findByText('Waiting for the AI model')
    expect(screen.getByText(reason)).toBeTruthy()
    expect(screen.getByText(/Next try in \d+ s\. Waiting for 12 minutes\./)).toBeTruthy()
    expect(screen.getByText('4 of 12')).toBeTruthy()
    expect(button('Stop')).toBeTruthy()
    const hurried = mockEndpoint(retryRun, () =>
      ok(retryRun, buildRun({ waiting: { ...wait, retry_at: new Date().toISOString() } })),
    )
    await user.click(button('Try now'))
    await expect.poll(() => hurried).toHaveLength(1)
    await screen.findByText('Contacting the AI model…')
    expect(screen.queryByText(/Next try/)).toBeNull()
    expect(button('Try now').getAttribute('data-loading')).toBe('true')
    sendEvent('run_changed', buildRun({ waiting: { ...wait, tries: 4 } }))
    await screen.findByText(/Retried just now; it still fails/)
    expect(screen.getByText(/Next try in/)).toBeTruthy()
    expect(button('Try now').getAttribute('data-loading')).toBeNull()
    sendEvent('run_changed', buildRun({ graded: 5 }))
    await screen.findByText('5 of 12, about 40 s left')
    expect(screen.queryByText('Waiting for the AI model')).toBeNull()
  })

  it('says that it takes longer than expected when the time it was to take is over, and no “a few seconds” for ever', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['Date', 'setInterval', 'clearInterval'] })
    mockEndpoint(listRuns, () => ok(listRuns, [buildRun({ seconds_left: 3 })]))
    await open()
    await screen.findByText('4 of 12, a few seconds left')
    act(() => void vi.advanceTimersByTime(20_000))
    await screen.findByText('4 of 12, longer than expected')
    sendEvent('run_changed', buildRun({ graded: 5, seconds_left: 40 }))
    await screen.findByText('5 of 12, about 40 s left')
  })

  it('says of a cost that is partly guessed that it is the most', async () => {
    const cost = { calls: 4, input_tokens: 900, output_tokens: 100, dollars: 0.123, estimated: 1 }
    mockEndpoint(listRuns, () => ok(listRuns, [buildRun({ graders: ['openai/gpt-test'], cost })]))
    await open()
    await screen.findByText('by openai/gpt-test · at most $0.123 so far')
  })

  it('that was stopped by the budget says so when it is over', async () => {
    const failure = 'This month’s budget for the model is used up.'
    mockEndpoint(listRuns, [buildRun({ status: 'stopped', failure, finished_at: '2026-01-05T10:00:00.000Z' })])
    await open()
    await screen.findByText(failure)
  })
})
