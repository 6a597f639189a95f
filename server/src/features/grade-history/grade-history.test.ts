import { exportGradeHistory, GradeHistory, getGradeHistory } from '@assay/shared/grade-history.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { expect, it } from 'vitest'
import { LlmAnswerModel, LlmCallModel } from '../../records/llm/llm-call.model.ts'
import { buildGraded, correctAnswers, decideGrade, waitForRun, weakAnswers } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

async function buildTwo() {
  const names = ['Ada M.', 'Ben K.']
  const { instructor, assignmentId, submissionIds } = await buildGraded(api, [correctAnswers, weakAnswers], { names })
  const [submissionId = 0] = submissionIds
  const history = async () =>
    (await api.as(instructor).send(getGradeHistory, { params: { assignmentId, submissionId } })).body
  return { instructor, assignmentId, submissionId, submissionIds, history }
}

it('lists every suggestion with its inputs, and what the teacher did, in order', async () => {
  const { instructor, assignmentId, submissionId, history } = await buildTwo()
  const before = await history()
  expect(before.suggestions).toMatchObject([{ current: true, rubric_version: 1, grader: { name: 'offline' } }])
  const decision = { overall_score: 61, human_review_notes: 'Half of it.' }
  await decideGrade(api.as(instructor), { assignmentId, submissionId }, decision)
  const run = await api
    .as(instructor)
    .send(processAssignment, { params: { assignmentId }, body: { force: true, submission_ids: [submissionId] } })
  await waitForRun(api, instructor, assignmentId, run.body.run_id)

  const after = await history()
  expect(after.suggestions.map(({ current }) => current)).toEqual([false, true])
  expect(after.suggestions[0]).toMatchObject({ grade_id: before.suggestions[0]?.grade_id, current: false })
  expect(after.suggestions[1]?.run_id).toBe(run.body.run_id)
  expect(after.suggestions[1]?.inputs).toEqual(before.suggestions[0]?.inputs)
  expect(Object.values(after.suggestions[1]?.inputs ?? {})).toEqual(
    Array(3).fill(expect.stringMatching(/^[0-9a-f]{64}$/)),
  )
  expect(after.paper.sha256).toBe(after.suggestions[1]?.inputs?.paper)
  expect(after.events).toMatchObject([
    {
      action: 'grade.overridden',
      actor: { id: instructor.id },
      before: { manual_score_override: null },
      after: { manual_score_override: 61, manual_feedback: 'Half of it.' },
    },
  ])
  expect(after).toMatchObject({ calls: [], cost: { input_tokens: 0, output_tokens: 0, dollars: 0 } })
})

it('lists the LLM calls about this paper only, with answers and cost', async () => {
  const { assignmentId, submissionId, submissionIds, history } = await buildTwo()
  const call = (_id: number, submission_id: number, dollars: number | null) => ({
    _id,
    identity: `i${_id}`,
    payer: 'system' as const,
    assignment_id: assignmentId,
    submission_id,
    purpose: 'grade' as const,
    provider: 'openai' as const,
    model: 'some-model',
    prompt_version: '1',
    schema_name: 'grade',
    inputs: [{ kind: 'text' as const, sha256: 'ab', bytes: 2 }],
    outcome: 'answered' as const,
    paid: true,
    input_tokens: 100,
    output_tokens: 10,
    dollars,
    ms: 900,
    summed: true,
    held: 0,
    tries: 1,
    at: new Date(),
    month: '2026-11',
  })
  await LlmCallModel.create([call(9001, submissionId, 0.25), call(9002, submissionIds[1] ?? 0, 4)])
  await LlmAnswerModel.create({
    _id: 9001,
    assignment_id: assignmentId,
    submission_id: submissionId,
    raw: '{"said":9001}',
  })
  expect(await history()).toMatchObject({
    calls: [{ id: 9001, raw: '{"said":9001}', inputs: [{ kind: 'text', sha256: 'ab', bytes: 2 }], tries: 1 }],
    cost: { input_tokens: 100, output_tokens: 10, dollars: 0.25 },
  })
  await LlmCallModel.create(call(9003, submissionId, null))
  expect((await history()).cost).toEqual({ input_tokens: 200, output_tokens: 20, dollars: null })
})

it('is exported as a line of JSON for each paper', async () => {
  const { instructor, assignmentId, submissionIds } = await buildTwo()
  const reply = await api.as(instructor).send(exportGradeHistory, { params: { assignmentId } })
  expect(reply.headers.get('content-disposition')).toContain(`assignment_${assignmentId}_history.jsonl`)
  const lines = reply.text.trim().split('\n')
  expect(lines.map((line) => GradeHistory.parse(JSON.parse(line)).submission_id)).toEqual(submissionIds)
})
