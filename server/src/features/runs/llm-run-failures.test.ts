import { processAssignment, stopRun } from '@assay/shared/runs.ts'
import { getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ScriptedStep } from '../../../../tests/fake-llm/scripted-llm.ts'
import { testedProviders } from '../../grader/llm/testing/llm-test-client.ts'
import { LlmCallModel } from '../../records/llm/llm-call.model.ts'
import { buildGraded, buildPerson, gradeAssignment, waitForRun } from '../../testing/build-course.ts'
import { chooseFakeLlm, useFakeLlm } from '../../testing/llm-settings.ts'
import { type Caller, useTestApi } from '../../testing/server.ts'

/** `paid`: how many answers are charged for. */
interface Case {
  does: ScriptedStep[]
  ends: 'graded' | 'flagged' | 'failed'
  paid: number
  error_code?: string
}

const cases: Record<string, Case> = {
  apple: { does: [], ends: 'graded', paid: 1 },
  banana: { does: [{ do: 'broken_json' }], ends: 'graded', paid: 2 },
  cherry: { does: [{ do: 'broken_json', times: 2 }], ends: 'failed', paid: 2, error_code: 'bad_answer' },
  damson: { does: [{ do: 'wrong_ids', times: 2 }], ends: 'failed', paid: 2, error_code: 'bad_answer' },
  fig: { does: [{ do: 'out_of_range', times: 2 }], ends: 'failed', paid: 2, error_code: 'bad_answer' },
  grape: { does: [{ do: 'refuse' }], ends: 'failed', paid: 1, error_code: 'refused' },
  lemon: { does: [{ do: 'cut_off' }], ends: 'failed', paid: 1, error_code: 'cut_off' },
  mango: { does: [{ do: 'foreign_quotes' }], ends: 'flagged', paid: 1 },
  olive: { does: [{ do: 'error', status: 500 }], ends: 'graded', paid: 1 },
  peach: { does: [{ do: 'error', status: 429, headers: { 'retry-after': '1' } }], ends: 'graded', paid: 1 },
  quince: { does: [{ do: 'hang_up', after: 'half' }], ends: 'graded', paid: 1 },
  raisin: { does: [{ do: 'slow', pieces: 10, pauseMs: 30 }], ends: 'graded', paid: 1 },
  walnut: {
    does: [{ do: 'error', status: 400, message: 'prompt is too long: 999999 tokens' }],
    ends: 'failed',
    paid: 0,
    error_code: 'too_long',
  },
}

const { api } = useTestApi()
const fake = useFakeLlm({ idempotency: true })
let admin: Caller
beforeAll(async () => {
  admin = api.as(await buildPerson('admin'))
})

const choose = (chosen: (typeof testedProviders)[number]) =>
  chooseFakeLlm(admin, fake, { ...chosen, api_key: 'sk-test-0123456789' })

/** Each names a fruit, by which the fake tells them apart. */
function buildClass(fruits: string[]) {
  const answerSets = fruits.map((fruit) => [
    `Ice is less dense than water because its molecules are held apart, like a ${fruit} in a bowl.`,
    'B',
    '144',
  ])
  return buildGraded(api, answerSets, { names: fruits.map(() => 'Ada Byron'), graded: false })
}

describe.each(testedProviders)('a class graded by $provider', (provider) => {
  it('ends as designed whatever the LLM does, with no grade made up and nothing paid for twice', async () => {
    await choose(provider)
    const { instructor, assignmentId, submissionIds } = await buildClass(Object.keys(cases))
    for (const [fruit, { does }] of Object.entries(cases))
      fake.script(...does.map((step) => ({ ...step, when: `\\b${fruit}\\b` })))
    const ended = await gradeAssignment(api, instructor, assignmentId)
    const failing = Object.values(cases).filter(({ ends }) => ends === 'failed').length
    expect(ended).toMatchObject({ failed: failing, graded: Object.keys(cases).length - failing })
    expect(fake.steps).toEqual([])
    expect(fake.records.billedTwice()).toEqual([])

    const teacher = api.as(instructor)
    const rows = (await teacher.send(listSubmissions, { params: { assignmentId } })).body
    for (const [n, [fruit, { ends, paid, error_code }]] of Object.entries(cases).entries()) {
      const row = rows.find(({ id }) => id === submissionIds[n])
      if (!row) throw new Error(`no row for ${fruit}`)
      const { body } = await teacher.send(getSubmission, { params: { assignmentId, submissionId: row.id } })
      const seen = { fruit, status: row.status, failure: row.failure?.code, graded: body.grade !== null }
      if (ends === 'failed') expect(seen).toEqual({ fruit, status: 'failed', failure: error_code, graded: false })
      else {
        expect(seen).toEqual({ fruit, status: 'graded', failure: undefined, graded: true })
        if (ends === 'flagged') expect({ fruit, flagged: row.needs_review }).toEqual({ fruit, flagged: true })
      }
      const billed = fake.requests.filter(({ asked, billed }) => billed && asked.texts.join().includes(fruit))
      expect({ fruit, paid: billed.length }).toEqual({ fruit, paid })
      const stored = await LlmCallModel.countDocuments({ submission_id: row.id, paid: true })
      expect({ fruit, stored }).toEqual({ fruit, stored: paid })
    }

    // What is graded is not asked about once more.
    const before = fake.records.counts().billed
    expect(await gradeAssignment(api, instructor, assignmentId)).toMatchObject({
      total: failing,
      graded: failing,
      failed: 0,
    })
    expect(fake.records.counts().billed).toBe(before + failing)
    expect(fake.records.billedTwice().length).toBeLessThanOrEqual(failing)
  })

  it('stops while the LLM does not answer', async () => {
    await choose(provider)
    const { instructor, assignmentId } = await buildClass(['apple', 'fig', 'peach'])
    fake.script({ do: 'stall', times: 3 })
    const teacher = api.as(instructor)
    const { run_id: runId } = (await teacher.send(processAssignment, { params: { assignmentId } })).body
    await expect.poll(() => fake.requests.length).toBe(3)
    await teacher.send(stopRun, { params: { assignmentId, runId } })
    await waitForRun(api, instructor, assignmentId, runId)
    await expect.poll(() => fake.requests.every(({ abandoned }) => abandoned)).toBe(true)
    expect(fake.records.counts()).toEqual({ received: 3, answered: 0, billed: 0 })
  })
})
