import { getAssignment } from '@assay/shared/assignments.ts'
import { checkLmsScores, detachLmsLink, sendLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { buildLmsClass, gradebookOf, type LmsClass, useFakeLmss } from '../../../testing/lms-class.ts'
import { linkAssignment } from '../../../testing/lti-records.ts'
import { useTestApi } from '../../../testing/server.ts'
import { createPassbackWorker } from './passback-worker.ts'
import { readResults } from './read-results.ts'

const { api, server } = useTestApi()
const lmsOf = useFakeLmss()

async function publishedClass(kind: 'moodle' | 'canvas' = 'moodle') {
  const one = await buildLmsClass(server, api, await lmsOf(kind), { students: 2 })
  await one.publishAndDeliver()
  return one
}

const deleteActivity = ({ lms, link }: LmsClass) => lms.deleteLink(link)

const linkOf = async (one: LmsClass) => (await one.scores()).links[0]
const becomesGone = (one: LmsClass) =>
  expect
    .poll(() => linkOf(one))
    .toMatchObject({ gone_since: expect.stringMatching(/^20/), counts: { sent: 0, waiting: 0, sending: 0 } })
const check = (one: LmsClass) =>
  api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
async function noticeGone(one: LmsClass) {
  deleteActivity(one)
  await check(one)
  await becomesGone(one)
}
async function goneClass() {
  const one = await publishedClass()
  await noticeGone(one)
  return one
}

const detach = (one: LmsClass, linkId = one.ourLink._id) =>
  api.as(one.teacher).send(detachLmsLink, { params: { assignmentId: one.assignmentId, linkId } })

async function anHourLater() {
  const next = createPassbackWorker(server.running.services)
  await next.repeat()
  await next.stop()
}

describe('an activity that was deleted in the LMS', () => {
  it.each(['moodle', 'canvas'] as const)('is said to be gone from %s, and nothing is tried again', async (kind) => {
    const one = await publishedClass(kind)
    deleteActivity(one)
    await one.override(one.students[0]?.submissionId ?? 0, 40)
    await becomesGone(one)
    const link = await linkOf(one)
    expect(link).toMatchObject({ line_item: 'missing', counts: { sent: 0, refused: 2, waiting: 0 }, next_try_at: null })
    expect(link?.problem).toMatch(
      /no longer has a column for this activity, and refuses a new one: “Invalid LTI link id/,
    )
    one.lms.requestLog.clear()
    await anHourLater()
    await one.override(one.students[1]?.submissionId ?? 0, 70)
    await one.waitForDelivery()
    await expect.poll(() => LtiScoreModel.countDocuments({ link: one.ourLink._id, state: 'waiting' })).toBe(0)
    expect(one.lms.requestLog.requests).toEqual([])
  })

  it('is tried once more by Send again', async () => {
    const one = await goneClass()
    one.lms.links.set(one.link.id, one.link)
    await api.as(one.teacher).send(sendLmsScores, { params: { assignmentId: one.assignmentId } })
    await expect.poll(() => one.lms.lineItemsOf(one.link)[0]?.grades.size).toBe(2)
    await one.waitForDelivery()
    expect(await linkOf(one)).toMatchObject({ gone_since: null, counts: { sent: 2 } })
  })

  it('has no score that was accepted while another one was told that it is gone', async () => {
    const one = await publishedClass()
    const message = 'It is gone.'
    await LtiResourceLinkModel.updateOne({ _id: one.ourLink._id }, { $set: { gone: { at: new Date(), message } } })
    await LtiScoreModel.updateMany({ link: one.ourLink._id }, { $set: { check_at: new Date(0) } })
    const { services } = server.running
    await readResults(one.platform._id, { services, signal: new AbortController().signal, notify: () => {} })
    expect(await linkOf(one)).toMatchObject({ counts: { sent: 0, refused: 2, waiting: 0 } })
  })

  it('can be detached, which is recorded; one that is there cannot', async () => {
    const one = await publishedClass()
    expect((await detach(one)).status).toBe(409)
    await noticeGone(one)
    const reply = await detach(one)
    expect(reply).toMatchObject({ status: 200, body: { linked: false, links: [] } })
    await expect.poll(() => LtiScoreModel.countDocuments({ link: one.ourLink._id })).toBe(0)
    const opened = await api.as(one.teacher).send(getAssignment, { params: { assignmentId: one.assignmentId } })
    expect(opened.body.lms_names ?? []).toEqual([])
    const log = await AuditModel.findOne({
      action: 'lms_link.detached',
      'subject.assignment_id': one.assignmentId,
    }).lean()
    expect(log).toMatchObject({ actor_id: one.teacher.id, after: { link: one.ourLink._id, title: one.link.title } })
    expect((await detach(one)).status).toBe(404)
  })

  it('is attached again by a launch from it, and gets its scores', async () => {
    const one = await goneClass()
    await detach(one)
    await expect.poll(() => LtiScoreModel.countDocuments({ link: one.ourLink._id })).toBe(0)
    one.lms.links.set(one.link.id, one.link)
    const item = one.lms.addLineItem(one.course, { deployment: one.link.deployment, link: one.link, scoreMaximum: 20 })
    const student = one.students[0]?.person
    if (!student) throw new Error('a student')
    await one.lms.launcher().go({ as: student, link: one.link })
    await expect.poll(() => item.grades.size).toBe(2)
    expect(await LtiResourceLinkModel.findById(one.ourLink._id).lean()).toMatchObject({ gone: null, detached_at: null })
  })
})

describe('two activities of one assignment', () => {
  it('can be told apart, and only the one that is there has scores of students to show', async () => {
    const one = await publishedClass()
    const { lms, course, link, context, assignmentId } = one
    const copy = lms.addLink(course, { deployment: link.deployment, title: `${link.title} (copy)`, scoreMaximum: 10 })
    const ourCopy = await linkAssignment(lms, context, copy, assignmentId)
    await api.as(one.teacher).send(sendLmsScores, { params: { assignmentId } })
    await expect.poll(() => lms.lineItemsOf(copy)[0]?.grades.size).toBe(2)
    await one.waitForDelivery()
    expect((await one.scores()).links).toMatchObject([
      { link_title: link.title, counts: { sent: 2 } },
      { link_title: `${link.title} (copy)`, counts: { sent: 2 } },
    ])
    await noticeGone(one)
    await one.waitForDelivery()
    const rows = await one.scoreRows()
    expect(rows.map((row) => row?.link_id)).toEqual([ourCopy._id, ourCopy._id])
    expect(gradebookOf({ ...one, item: lms.lineItemsOf(copy)[0] ?? one.item })).toEqual([
      expect.any(Number),
      expect.any(Number),
    ])
    lms.requestLog.clear()
    await api.as(one.teacher).send(sendLmsScores, { params: { assignmentId } })
    await expect.poll(() => lms.requestsTo('scores').length).toBe(2)
    expect(lms.requestsTo('lineItems')).toEqual([])
  })
})
