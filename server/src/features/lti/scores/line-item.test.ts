import { sendLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { describe, expect, it } from 'vitest'
import { SCOPE } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { gradebookOf, type LmsClass, scoreCountsOf, useLmsClasses } from '../../../testing/lms-class.ts'
import { linkAssignment, linkCourse } from '../../../testing/lti-records.ts'
import { lineItemServiceUrl } from './ags-request.ts'

const { api, lmsOf, classOf } = useLmsClasses()

const itemsOf = ({ lms, link }: LmsClass) => lms.lineItemsOf(link)
const storedUrl = async ({ ourLink }: LmsClass) =>
  (await LtiResourceLinkModel.findById(ourLink._id).lean())?.lineitem_url
const unnamed = ({ ourLink }: LmsClass) =>
  LtiResourceLinkModel.updateOne({ _id: ourLink._id }, { $set: { lineitem_url: null } })

it.each([
  ['https://lms.example/7/lineitem?type_id=1', 'https://lms.example/7/lineitem/scores?type_id=1'],
  ['https://lms.example/line_items/3', 'https://lms.example/line_items/3/scores'],
  ['https://lms.example/line_items/3/', 'https://lms.example/line_items/3/scores'],
])('puts /scores before the query: %s', (lineItem, scores) => {
  expect(lineItemServiceUrl(lineItem, 'scores').href).toBe(scores)
})

describe('the line item scores are sent to', () => {
  it('is found as the one bound to the link, where no launch has named it', async () => {
    for (const kind of ['moodle', 'canvas'] as const) {
      const one = await classOf(kind)
      await unnamed(one)
      expect((await one.scores()).links[0]?.line_item).toBe('none_yet')
      await one.publishAndDeliver()
      expect(scoreCountsOf(one)).toEqual([1, 1])
      expect(itemsOf(one)).toHaveLength(1)
      expect(await storedUrl(one)).toBe(one.lms.lineItemUrl(one.item))
    }
  })

  it('stays the known one when a second line item is bound to the link and the claim is gone', async () => {
    const one = await classOf('moodle')
    await one.publishAndDeliver()
    const second = one.lms.addLineItem(one.course, { deployment: one.link.deployment, link: one.link })
    await one.override(one.students[0]?.submissionId ?? 0, 50)
    await expect.poll(() => gradebookOf(one)[0]).toBe(10)
    expect(second.accepted).toEqual([])
  })

  it('is created where there is none, once, with the assignment’s points and our name for it', async () => {
    for (const kind of ['moodle', 'canvas'] as const) {
      const one = await classOf(kind, { scoreMaximum: null })
      const criterion = { id: 'q1', text: '', points: 12.5, expected: '', alternatives: [] }
      const question = { id: 'q1', number: '1', prompt: '', kind: 'text' as const, criteria: [criterion], regions: [] }
      const rubric = { questions: [question, { ...question, id: 'q2' }], problems: [] }
      await AssignmentModel.updateOne({ _id: one.assignmentId }, { $set: { rubric } })
      await one.publishAndDeliver()
      const items = itemsOf(one)
      expect(items).toMatchObject([
        { label: 'Water and heat', scoreMaximum: 25, resourceId: `assay-assignment-${one.assignmentId}`, tag: 'assay' },
      ])
      expect(items[0]?.accepted).toHaveLength(2)
      expect((await one.scores()).links[0]?.line_item).toBe('known')
    }
  })

  it('is one of our name that is bound to no link, never another link’s', async () => {
    const one = await classOf('moodle', { scoreMaximum: null })
    const { deployment } = one.link
    const resourceId = `assay-assignment-${one.assignmentId}`
    const other = one.lms.addLink(one.course, { deployment })
    const theirs = one.lms.addLineItem(one.course, { deployment, resourceId, link: other })
    const loose = one.lms.addLineItem(one.course, { deployment, resourceId, scoreMaximum: 50 })
    await one.publishAndDeliver()
    expect(theirs.accepted).toEqual([])
    expect(loose.accepted).toHaveLength(2)
  })

  it('is reported as missing, with what to do, where the LMS has none and allows none, and is used once it exists', async () => {
    const one = await classOf('moodle', { scoreMaximum: null })
    await LtiContextModel.updateOne(
      { _id: one.context._id },
      { $set: { ags_scopes: [SCOPE.lineItemsRead, SCOPE.results, SCOPE.scores] } },
    )
    await one.publishAndDeliver()
    const [link] = (await one.scores()).links
    expect(link).toMatchObject({ line_item: 'missing', counts: { refused: 2 } })
    expect(link?.problem).toMatch(/has no gradebook column for this assignment, and Assay may not create one/)
    expect(itemsOf(one)).toEqual([])
    const item = one.lms.addLineItem(one.course, { deployment: one.link.deployment, link: one.link })
    await api.as(one.teacher).send(sendLmsScores, { params: { assignmentId: one.assignmentId } })
    await expect.poll(() => item.accepted.length).toBe(2)
  })

  it('is rejected outside the gradebook’s address: nothing is sent there, our token least of all', async () => {
    const one = await classOf('canvas', { scoreMaximum: null })
    const elsewhere = await lmsOf('canvas')
    const resourceId = `assay-assignment-${one.assignmentId}`
    const id = `${elsewhere.url}/api/lti/courses/1/line_items/1`
    const foreign = { id, label: 'Quiz', scoreMaximum: 10, resourceId, resourceLinkId: one.link.id }
    const ofPost = ({ method }: { method: string }) => method === 'POST'
    one.lms.fail('lineItems', { status: 201, body: foreign, times: Infinity, when: ofPost })
    one.lms.fail('lineItems', { status: 200, body: [foreign], times: Infinity })
    await one.publishAndDeliver()
    expect((await one.scores()).links[0]?.problem).toMatch(/created the column at 127\.0\.0\.1:\d+ instead of/)
    expect(elsewhere.requestLog.requests).toEqual([])
    expect(await storedUrl(one)).toBeNull()
  })

  it('says so where the LMS lets no scores be sent', async () => {
    const one = await classOf('canvas')
    await LtiContextModel.updateOne({ _id: one.context._id }, { $set: { ags_scopes: [SCOPE.lineItems] } })
    await one.publishAndDeliver()
    const [link] = (await one.scores()).links
    expect(link?.problem).toMatch(/^Canvas does not let Assay send scores for this course\. Turn on grades/)
  })

  it('gets points of 100 where its maximum may not be read', async () => {
    const one = await classOf('moodle', { scoreMaximum: 30 })
    await LtiContextModel.updateOne({ _id: one.context._id }, { $set: { ags_scopes: [SCOPE.scores] } })
    await one.override(one.students[0]?.submissionId ?? 0, 50)
    await one.publishAndDeliver()
    expect(gradebookOf(one)[0]).toBe(15)
    expect(one.item.accepted[0]?.body).toMatchObject({ scoreMaximum: 100 })
  })

  it('is created again after it was deleted, once, and gets all of its scores', async () => {
    const one = await classOf('moodle')
    await one.publishAndDeliver()
    one.lms.lineItems.delete(one.item.id)
    await one.override(one.students[0]?.submissionId ?? 0, 40)
    await expect.poll(() => itemsOf(one)[0]?.grades.size).toBe(2)
    await one.waitForDelivery()
    expect(itemsOf(one)).toHaveLength(1)
    expect(itemsOf(one)[0]?.accepted).toHaveLength(2)
    expect(one.lms.requestsTo('lineItems').filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('is created again when it is deleted while scores are being sent', async () => {
    const one = await classOf('canvas', { students: 12 })
    let seen = 0
    one.lms.fail('scores', {
      status: 404,
      body: { errors: { type: 'not_found', message: 'The specified resource does not exist.' } },
      times: 12,
      when: () => {
        seen += 1
        if (seen === 1) one.lms.lineItems.delete(one.item.id)
        return !one.lms.lineItems.has(one.item.id) && one.lms.lineItemsOf(one.link).length === 0
      },
    })
    await one.publish()
    await expect.poll(() => itemsOf(one)[0]?.grades.size).toBe(12)
    await one.waitForDelivery()
    expect(itemsOf(one)).toHaveLength(1)
  })
})

it('sends each student’s score to the line item of their section, and to both for students of two sections', async () => {
  const one = await classOf('moodle')
  const { lms, platform, courseId, assignmentId } = one
  const [ana, ben] = one.students
  if (!ana || !ben) throw new Error('two students')
  const second = lms.addCourse({ title: 'Section B' })
  const context = await linkCourse(lms, platform, second, courseId)
  lms.enrol(second, ben.person, 'Learner')
  const member = await LtiMemberModel.findById(`${one.context._id}/${ben.person.id}`).lean()
  const there = { _id: `${context._id}/${ben.person.id}`, context: context._id }
  await LtiMemberModel.create({ ...member, ...there })
  const link = lms.addLink(second, { deployment: one.link.deployment, scoreMaximum: 10 })
  await linkAssignment(lms, context, link, assignmentId)
  const [item] = lms.lineItemsOf(link)
  await one.override(ben.submissionId, 70)
  await one.publishAndDeliver()
  expect(gradebookOf(one)).toEqual([expect.any(Number), 14])
  expect([...(item?.grades.keys() ?? [])]).toEqual([ben.person.id])
  expect(item?.grades.get(ben.person.id)?.points).toBe(7)
  const { links } = await one.scores()
  expect(links.map(({ course_title, counts }) => [course_title, counts.sent])).toEqual([
    [one.course.title, 2],
    ['Section B', 1],
  ])
})
