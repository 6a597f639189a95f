import { eraseOwnAccount, eraseUser, previewErasure } from '@assay/shared/personal-data.ts'
import { beforeAll, expect, it } from 'vitest'
import { AuditModel } from '../../../audit/audit.service.ts'
import { nextId } from '../../../lib/database/database.ts'
import { JobModel } from '../../../lib/jobs/job.model.ts'
import { ReleaseModel } from '../../../records/grading/grade.model.ts'
import { RetainedGradeModel } from '../../../records/grading/retained-grade.model.ts'
import { RubricAmendmentModel } from '../../../records/grading/rubric-amendment.model.ts'
import { ErasureModel } from '../../../records/people/erasure.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { buildGradedStudents } from '../../../testing/graded-student.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { entriesAbout } from './erase-audit.ts'
import { steps } from './erase-person.ts'
import { storeErasure } from './erasures.ts'

const { api, server } = useTestApi()

let admin: Person
beforeAll(async () => {
  admin = await buildPerson('admin')
})

const erase = (who: Person) => api.as(who).send(eraseOwnAccount, { body: { password: who.password } })
const waitUntilErased = ({ id }: Person) =>
  expect.poll(async () => (await ErasureModel.findById(id).lean())?.state).toBe('done')

it.each([
  ['applying', 'own'],
  ['undoing', 'own'],
  ['undoing', 'classmate'],
] as const)('waits for a change of a rubric that is %s after a request: %s', async (state, whose) => {
  const { person, owner, assignmentId, paper, other } = await buildGradedStudents(api, server.running.services)
  const now = new Date()
  const asked = { actor: { id: owner.id, role: 'instructor', session_id: 'none' }, at: now, change_id: 1 }
  const [amendment] = await RubricAmendmentModel.create([
    {
      _id: await nextId('rubric_amendments'),
      assignment_id: assignmentId,
      regrade_id: 1,
      submission_id: whose === 'own' ? paper.submissionId : other.submissionId,
      question_id: 'q1',
      criterion_id: 'q1',
      kind: 'clarification',
      text: 'Ice swims',
      granted: 1,
      rubric_version: 1,
      state,
      answers: [{ submission_id: paper.submissionId }],
      unchanged: [],
      changed: [],
      created_by: owner.id,
      created_at: now,
      undo: { ...asked, restored: [] },
    },
  ])
  expect((await erase(person)).status).toBe(202)
  const job = () => JobModel.findOne({ name: 'erase-person', group: `erasure/${person.id}` }).lean()
  await expect.poll(async () => (await job())?.error).toMatch(/points are being changed/)
  expect(await SubmissionModel.exists({ _id: paper.submissionId })).not.toBeNull()
  await RubricAmendmentModel.updateOne({ _id: amendment?._id }, { $set: { state: 'undone' } })
  await server.running.services.jobs.expedite(`erasure/${person.id}`)
  await waitUntilErased(person)
  expect(await SubmissionModel.exists({ _id: paper.submissionId })).toBeNull()
})

it('keeps one score of two papers for an assignment: the one released last, which counts elsewhere', async () => {
  const { person, assignmentId, paper } = await buildGradedStudents(api, server.running.services)
  const release = await ReleaseModel.findById(paper.submissionId).lean()
  if (!release) throw new Error('a release')
  const later = new Date(release.released_at.getTime() + 1000)
  const second = { ...release, _id: paper.submissionId + 500_000, points: { given: 8, of: 20 }, released_at: later }
  await ReleaseModel.collection.insertOne(second as never)
  const { body } = await api.as(admin).send(previewErasure, { params: { userId: person.id } })
  expect(body.retained_grades).toBe(1)
  expect((await erase(person)).status).toBe(202)
  await waitUntilErased(person)
  const kept = await RetainedGradeModel.find({ assignment_id: assignmentId }).lean()
  expect(kept).toMatchObject([{ _id: second._id, final_score: 40 }])
  expect(await ReleaseModel.countDocuments({ student_id: person.id })).toBe(0)
})

it('counts nothing any more once it was asked for, says when it waits for files, and begins no second one', async () => {
  const { person } = await buildGradedStudents(api, server.running.services)
  const params = { userId: person.id }
  const preview = async () => (await api.as(admin).send(previewErasure, { params })).body
  expect(await preview()).toMatchObject({ papers: 1, retained_grades: 1, progress: null })
  const user = await UserModel.findById(person.id).lean()
  if (!user) throw new Error('the student')
  await storeErasure(user, [person.id], { id: admin.id, role: 'admin', sessionId: 'none' }, new Date())
  expect(await preview()).toMatchObject({ papers: 0, retained_grades: 0, progress: { done: 0, waiting: false } })
  await ErasureModel.updateOne({ _id: person.id }, { step: steps.length - 1 })
  expect((await preview()).progress).toMatchObject({ done: steps.length - 1, waiting: true })
  const merged = await buildPerson('student')
  await UserModel.updateOne({ _id: merged.id }, { joined_into: person.id })
  const body = { username: merged.username }
  const refused = await api.as(admin).send(eraseUser, { params: { userId: merged.id }, body })
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringMatching(/merged into another one/)])
  expect(await ErasureModel.exists({ _id: merged.id })).toBeNull()
})

it('finds entries of the audit log about a person by an index each', async () => {
  await AuditModel.init()
  const indexed = (await AuditModel.collection.indexes()).map(({ key }) => Object.keys(key)[0])
  const asked = entriesAbout({ account_ids: [1], submission_ids: [2] }).$or.map((one) => Object.keys(one)[0])
  expect(asked).toHaveLength(4)
  expect(indexed).toEqual(expect.arrayContaining(asked))
})
