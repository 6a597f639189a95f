import { setScoreRules, type WantedRules } from '@assay/shared/score-rules.ts'
import { expect, it } from 'vitest'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildLmsClass,
  gradebookOf,
  override,
  publishAndDeliver,
  scoreCountsOf,
  waitForScoreDelivery,
} from '../../testing/lms-class.ts'
import { useTestApi } from '../../testing/server.ts'
import { useFakeLmss } from '../../testing/use-fake-lmss.ts'

const { api, server } = useTestApi()
const lmsOf = useFakeLmss()

for (const kind of ['moodle', 'canvas'] as const)
  it(`sends ${kind} the scores that count: nothing for a draft or an unchanged score, and the scores as graded once undone`, async () => {
    const one = await buildLmsClass(server, api, await lmsOf(kind), { students: 3 })
    const [a = 0, b = 0, c = 0] = one.students.map(({ submissionId }) => submissionId)
    for (const [id, score] of [
      [a, 80],
      [b, 97],
      [c, 100],
    ] as const)
      await override(api, one, id, score)
    const save = async (wanted: WantedRules, version: number) => {
      const params = { assignmentId: one.assignmentId }
      const reply = await api.as(one.teacher).send(setScoreRules, { params, body: { ...wanted, version } })
      expect(reply.status).toBe(200)
    }
    const shift = (points_percent: number): WantedRules => ({
      late_penalty: null,
      adjustment: { kind: 'shift', points_percent },
    })
    await save(shift(5), 0)
    await publishAndDeliver(api, one)
    expect(gradebookOf(one)).toEqual([17, 20, 20])
    expect(scoreCountsOf(one)).toEqual([1, 1, 1])

    await save(shift(3), 1)
    await expect.poll(() => gradebookOf(one)).toEqual([16.6, 20, 20])
    await waitForScoreDelivery(api, one)
    // 97 + 3 is 100 as well.
    expect(scoreCountsOf(one)).toEqual([2, 1, 1])

    await save({ late_penalty: null, adjustment: null }, 2)
    await expect.poll(() => gradebookOf(one)).toEqual([16, 19.4, 20])
    await waitForScoreDelivery(api, one)
    expect(scoreCountsOf(one)).toEqual([3, 2, 1])
    const papers = await SubmissionModel.find({ assignment_id: one.assignmentId }).sort({ _id: 1 }).lean()
    expect(papers.map(({ grade }) => grade?.manual_score_override)).toEqual([80, 97, 100])
  })
