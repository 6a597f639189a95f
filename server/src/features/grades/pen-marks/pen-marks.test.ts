import { randomUUID } from 'node:crypto'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { addPenMark, erasePenMark, MAX_PEN_MARKS, type PenMarkContent } from '@assay/shared/pen-marks.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { deleteSubmission, getSubmission } from '@assay/shared/submissions.ts'
import { expect, it } from 'vitest'
import { PenMarkModel } from '../../../records/submissions/pen-mark.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildStudent,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from '../../../testing/build-course.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()

const tick: PenMarkContent = { kind: 'tick', page: 1, colour: 'green', x: 90, y: 120, turn: 0 }

async function buildTwo() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const [ada, ben] = [await buildStudent(courseId), await buildStudent(courseId)]
  const files = await Promise.all(
    [ada, ben].map(async ({ username }) => ({
      name: `${username}.pdf`,
      bytes: await drawPaper({ full_name: username }, correctAnswers),
    })),
  )
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, files)
  const [adas = 0, bens = 0] = submissionIds
  const draw = (content: PenMarkContent, submissionId = adas, markId: string = randomUUID()) =>
    api.as(instructor).send(addPenMark, { params: { assignmentId, submissionId, markId }, body: content })
  const marksOf = async (submissionId: number) =>
    (await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })).body.pen_marks
  const seenBy = async (student: Person) =>
    (await api.as(student).send(getStudentAssignment, { params: { assignmentId } })).body.pen_marks
  const grade = () => gradeAssignment(api, instructor, assignmentId)
  return { instructor, ada, ben, assignmentId, adas, bens, draw, marksOf, seenBy, grade }
}

it('a pen mark is on its paper for every grader, told at once, and for its student once the grade is released', async () => {
  const { instructor, ada, ben, assignmentId, adas, bens, draw, marksOf, seenBy, grade } = await buildTwo()
  await grade()
  const told: number[] = []
  server.running.services.events.onLocal('submission_changed', ({ payload }) => told.push(payload.id))
  const drawn = await draw(tick)
  expect(drawn.body).toMatchObject({ ...tick, author: instructor.username })
  expect(told).toContain(adas)
  expect(await marksOf(adas)).toEqual([drawn.body])
  expect(await marksOf(bens)).toBeUndefined()
  await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
  expect(await seenBy(ada)).toEqual([{ ...drawn.body, author: null }])
  expect(await seenBy(ben)).toBeUndefined()
  await gradeAssignment(api, instructor, assignmentId, { force: true })
  expect(await marksOf(adas)).toEqual([drawn.body])
  const markId = drawn.body.id
  await api.as(instructor).send(erasePenMark, { params: { assignmentId, submissionId: bens, markId } })
  expect(await seenBy(ada)).toHaveLength(1)
  await api.as(instructor).send(erasePenMark, { params: { assignmentId, submissionId: adas, markId } })
  expect(await seenBy(ada)).toBeUndefined()
})

it('a student reads no pen marks before the grade is released', async () => {
  const { instructor, ada, assignmentId, draw, seenBy } = await buildTwo()
  await gradeAssignment(api, instructor, assignmentId)
  await api.as(instructor).send(publishAssignment, { params: { assignmentId }, body: { reviewed_only: true } })
  await draw(tick)
  expect(await seenBy(ada)).toBeUndefined()
})

it('pen marks go with the file they were drawn on, and with the paper', async () => {
  const { instructor, assignmentId, adas, draw, marksOf, grade } = await buildTwo()
  await grade()
  await draw(tick)
  const { file } = (await SubmissionModel.findById(adas).lean()) ?? {}
  await SubmissionModel.updateOne({ _id: adas }, { 'file.hash': 'another' })
  expect(await marksOf(adas)).toBeUndefined()
  await SubmissionModel.updateOne({ _id: adas }, { 'file.hash': file?.hash })
  expect(await marksOf(adas)).toHaveLength(1)
  await api.as(instructor).send(deleteSubmission, { params: { assignmentId, submissionId: adas } })
  expect(await PenMarkModel.countDocuments({ submission_id: adas })).toBe(0)
})

it('a pen mark sent twice is drawn once, and none is drawn twice, off the paper, before it was read, or without end', async () => {
  const { assignmentId, instructor, adas, bens, draw, marksOf, grade } = await buildTwo()
  expect((await draw(tick)).status).toBe(409)
  await grade()
  const markId = randomUUID()
  await Promise.all([draw(tick, adas, markId), draw(tick, adas, markId)])
  expect(await marksOf(adas)).toHaveLength(1)
  expect((await draw(tick, bens, markId)).status).toBe(409)
  expect((await draw({ ...tick, page: 30 })).status).toBe(404)
  expect((await draw({ kind: 'ink', page: 1, colour: 'red', points: [1, 2, 0.5, 3] })).status).toBe(422)
  const [stored] = await PenMarkModel.find({ submission_id: adas }).lean()
  const more = Array.from({ length: MAX_PEN_MARKS - 1 }, () => ({ ...stored, _id: randomUUID() }))
  await PenMarkModel.insertMany(more)
  const full = await draw(tick)
  expect(full.status).toBe(409)
  await api.as(instructor).send(erasePenMark, { params: { assignmentId, submissionId: adas, markId } })
  expect((await draw(tick)).status).toBe(200)
})
