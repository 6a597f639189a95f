import { deleteAssignment, unpublishAssignment } from '@assay/shared/assignments.ts'
import { deactivatePlatform, reactivatePlatform } from '@assay/shared/lti/lti-platforms.ts'
import { sendLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { setSubmissionStudent } from '@assay/shared/matches.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { markContextScoresChanged } from '../../../records/lti/mark-scores-changed.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiLedgerDueModel, LtiScoreModel } from '../../../records/lti/score.model.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { buildManySubmissions } from '../../../testing/build-many-submissions.ts'
import { buildLmsClass, gradebookOf, type LmsClass, scoreCountsOf, useLmsClasses } from '../../../testing/lms-class.ts'
import { linkStudent, registerLms } from '../../../testing/lti-records.ts'
import { requireAssignment } from '../../assignments/assignment.service.ts'
import { releaseAll } from '../../grades/release.service.ts'
import { bindResourceLink } from '../contexts/resource-link.service.ts'
import { createPassbackWorker } from './passback-worker.ts'

const { api, server, lmsOf, classOf } = useLmsClasses()

const ledgerKept = ({ assignmentId }: LmsClass) =>
  expect.poll(() => LtiLedgerDueModel.countDocuments({ _id: assignmentId })).toBe(0)
const giveTo = async ({ teacher, assignmentId }: LmsClass, submissionId: number, student_id: number | null) => {
  const params = { assignmentId, submissionId }
  const given = await api.as(teacher).send(setSubmissionStudent, { params, body: { student_id } })
  expect(given.status).toBe(200)
}
const unpublish = ({ teacher, assignmentId }: LmsClass, body?: { clear_lms_scores: boolean }) =>
  api.as(teacher).send(unpublishAssignment, { params: { assignmentId }, ...(body ? { body } : {}) })

describe('what is sent', () => {
  it('is nothing before it is released, and later grades once they are', async () => {
    const one = await classOf()
    const [first] = one.students
    if (!first) throw new Error('a student')
    await one.override(first.submissionId, 45)
    await markContextScoresChanged(one.context._id)
    await ledgerKept(one)
    expect(await one.scoreRows()).toEqual([undefined, undefined])
    expect(await one.scores()).toMatchObject({ linked: true, on_release: 2 })
    await one.publishAndDeliver()
    const person = one.lms.addUser({ username: `late-${one.assignmentId}` })
    one.lms.enrol(one.course, person, 'Learner')
    const account = await linkStudent(one.platform, one.context, person)
    const studentIds = [{ id: account._id, username: account.username }]
    await buildManySubmissions(one.assignmentId, 1, { studentIds, graded: 1 })
    await markContextScoresChanged(one.context._id)
    await ledgerKept(one)
    expect(await one.scores()).toMatchObject({ on_release: 1, links: [{ counts: { sent: 2, waiting: 0 } }] })
    expect(one.item.grades.get(person.id)).toBeUndefined()
    await one.publish()
    await expect.poll(() => one.item.grades.has(person.id)).toBe(true)
    expect(scoreCountsOf(one)).toEqual([1, 1])
  })

  it('is nothing for a test student, and says so', async () => {
    const one = await classOf()
    const person = one.lms.addTestStudent(one.course)
    person.username = `test-${one.assignmentId}`
    const account = await linkStudent(one.platform, one.context, person)
    const studentIds = [{ id: account._id, username: account.username }]
    await buildManySubmissions(one.assignmentId, 1, { studentIds, graded: 1 })
    await one.publishAndDeliver()
    expect(await one.scores()).toMatchObject({ unknown_students: 0, links: [{ counts: { sent: 2, off: 1 } }] })
    expect(one.lms.requestsTo('scores', person)).toEqual([])
  })

  it('follows a link bound after publishing, and a student listed later', async () => {
    const one = await classOf()
    await LtiResourceLinkModel.updateOne({ _id: one.ourLink._id }, { $set: { assignment_id: null } })
    const [stranger] = await buildManySubmissions(one.assignmentId, 1, { graded: 1 })
    await one.publish()
    expect(await one.scores()).toMatchObject({ linked: false, links: [], unknown_students: 0, on_release: 0 })
    await bindResourceLink({ ...one.ourLink, assignment_id: null }, one.assignmentId)
    await expect.poll(() => scoreCountsOf(one)).toEqual([1, 1])
    const person = one.lms.addUser({ username: `known-${one.assignmentId}` })
    one.lms.enrol(one.course, person, 'Learner')
    const unknown = { ...one.context, _id: 999_000 + one.assignmentId }
    const account = await linkStudent(one.platform, unknown, person)
    await giveTo(one, stranger ?? 0, account._id)
    await ledgerKept(one)
    expect(await one.scores()).toMatchObject({ unknown_students: 1 })
    expect(one.item.grades.has(person.id)).toBe(false)
    await LtiMemberModel.updateOne({ user_id: account._id }, { $set: { context: one.context._id } })
    await markContextScoresChanged(one.context._id)
    await expect.poll(() => one.item.grades.has(person.id)).toBe(true)
    expect(await one.scores()).toMatchObject({ unknown_students: 0 })
  })

  it('is recovered after a crash between the release and marking the ledger', async () => {
    const one = await classOf()
    const assignment = await requireAssignment(one.assignmentId)
    await one.publishAndDeliver()
    await one.override(one.students[0]?.submissionId ?? 0, 33)
    await ledgerKept(one)
    await one.waitForDelivery()
    await LtiScoreModel.deleteMany({ assignment_id: one.assignmentId })
    await releaseAll(assignment, new Date(), 'unreleased')
    const next = createPassbackWorker(server.running.services)
    await next.repeat()
    await next.stop()
    await one.waitForDelivery()
    expect((await one.scores()).links[0]?.counts.sent).toBe(2)
    expect(gradebookOf(one)[0]).toBe(6.6)
  })
})

describe('unpublishing', () => {
  it('leaves what the LMS has, unless requested, and sends nothing twice when published again', async () => {
    const one = await classOf()
    await one.publishAndDeliver()
    const before = gradebookOf(one)
    expect((await unpublish(one)).status).toBe(200)
    await ledgerKept(one)
    expect(gradebookOf(one)).toEqual(before)
    await one.publish()
    await ledgerKept(one)
    await one.waitForDelivery()
    expect(scoreCountsOf(one)).toEqual([1, 1])
  })

  it.each(['moodle', 'canvas'] as const)(
    'takes the scores out of %s when asked, and puts them back when published again',
    async (kind) => {
      const one = await classOf(kind)
      await one.publishAndDeliver()
      const before = gradebookOf(one)
      expect((await unpublish(one, { clear_lms_scores: true })).status).toBe(200)
      await expect.poll(() => gradebookOf(one)).toEqual([null, null])
      const wiped = one.item.accepted.at(-1)?.body
      expect(wiped).not.toHaveProperty('scoreGiven')
      await expect
        .poll(async () => (await one.scoreRows()).map((row) => [row?.cleared, row?.state, row?.recorded]))
        .toEqual([
          [true, 'sent', null],
          [true, 'sent', null],
        ])
      expect((await one.scores()).links[0]?.counts.sent).toBe(0)
      const log = await AuditModel.findOne({
        action: 'assignment.unpublished',
        'subject.assignment_id': one.assignmentId,
      }).lean()
      expect(log).toMatchObject({ actor_id: one.teacher.id, after: { clear_lms_scores: true } })
      await one.publish()
      await expect.poll(() => gradebookOf(one)).toEqual(before)
    },
  )

  it('cancels what has not been sent yet', async () => {
    const one = await classOf()
    const end = one.lms.fail('token', { status: 500, times: 1000 })
    await one.publish()
    // No sender is about to ask for a token.
    await expect.poll(async () => (await one.scores()).links[0]?.problem).toMatch(/denied access/)
    await unpublish(one)
    end()
    await expect.poll(() => LtiScoreModel.countDocuments({ link: one.ourLink._id })).toBe(0)
    expect(one.lms.requestsTo('scores')).toEqual([])
  })
})

it('moves a score to the student a paper is matched to, and clears it from the former one', async () => {
  const one = await classOf('moodle', { students: 3 })
  const [ana, ben, cleo] = one.students
  if (!ana || !ben || !cleo) throw new Error('three students')
  await one.override(ana.submissionId, 90)
  await one.override(ben.submissionId, 40)
  await one.publishAndDeliver()
  await giveTo(one, cleo.submissionId, null)
  await giveTo(one, ben.submissionId, cleo.account._id)
  await expect.poll(() => gradebookOf(one)).toEqual([18, null, 8])
  await one.waitForDelivery()
  expect(scoreCountsOf(one)[0]).toBe(1)
  expect(await one.scoreRows()).toMatchObject([
    { submission_id: ana.submissionId },
    { submission_id: null, cleared: true },
    { submission_id: ben.submissionId, cleared: false },
  ])
})

it('deletes the scores of a deleted assignment, and leaves those in the LMS', async () => {
  const [one, other] = [await classOf(), await classOf()]
  await one.publish()
  await other.publish()
  await one.waitForDelivery()
  await other.waitForDelivery()
  const before = gradebookOf(one)
  const params = { assignmentId: one.assignmentId }
  expect((await api.as(one.teacher).send(deleteAssignment, { params })).status).toBeLessThan(300)
  await ledgerKept(one)
  expect(await LtiScoreModel.countDocuments({ link: one.ourLink._id })).toBe(0)
  expect(await LtiResourceLinkModel.findById(one.ourLink._id).lean()).toMatchObject({ assignment_id: null })
  expect(gradebookOf(one)).toEqual(before)
  expect(await LtiScoreModel.countDocuments({ link: other.ourLink._id })).toBe(2)
})

describe('what delays scores', () => {
  it('is a platform that is deactivated: they wait, with a message, and are sent when it is reactivated', async () => {
    const someone = await buildPerson('admin')
    const [admin, lms] = [api.as(someone), await lmsOf('moodle')]
    const platform = await registerLms(server.running, lms, { platform: { approved_by: someone.id } })
    const one = await buildLmsClass(server, api, lms, { students: 2, platform })
    const params = { platformId: platform._id }
    expect((await admin.send(deactivatePlatform, { params })).body.status).toBe('off')
    await one.publish()
    await ledgerKept(one)
    const [link] = (await one.scores()).links
    expect(link).toMatchObject({ counts: { waiting: 2 }, problem: expect.stringMatching(/^Moodle is deactivated/) })
    expect((await one.scoreRows())[0]?.reason).toMatch(/deactivated/)
    expect(one.lms.requestsTo('token')).toEqual([])
    expect((await admin.send(reactivatePlatform, { params })).body.status).toBe('active')
    await expect.poll(() => scoreCountsOf(one)).toEqual([1, 1])
  })

  it('is a course that is no longer linked to ours', async () => {
    const one = await classOf()
    await LtiContextModel.updateOne({ _id: one.context._id }, { $set: { course_id: null } })
    await one.publish()
    await expect
      .poll(async () => (await one.scores()).links[0])
      .toMatchObject({ counts: { waiting: 2 }, problem: expect.stringMatching(/no longer linked/) })
    const queued = await api.as(one.teacher).send(sendLmsScores, { params: { assignmentId: one.assignmentId } })
    expect(queued.body.queued).toBe(0)
    expect(one.lms.requestsTo('scores')).toEqual([])
    await LtiContextModel.updateOne({ _id: one.context._id }, { $set: { course_id: one.courseId } })
    await markContextScoresChanged(one.context._id)
    await expect.poll(() => scoreCountsOf(one)).toEqual([1, 1])
  })

  it('is a student who has left the LMS’s course: their score stays as it is', async () => {
    const one = await classOf()
    await one.publishAndDeliver()
    const [gone] = one.students
    if (!gone) throw new Error('a student')
    await LtiMemberModel.updateOne({ _id: `${one.context._id}/${gone.person.id}` }, { $set: { status: 'suspended' } })
    await one.override(gone.submissionId, 12)
    await ledgerKept(one)
    expect(scoreCountsOf(one)).toEqual([1, 1])
    expect(await one.scoreRows()).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
    expect(await one.scores()).toMatchObject({ unknown_students: 1 })
  })
})
