import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { adjustScore } from '@assay/shared/rules/adjust-score.ts'
import { percentOf, pointsFromPercent, roundPercent, roundPoints, sumPoints } from '@assay/shared/rules/points.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { setScoreRules } from '@assay/shared/score-rules.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { buildGraded, correctAnswers } from './testing/build-course.ts'
import { scoreCountsOf, useFakeLmss } from './testing/lms-class.ts'
import { countedPoints, expectPointsEverywhere, pointRules, quartersOf } from './testing/points-everywhere.ts'
import { useTestApi } from './testing/server.ts'

const { api, server } = useTestApi()
const lmsOf = useFakeLmss()
const LATE = { due_at: new Date(0), at: new Date(60_000), time_zone: 'UTC' }

it.each([37, 40, 100, 120, 200])('every quarter of %d points counts exactly, by each rule and overridden', (of) => {
  const given = quartersOf(of)
  for (const [rules, exact] of pointRules)
    expect(given.map((points) => adjustScore({ given: points, of }, rules, LATE).points.given)).toEqual(
      given.map((points) => countedPoints(exact(points, of), of)),
    )
  const thirds = given.map((points) => [roundPoints(points / 3), roundPoints(points - roundPoints(points / 3))])
  expect(thirds.map(sumPoints)).toEqual(given)
  const percents = Array.from({ length: 1001 }, (_, tenths) => tenths / 10)
  expect(percents.map((percent) => percentOf(pointsFromPercent(percent, of)))).toEqual(percents)
})

it('halves go up, whatever their binary form, and few points make a percentage by thousandths', () => {
  expect([1.005, 8.575, 25.345, 1.115].map(roundPoints)).toEqual([1.01, 8.58, 25.35, 1.12])
  expect([68.25, 89.95, 68.55].map(roundPercent)).toEqual([68.3, 90, 68.6])
  expect(pointsFromPercent(68.5, 1)).toEqual({ given: 0.685, of: 1 })
  expect(pointsFromPercent(68.25, 37)).toEqual({ given: 25.27, of: 37 })
})

it.each(['moodle', 'canvas'] as const)(
  'shows and exports the same points everywhere, and sends %s each that changes once',
  async (kind) => {
    const one = await expectPointsEverywhere([server, api, await lmsOf(kind)], 37, [25.25, 30.25, 0, 37], 1)
    // The third's comment, about suggested points, goes.
    expect(scoreCountsOf(one)).toEqual([7, 7, 4, 6])
  },
)

it('a bonus question comes on top of the total, as far as the teacher allows', async () => {
  const { teacher, params, submissionIds } = await buildGraded(api, [correctAnswers])
  const rubric = (await teacher.send(getRubric, { params })).body.rubric
  if (!rubric) throw new Error('it was graded by a rubric')
  const questions = rubric.questions.map((one, i) => (i === 1 ? { ...one, bonus: true as const } : one))
  await teacher.send(saveRubric, { params, body: { version: 1, rubric: { ...rubric, questions } } })
  await teacher.send(processAssignment, { params, body: { force: true } })
  const row = async () =>
    (await teacher.send(getSubmission, { params: { ...params, submissionId: submissionIds[0] ?? 0 } })).body
  await expect.poll(async () => (await row()).points).toEqual({ given: 20, of: 15 })
  expect(await row()).toMatchObject({ overall_score: 133.3 })
  const rules = { late_penalty: null, adjustment: null, bonus_limit: 1.5 }
  const saved = await teacher.send(setScoreRules, { params, body: { ...rules, version: 0 } })
  expect(saved.body).toMatchObject({ bonus_limit: 1.5, bonus_points: 5 })
  expect(await row()).toMatchObject({
    points: { given: 20 },
    adjusted: { points: { given: 16.5, of: 15 }, score: 110 },
  })
})
