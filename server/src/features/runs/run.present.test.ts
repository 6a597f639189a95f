import { expect, it } from 'vitest'
import { type RunDoc, type RunPaperDoc, RunPaperModel, runPaperId } from '../../records/grading/run.model.ts'
import { useServer } from '../../testing/server.ts'
import { presentRun } from './run.service.ts'

const server = useServer()
const at = (seconds: number) => new Date(Date.UTC(2096, 0, 5, 9) + seconds * 1000)

const times = (n: number, state: RunPaperDoc['state']) => Array<RunPaperDoc['state']>(n).fill(state)

let last = 9000
async function secondsLeft(
  after: number,
  states: RunPaperDoc['state'][],
  more: Partial<RunDoc>,
): Promise<number | null> {
  const run: RunDoc = {
    _id: ++last,
    assignment_id: 1,
    started_by: 1,
    status: 'reading',
    planned: Array.from({ length: 10 }, (_, i) => i),
    class_submission_ids: null,
    class_key: null,
    failure: null,
    waiting: null,
    started_at: at(0),
    grading_since: null,
    finished_at: null,
    ...more,
  }
  await RunPaperModel.create(
    states.map((state, i) => ({ _id: runPaperId(run._id, i), run_id: run._id, submission_id: i, state })),
  )
  const { llm } = server.running.services
  return (await presentRun(run, { llm, clock: { now: () => at(after) } })).seconds_left
}

it('estimates the remaining time of a run by its present pace', async () => {
  const reading = { status: 'reading' as const }
  expect(await secondsLeft(20, [...times(5, 'read'), ...times(5, 'waiting')], reading)).toBe(30)
  expect(
    await secondsLeft(20, [...times(5, 'read'), ...times(5, 'waiting')], { ...reading, uses_llm: true }),
  ).toBeNull()
  // Half of it graded in a hundred seconds: a hundred more, not a few.
  const grading = { status: 'grading' as const, uses_llm: true, grading_since: at(20) }
  expect(await secondsLeft(25, times(10, 'read'), grading)).toBeNull()
  expect(await secondsLeft(120, [...times(5, 'graded'), ...times(5, 'read')], grading)).toBe(100)
  expect(await secondsLeft(120, times(10, 'graded'), { ...grading, status: 'completed' })).toBeNull()
})
