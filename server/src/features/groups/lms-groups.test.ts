import { updateAssignment } from '@assay/shared/assignments.ts'
import { listGroups, saveGroup, setException, takeGroups } from '@assay/shared/groups.ts'
import { expect, it } from 'vitest'
import { SCOPE } from '../../../../tests/fake-lms/lms-kinds.ts'
import { LtiContextModel } from '../../records/lti/context.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { gradebookOf, studentOf, useLmsClasses } from '../../testing/lms-class.ts'
import { toolOf } from '../../testing/lti-records.ts'

const { api, classOf } = useLmsClasses()

it('each member of a group has its score in the LMS, with their own exception', async () => {
  const one = await classOf('canvas', { students: 3 })
  const { teacher, assignmentId } = one
  const params = { assignmentId }
  const [ada, ben, cy] = [0, 1, 2].map((i) => studentOf(one, i))
  // Ben and Cy have none of their own.
  await SubmissionModel.deleteMany({ _id: { $in: [ben?.submissionId ?? 0, cy?.submissionId ?? 0] } })
  await api.as(teacher).send(updateAssignment, { params, body: { groups: { max: 3, by: 'teacher' } } })
  const student_ids = [ada, ben, cy].map((student) => student?.account._id ?? 0)
  await api.as(teacher).send(saveGroup, { params, body: { student_ids } })
  await one.publishAndDeliver()
  const [points] = gradebookOf(one)
  expect(gradebookOf(one)).toEqual([points, points, points])
  const exception = { points: -5, reason: 'Came late' }
  const at = { ...params, submissionId: ada?.submissionId ?? 0, studentId: cy?.account._id ?? 0 }
  // Of 100 points, where the column has 20.
  await api.as(teacher).send(setException, { params: at, body: { exception } })
  await expect.poll(() => gradebookOf(one)).toEqual([points, points, (points ?? 0) - 1])
})

it.each(['moodle', 'canvas'] as const)('takes the groups that %s tells, as far as they fit', async (kind) => {
  const one = await classOf(kind, { students: 4 })
  const { lms, course, context, platform, teacher, assignmentId } = one
  const params = { assignmentId }
  const [ada, ben, cy, dee] = one.students.map(({ person }) => person)
  if (!ada || !ben || !cy || !dee) throw new Error('four students')
  const offered = async () => (await api.as(teacher).send(listGroups, { params })).body.lms
  expect(await offered()).toBeNull()
  toolOf(lms, platform).scopes.push(SCOPE.groups)
  await LtiContextModel.updateOne(
    { _id: context._id },
    { $set: { groups_url: lms.groupsUrl(course, toolOf(lms, platform)) } },
  )
  expect(await offered()).toBe(platform.name)
  lms.addGroup(course, 'Red', [ada, ben])
  lms.addGroup(course, 'Blue', [cy, dee])
  lms.addGroup(course, 'Choir', [dee])
  await api.as(teacher).send(updateAssignment, { params, body: { groups: { max: 2, by: 'teacher' } } })
  const { status, body } = await api.as(teacher).send(takeGroups, { params, body: { csv: null } })
  expect([status, body.failures]).toEqual([200, [expect.stringContaining('in several groups')]])
  expect(body.groups.map(({ name, members }) => [name, members.length])).toEqual([
    ['Red', 2],
    ['Blue', 1],
  ])
})
