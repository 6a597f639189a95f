import { listMatches } from '@assay/shared/matches.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { getSubmission, getSubmissionFile, listSubmissions, splitPaper } from '@assay/shared/submissions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { AnswersModel } from '../../records/submissions/answers.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  buildStudent,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  waitForRun,
} from '../../testing/build-course.ts'
import { joinPapers } from '../../testing/join-papers.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

async function buildSharedFile() {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const grace = await buildStudent(courseId, { full_name: 'Grace Hopper' })
  const edsger = await buildStudent(courseId, { full_name: 'Edsger Dijkstra' })
  const papers = ['Grace Hopper', 'Edsger Dijkstra'].map((full_name) => drawPaper({ full_name }, correctAnswers))
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: 'scan.pdf', bytes: await joinPapers(await Promise.all(papers)) },
  ])
  const [submissionId = 0] = submissionIds
  const ids = { assignmentId, submissionId }
  return { instructor, teacher: api.as(instructor), grace, edsger, assignmentId, ids }
}

it('makes two papers of a file with those of two students, and grades each for its own', async () => {
  const { instructor, teacher, grace, edsger, assignmentId, ids } = await buildSharedFile()
  await gradeAssignment(api, instructor, assignmentId)
  const held = (await teacher.send(getSubmission, { params: ids })).body
  expect([held.held, held.page_count, held.problems]).toMatchObject([
    true,
    2,
    [{ code: 'two_students', second_begins_on: 2 }],
  ])
  expect(await AnswersModel.countDocuments({ _id: ids.submissionId })).toBe(1)

  const split = await teacher.send(splitPaper, { params: ids, body: { second_begins_on: 2 } })
  expect(split.status).toBe(201)
  const { first, second } = split.body
  expect([first.id, first.held, second.student]).toEqual([ids.submissionId, undefined, null])
  expect(await AnswersModel.countDocuments({ _id: first.id })).toBe(0)
  for (const { id } of [first, second]) {
    const file = await teacher.send(getSubmissionFile, { params: { assignmentId, submissionId: id } })
    expect((await PDFDocument.load(file.bytes)).getPageCount()).toBe(1)
  }
  const run = await teacher.send(processAssignment, {
    params: { assignmentId },
    body: { submission_ids: [first.id, second.id] },
  })
  expect(await waitForRun(api, instructor, assignmentId, run.body.run_id)).toMatchObject({ graded: 2 })
  const rows = (await teacher.send(listSubmissions, { params: { assignmentId } })).body
  expect(rows.map(({ id, student, status }) => [id, student?.id, status])).toEqual([
    [first.id, grace.id, 'graded'],
    [second.id, edsger.id, 'graded'],
  ])
  expect((await teacher.send(listMatches, { params: { assignmentId } })).body).toEqual([])
  const audited = { action: 'submission.split', 'subject.submission_id': first.id }
  expect((await AuditModel.findOne(audited).lean())?.after).toEqual({
    second_submission_id: second.id,
    second_begins_on: 2,
  })
})

it('leaves a paper as it is where it cannot be split, and says why', async () => {
  const { instructor, teacher, assignmentId, ids } = await buildSharedFile()
  const split = (second_begins_on: number) => teacher.send(splitPaper, { params: ids, body: { second_begins_on } })
  expect((await split(1)).body).toMatchObject({ error_code: 'validation_failed' })
  const past = await split(3)
  expect([past.status, past.body]).toMatchObject([
    400,
    { message: 'This file has 2 pages: the second paper begins on page 2.' },
  ])
  const stranger = await api
    .as(await buildPerson('instructor'))
    .send(splitPaper, { params: ids, body: { second_begins_on: 2 } })
  expect(stranger.status).toBe(404)

  const before = await SubmissionModel.findById(ids.submissionId).lean()
  await SubmissionModel.updateOne({ _id: ids.submissionId }, { $set: { status: 'reading' } })
  const running = await split(2)
  expect([running.status, running.body]).toMatchObject([409, { message: expect.stringContaining('being graded') }])
  await SubmissionModel.updateOne({ _id: ids.submissionId }, { $set: { status: 'uploaded' } })
  expect(await SubmissionModel.findById(ids.submissionId).lean()).toMatchObject({ file: before?.file })

  const both = await Promise.all([split(2), split(2)])
  const [made = 0, told = 0] = both.map(({ status }) => status).sort()
  expect(made).toBe(201)
  // That the paper has just changed, or, where the other had been split by then, that it has one page.
  expect([400, 409]).toContain(told)
  expect(await SubmissionModel.countDocuments({ assignment_id: assignmentId })).toBe(2)

  await gradeAssignment(api, instructor, assignmentId)
  const graded = await split(2)
  expect([graded.status, graded.body]).toMatchObject([409, { message: expect.stringContaining('has a grade') }])
})
