import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getScoreRules } from '@assay/shared/score-rules.ts'
import { afterEach, expect, it } from 'vitest'
import { startFakeLms } from '../../../../../tests/fake-lms/fake-lms.ts'
import { ReleaseModel } from '../../../records/grading/grade.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildLmsClass, gradebookOf, publish, scoreCountsOf, waitForScoreDelivery } from '../../../testing/lms-class.ts'
import { toolOf } from '../../../testing/lti-records.ts'
import { createTestApi, startTestServer } from '../../../testing/server.ts'
import { findReleasedScoresDue, requireAssignment, storeScoreRules } from '../../assignments/assignment.service.ts'
import { refreshReleasedScores } from '../released-scores.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

it('continues after a process that died in the middle of adjusting released scores, and sends each new score once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-score-rules-'))
  const fake = await startFakeLms({ kind: 'moodle' })
  closing.push(async () => {
    await fake.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const first = await startTestServer(dataDir)
  const one = await buildLmsClass({ running: first }, createTestApi({ running: first }), fake, { students: 12 })
  await publish(createTestApi({ running: first }), one)
  await waitForScoreDelivery(createTestApi({ running: first }), one)
  const graded = (await SubmissionModel.find({ assignment_id: one.assignmentId }).sort({ _id: 1 }).lean()).map(
    ({ grade }) => grade?.overall_score ?? -1,
  )
  expect(gradebookOf(one)).toEqual(graded.map((score) => score / 5))

  // As a process leaves it that died over the seventh paper.
  const assignment = await requireAssignment(one.assignmentId)
  const shift = { adjustment: { kind: 'shift' as const, points_percent: -10 }, late_penalty: null }
  await storeScoreRules(assignment, shift, one.teacher.id, new Date())
  await refreshReleasedScores(
    one.assignmentId,
    one.students.slice(0, 7).map(({ submissionId }) => submissionId),
  )
  const halfway = await createTestApi({ running: first })
    .as(one.teacher)
    .send(getScoreRules, { params: { assignmentId: one.assignmentId } })
  expect(halfway.body.releasing).toEqual({ done: 7, total: 12 })
  await first.stop()

  const second = await startTestServer(dataDir)
  closing.push(() => second.stop())
  toolOf(fake, one.platform).jwksUrl = `${second.url}/lti/keys`
  const wanted = graded.map((score) => Math.max(0, score - 10))
  await expect.poll(findReleasedScoresDue).toEqual([])
  const released = await ReleaseModel.find({ assignment_id: one.assignmentId }).sort({ _id: 1 }).lean()
  expect(released.map(({ points }) => points?.given)).toEqual(wanted)
  expect(released.map(({ adjusted, points }) => (adjusted?.raw_points ?? points)?.given)).toEqual(graded)
  await expect.poll(() => gradebookOf(one)).toEqual(wanted.map((score) => score / 5))
  await waitForScoreDelivery(createTestApi({ running: second }), one)
  expect(scoreCountsOf(one)).toEqual(graded.map((score) => (score === 0 ? 1 : 2)))
})
