import { expect, it } from 'vitest'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import {
  buildLmsClass,
  gradebookOf,
  override,
  publish,
  publishAndDeliver,
  scoreCountsOf,
  scoreRowsOf,
  scoresOf,
  waitForScoreDelivery,
} from '../../../testing/lms-class.ts'
import { useTestApi } from '../../../testing/server.ts'
import { useFakeLmss } from '../../../testing/use-fake-lmss.ts'

const { api, server } = useTestApi()
const lmsOf = useFakeLmss()

for (const kind of ['moodle', 'canvas'] as const) {
  it(`sends each student's score to ${kind} when the grades are published`, async () => {
    const one = await buildLmsClass(server, api, await lmsOf(kind), { students: 12 })
    await publishAndDeliver(api, one)
    const papers = await SubmissionModel.find({ assignment_id: one.assignmentId }).sort({ _id: 1 }).lean()
    expect(gradebookOf(one)).toEqual(papers.map(({ grade }) => (grade?.overall_score ?? -1) / 5))
    expect(scoreCountsOf(one)).toEqual(Array(12).fill(1))
    const [first] = one.students
    expect(one.item.grades.get(first?.person.id ?? '')).toMatchObject({
      comment: 'Most of what was asked is there.',
      gradingProgress: 'FullyGraded',
      activityProgress: 'Completed',
    })
    const { links } = await scoresOf(api, one)
    expect(links).toMatchObject([{ line_item: 'known', problem: null, counts: { sent: 12, waiting: 0, refused: 0 } }])
  })

  it(`sends an override to ${kind} again, and an approval that changes nothing not`, async () => {
    const one = await buildLmsClass(server, api, await lmsOf(kind), { students: 2 })
    await publishAndDeliver(api, one)
    const [first, second] = one.students
    if (!first || !second) throw new Error('two students')
    const before = gradebookOf(one)[1] ?? -1
    await override(api, one, first.submissionId, 82.5, 'Well argued.')
    await override(api, one, second.submissionId, before * 5)
    await expect.poll(() => gradebookOf(one)).toEqual([16.5, before])
    await waitForScoreDelivery(api, one)
    expect(one.item.grades.get(first.person.id)?.comment).toBe('Well argued.')
    expect(scoreCountsOf(one)).toEqual([2, 1])
    expect(await scoreRowsOf(api, one)).toMatchObject([
      { state: 'sent', recorded: { points: 16.5, maximum: 20 } },
      { state: 'sent' },
    ])
  })
}

it('sends no score while answers are left to grade by hand, and leaves the one that is there', async () => {
  const one = await buildLmsClass(server, api, await lmsOf('moodle'), { students: 2 })
  const [first, second] = one.students
  const leave = (submissionId = 0) =>
    SubmissionModel.updateOne({ _id: submissionId }, { $set: { 'grade.unscored_points': 4, 'grade.released': false } })
  await leave(first?.submissionId)
  expect((await scoresOf(api, one)).on_release).toBe(1)
  await publishAndDeliver(api, one)
  const [, sent] = gradebookOf(one)
  expect(scoreCountsOf(one)).toEqual([0, 1])
  await leave(second?.submissionId)
  await publish(api, one)
  await override(api, one, first?.submissionId ?? 0, 80)
  await expect.poll(() => gradebookOf(one)).toEqual([16, sent])
  await waitForScoreDelivery(api, one)
  expect(scoreCountsOf(one)).toEqual([1, 1])
})

it('sends Canvas the time of the paper, and that a later score is no new attempt', async () => {
  const one = await buildLmsClass(server, api, await lmsOf('canvas'), { students: 1 })
  await publishAndDeliver(api, one)
  const [first] = one.students
  const paper = await SubmissionModel.findById(first?.submissionId).lean()
  await override(api, one, first?.submissionId ?? 0, 71, 'Most of what was asked is there.')
  await expect.poll(() => gradebookOf(one)).toEqual([14.2])
  const bodies = one.item.accepted.map(({ body }) => body)
  const submission = 'https://canvas.instructure.com/lti/submission'
  expect(bodies.map((body) => body[submission])).toEqual([
    { new_submission: true, submitted_at: paper?.created_at.toISOString() },
    { new_submission: false },
  ])
  // Canvas would add the same comment again.
  expect(bodies.map((body) => body.comment)).toEqual(['Most of what was asked is there.', undefined])
})

it('sends Moodle the comment each time: left out, it would be erased', async () => {
  const one = await buildLmsClass(server, api, await lmsOf('moodle'), { students: 1 })
  await publishAndDeliver(api, one)
  await override(api, one, one.students[0]?.submissionId ?? 0, 71, 'Most of what was asked is there.')
  await expect.poll(() => gradebookOf(one)).toEqual([14.2])
  expect(one.item.grades.get(one.students[0]?.person.id ?? '')?.comment).toBe('Most of what was asked is there.')
})
