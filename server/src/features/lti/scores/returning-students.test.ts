import { checkLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { expect, it } from 'vitest'
import { SCOPE } from '../../../../../tests/fake-lms/lti-constants.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { syncRoster } from '../../../testing/linked-course.ts'
import {
  buildLmsClass,
  gradebookOf,
  type LmsClass,
  override,
  publishAndDeliver,
  scoreCountsOf,
  scoresOf,
  waitForScoreDelivery,
} from '../../../testing/lms-class.ts'
import { useTestApi } from '../../../testing/server.ts'
import { useFakeLmss } from '../../../testing/use-fake-lmss.ts'

const { api, server } = useTestApi()
const lmsOf = useFakeLmss()

/** Three students, with 10, 11 and 12 of 20 points in the gradebook. */
async function publishedClass() {
  const one = await buildLmsClass(server, api, await lmsOf('moodle'), { students: 3 })
  for (const [i, { submissionId }] of one.students.entries()) await override(api, one, submissionId, 50 + 5 * i)
  await publishAndDeliver(api, one)
  await api.as(one.teacher).send(checkLmsScores, { params: { assignmentId: one.assignmentId } })
  await counts(one).toMatchObject({ in_gradebook: 3 })
  return one
}

const counts = (one: LmsClass) => expect.poll(async () => (await scoresOf(api, one)).links[0]?.counts, { interval: 50 })

const studentOf = ({ students }: LmsClass, i: number) => {
  const student = students[i]
  if (!student) throw new Error(`no student ${i}`)
  return student
}

/** Moodle drops the grades of who leaves, and says nothing of it. */
const leave = ({ lms, course }: LmsClass, ...students: LmsClass['students']) => {
  for (const { person } of students) lms.unenrol(course, person)
}
const enrolAgain = ({ lms, course }: LmsClass, ...students: LmsClass['students']) => {
  for (const { person } of students) lms.enrol(course, person, 'Learner')
}

const sync = (one: LmsClass) => syncRoster({ courseId: one.courseId, teacher: api.as(one.teacher) })

/** Sends Ana's score again and leaves Ben's, which somebody has entered in the LMS by hand. */
async function sendsAnasAlone(one: LmsClass): Promise<void> {
  one.lms.overrideGrade(one.item, studentOf(one, 1).person, 18)
  await sync(one)
  await expect.poll(() => gradebookOf(one)).toEqual([10, 18, 12])
  await waitForScoreDelivery(api, one)
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
  await override(api, one, ana.submissionId, 80)
  await counts(one).toMatchObject({ sent: 2, refused: 1 })
  enrolAgain(one, ana)
  await sync(one)
  await expect.poll(() => gradebookOf(one)).toEqual([16, 11, 12])
  await waitForScoreDelivery(api, one)
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
