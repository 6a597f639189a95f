import { previewDeletion } from '@assay/shared/assignments.ts'
import { checkLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { describe, expect, it } from 'vitest'
import { SCOPE } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiLedgerDueModel } from '../../../records/lti/score.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { gradebookOf, type LmsClass, scoreCountsOf, studentOf, useLmsClasses } from '../../../testing/lms-class.ts'
import { syncRoster } from '../../../testing/registered-lms.ts'

const { api, classOf } = useLmsClasses()

for (const kind of ['moodle', 'canvas'] as const) {
  it(`sends each student's score to ${kind} when the grades are published`, async () => {
    const one = await classOf(kind, { students: 12 })
    await one.publishAndDeliver()
    const papers = await SubmissionModel.find({ assignment_id: one.assignmentId }).sort({ _id: 1 }).lean()
    expect(gradebookOf(one)).toEqual(papers.map(({ grade }) => (grade?.overall_score ?? -1) / 5))
    expect(scoreCountsOf(one)).toEqual(Array(12).fill(1))
    const [first] = one.students
    expect(one.item.grades.get(first?.person.id ?? '')).toMatchObject({
      comment: 'Most of what was asked is there.',
      gradingProgress: 'FullyGraded',
      activityProgress: 'Completed',
    })
    const { links } = await one.scores()
    expect(links).toMatchObject([{ line_item: 'known', problem: null, counts: { sent: 12, waiting: 0, refused: 0 } }])
  })

  it(`sends an override to ${kind} again, and an approval that changes nothing not`, async () => {
    const one = await classOf(kind)
    await one.publishAndDeliver()
    const [first, second] = one.students
    if (!first || !second) throw new Error('two students')
    const before = gradebookOf(one)[1] ?? -1
    await one.override(first.submissionId, 82.5, 'Well argued.')
    await one.override(second.submissionId, before * 5)
    await expect.poll(() => gradebookOf(one)).toEqual([16.5, before])
    await one.waitForDelivery()
    expect(one.item.grades.get(first.person.id)?.comment).toBe('Well argued.')
    expect(scoreCountsOf(one)).toEqual([2, 1])
    expect(await one.scoreRows()).toMatchObject([
      { state: 'sent', recorded: { points: 16.5, maximum: 20 } },
      { state: 'sent' },
    ])
  })
}

it('sends no score while answers are left to grade by hand, and leaves the one that is there', async () => {
  const one = await classOf('moodle')
  const [first, second] = one.students
  const leave = (submissionId = 0) =>
    SubmissionModel.updateOne({ _id: submissionId }, { $set: { 'grade.unscored_points': 4, 'grade.released': false } })
  await leave(first?.submissionId)
  expect((await one.scores()).on_release).toBe(1)
  await one.publishAndDeliver()
  const [, sent] = gradebookOf(one)
  expect(scoreCountsOf(one)).toEqual([0, 1])
  await leave(second?.submissionId)
  await one.publish()
  await one.override(first?.submissionId ?? 0, 80)
  await expect.poll(() => gradebookOf(one)).toEqual([16, sent])
  await one.waitForDelivery()
  expect(scoreCountsOf(one)).toEqual([1, 1])
})

it('sends Canvas the time of the paper, and that a later score is no new attempt', async () => {
  const one = await classOf('canvas', { students: 1 })
  await one.publishAndDeliver()
  const [first] = one.students
  const paper = await SubmissionModel.findById(first?.submissionId).lean()
  await one.override(first?.submissionId ?? 0, 71, 'Most of what was asked is there.')
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
  const one = await classOf('moodle', { students: 1 })
  await one.publishAndDeliver()
  await one.override(one.students[0]?.submissionId ?? 0, 71, 'Most of what was asked is there.')
  await expect.poll(() => gradebookOf(one)).toEqual([14.2])
  expect(one.item.grades.get(one.students[0]?.person.id ?? '')?.comment).toBe('Most of what was asked is there.')
})

it('stays in the gradebook when its assignment is deleted, which is said before', async () => {
  const one = await classOf('moodle')
  await one.publishAndDeliver()
  const preview = await api.as(one.teacher).send(previewDeletion, { query: { ids: `${one.assignmentId}` } })
  expect(preview.body.validation_details.warnings).toContain('2 scores sent to the LMS will stay in its gradebook.')
})

describe('a score’s timestamp', () => {
  it('satisfies Moodle’s rule when the clocks differ: what is there is later than ours', async () => {
    const one = await classOf('moodle')
    await one.publishAndDeliver()
    const [first] = one.students
    const recorded = one.item.grades.get(first?.person.id ?? '')
    if (!first || !recorded) throw new Error('a grade')
    recorded.timestamp = new Date(Date.now() + 600_000)
    recorded.points = 3
    await one.override(first.submissionId, 90)
    await expect.poll(() => gradebookOf(one)[0]).toBe(18)
    await one.waitForDelivery()
    expect((await one.scoreRows())[0]?.state).toBe('sent')
    expect(one.lms.requestsTo('scores', first.person).map(({ status }) => status)).toEqual([200, 409, 200])
    await one.override(first.submissionId, 80)
    await expect.poll(() => gradebookOf(one)[0]).toBe(16)
  })

  it('satisfies Canvas’s rule too', async () => {
    const one = await classOf('canvas', { students: 1 })
    await one.publishAndDeliver()
    const [first] = one.students
    const recorded = one.item.grades.get(first?.person.id ?? '')
    if (!first || !recorded) throw new Error('a grade')
    // Canvas tells the time of its replies alone.
    const ahead = () => new Date(Date.now() + 600_000)
    one.lms.settings.clock = ahead
    recorded.timestamp = ahead()
    await one.override(first.submissionId, 90)
    await expect.poll(() => gradebookOf(one)[0]).toBe(18)
  })

  it('sends scores given within one second a second apart, in order, and ends with the last', async () => {
    const one = await classOf('moodle', { students: 1 })
    const [first] = one.students
    if (!first) throw new Error('a student')
    await one.publishAndDeliver()
    for (const percent of [10, 20, 30, 40]) {
      await one.override(first.submissionId, percent)
      await expect.poll(() => gradebookOf(one)[0], { interval: 20 }).toBe(percent / 5)
    }
    const stamps = one.item.accepted.map(({ body }) => Math.floor(Date.parse(String(body.timestamp)) / 1000))
    for (const [i, stamp] of stamps.entries()) if (i > 0) expect(stamp).toBeGreaterThan(stamps[i - 1] ?? 0)
    expect(one.lms.requestsTo('scores').every(({ status }) => status === 200)).toBe(true)
  })

  it('ends with the override’s value when one is made while the score is being sent', async () => {
    const one = await classOf('moodle', { students: 1 })
    const [first] = one.students
    if (!first) throw new Error('a student')
    const overridden = Promise.withResolvers<void>()
    one.lms.fail('scores', { before: () => overridden.promise })
    await one.publish()
    await expect.poll(() => one.lms.requestsTo('scores').length, { interval: 20 }).toBe(1)
    await one.override(first.submissionId, 55)
    await expect.poll(() => LtiLedgerDueModel.countDocuments({ _id: one.assignmentId })).toBe(0)
    overridden.resolve()
    await expect.poll(() => gradebookOf(one)[0]).toBe(11)
    await one.waitForDelivery()
    expect(scoreCountsOf(one)).toEqual([2])
  })
})

async function publishedClass() {
  const one = await classOf('moodle', { students: 3 })
  for (const [i, { submissionId }] of one.students.entries()) await one.override(submissionId, 50 + 5 * i)
  await one.publishAndDeliver()
  await api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
  await counts(one).toMatchObject({ in_gradebook: 3 })
  return one
}

const counts = (one: LmsClass) => expect.poll(async () => (await one.scores()).links[0]?.counts, { interval: 50 })

/** Moodle drops their grades without a word. */
const leave = ({ lms, course }: LmsClass, ...students: LmsClass['students']) => {
  for (const { person } of students) lms.unenrol(course, person)
}
const enrolAgain = ({ lms, course }: LmsClass, ...students: LmsClass['students']) => {
  for (const { person } of students) lms.enrol(course, person, 'Learner')
}

const sync = (one: LmsClass) => syncRoster({ courseId: one.courseId, teacher: api.as(one.teacher) })

async function sendsAnasAlone(one: LmsClass): Promise<void> {
  one.lms.overrideGrade(one.item, studentOf(one, 1).person, 18)
  await sync(one)
  await expect.poll(() => gradebookOf(one)).toEqual([10, 18, 12])
  await one.waitForDelivery()
  await api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
  await counts(one).toMatchObject({ sent: 3, in_gradebook: 2, different: 1, missing: 0 })
  expect(scoreCountsOf(one)).toEqual([2, 1, 1])
}

it('sends the scores again that the LMS has dropped when a roster sync finds them back, and nobody else’s', async () => {
  const one = await publishedClass()
  const [ana, ben] = [studentOf(one, 0), studentOf(one, 1)]
  leave(one, ana, ben)
  await sync(one)
  await counts(one).toMatchObject({ sent: 1, in_gradebook: 1, missing: 0, off: 2 })
  enrolAgain(one, ana, ben)
  await sendsAnasAlone(one)
})

it('sends them again when the student opens Assay first', async () => {
  const one = await publishedClass()
  const ana = studentOf(one, 0)
  leave(one, ana)
  await sync(one)
  enrolAgain(one, ana)
  await one.lms.launcher().go({ as: ana.person, link: one.link })
  await expect.poll(() => gradebookOf(one)).toEqual([10, 11, 12])
  expect(scoreCountsOf(one)).toEqual([2, 1, 1])
})

it('sends them again when a student was away between two syncs, but nothing that was set there', async () => {
  const one = await publishedClass()
  const [ana, ben] = [studentOf(one, 0), studentOf(one, 1)]
  leave(one, ana, ben)
  enrolAgain(one, ana, ben)
  await sendsAnasAlone(one)
})

it('sends a score that the LMS refused while its student was away, once a roster sync has found them there', async () => {
  const one = await publishedClass()
  const ana = studentOf(one, 0)
  leave(one, ana)
  await one.override(ana.submissionId, 80)
  await counts(one).toMatchObject({ sent: 2, refused: 1 })
  enrolAgain(one, ana)
  await sync(one)
  await expect.poll(() => gradebookOf(one)).toEqual([16, 11, 12])
  await one.waitForDelivery()
  expect(scoreCountsOf(one)).toEqual([2, 1, 1])
})

it('sends them again also where the LMS lets nobody read what it has', async () => {
  const one = await publishedClass()
  const ana = studentOf(one, 0)
  const ags_scopes = [SCOPE.lineItems, SCOPE.scores]
  await LtiContextModel.updateOne({ _id: one.context._id }, { $set: { ags_scopes } })
  leave(one, ana)
  await sync(one)
  expect(await LtiMemberModel.findById(`${one.context._id}/${ana.person.id}`).lean()).toMatchObject({
    status: 'suspended',
  })
  enrolAgain(one, ana)
  await sync(one)
  await expect.poll(() => scoreCountsOf(one)).toEqual([2, 1, 1])
})
