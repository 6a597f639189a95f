import { listMatches } from '@assay/shared/matches.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import {
  countSubmissions,
  getSubmission,
  getSubmissionFile,
  gradeAnyway,
  listSubmissions,
  splitPaper,
} from '@assay/shared/submissions.ts'
import { PDFDocument } from 'pdf-lib'
import { expect, it } from 'vitest'
import { withoutPictureBytes } from '../../../../../tests/papers/change-pictures.ts'
import { simulateScan } from '../../../../../tests/papers/scan.ts'
import { AuditModel } from '../../../audit/audit.service.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { RunPaperModel } from '../../../records/grading/run.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { AnswersModel } from '../../../records/submissions/transcription.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  buildStudent,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  waitForRun,
} from '../../../testing/build-course.ts'
import { joinPapers } from '../../../testing/scanned-class.ts'
import { useTestApi } from '../../../testing/server.ts'
import { holdPapers } from '../../runs/run-papers.ts'

const { api, server } = useTestApi()

it('grades no paper that names another student or is another’s until a teacher has decided, and the others at once', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  await buildStudent(courseId, { full_name: 'Grace Hopper' })
  await buildStudent(courseId, { full_name: 'Edsger Dijkstra' })
  await buildStudent(courseId, { full_name: 'Alan Turing' })
  await buildStudent(courseId, { full_name: 'Ada Byron' })
  const shared = await drawPaper({ full_name: 'Nobody Inparticular' }, correctAnswers)
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: 'grace-hopper.pdf', bytes: await drawPaper({ full_name: 'Edsger Dijkstra' }, correctAnswers) },
    { name: 'alan-turing.pdf', bytes: shared },
    { name: 'ada-byron.pdf', bytes: shared },
    { name: 'edsger-dijkstra.pdf', bytes: await drawPaper({ full_name: 'Edsger Dijkstra' }, { ...correctAnswers }) },
  ])
  const [wrong = 0, original = 0, copy = 0, clean = 0] = submissionIds
  const teacher = api.as(instructor)
  const params = { assignmentId }
  await gradeAssignment(api, instructor, assignmentId)

  const list = async () => (await teacher.send(listSubmissions, { params })).body
  const stateOf = (rows: Awaited<ReturnType<typeof list>>) =>
    new Map(
      rows.map(({ id, status, held, problems }) => [id, [status, held ?? false, problems?.map(({ code }) => code)]]),
    )
  const before = stateOf(await list())
  expect(before.get(original)).toEqual(['uploaded', true, ['same_paper']])
  expect(before.get(copy)).toEqual(['uploaded', true, ['same_paper']])
  expect(before.get(wrong)?.[2]).toContain('other_name')
  expect(before.get(clean)).toEqual(['graded', false, undefined])
  const counts = async () => (await teacher.send(countSubmissions, { params })).body
  expect(await counts()).toMatchObject({ held: 3, graded: 1 })
  const held = await teacher.send(listSubmissions, { params, query: { status: 'held' } })
  expect(held.body.map(({ id }) => id)).toEqual([wrong, original, copy])

  const ids = { assignmentId, submissionId: original }
  expect((await teacher.send(gradeAnyway, { params: ids })).body).not.toHaveProperty('held')
  const run = await teacher.send(processAssignment, { params, body: { submission_ids: [original] } })
  expect(await waitForRun(api, instructor, assignmentId, run.body.run_id)).toMatchObject({ graded: 1 })
  expect((await teacher.send(getSubmission, { params: ids })).body).toMatchObject({ status: 'graded' })
  expect(await counts()).toMatchObject({ held: 2, graded: 2 })
  const audited = { action: 'submission.problems_decided', 'subject.submission_id': original }
  expect(await AuditModel.countDocuments(audited)).toBe(1)
})

it('holds no blank that two students handed in as it was', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  for (const full_name of ['Alan Turing', 'Ada Byron']) await buildStudent(courseId, { full_name })
  const bytes = await drawPaper({ full_name: '' }, ['', '', ''])
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [
    { name: 'alan-turing.pdf', bytes },
    { name: 'ada-byron.pdf', bytes },
  ])
  await gradeAssignment(api, instructor, assignmentId)
  const { body } = await api.as(instructor).send(listSubmissions, { params: { assignmentId } })
  expect(body.map(({ status }) => status)).toEqual(['graded', 'graded'])
})

it('compares with all papers of the assignment, also when it was interrupted or the twin has its grade', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  for (const full_name of ['Alan Turing', 'Ada Byron']) await buildStudent(courseId, { full_name })
  const long = [`${correctAnswers[0]} So a piece of ice takes more room than it did.`, ...correctAnswers.slice(1)]
  const bytes = await drawPaper({ full_name: 'Nobody Inparticular' }, long)
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: 'alan-turing.pdf', bytes },
    { name: 'ada-byron.pdf', bytes: Buffer.concat([bytes, Buffer.from('\n% saved again\n')]) },
  ])
  const [original = 0] = submissionIds
  await gradeAssignment(api, instructor, assignmentId)
  const states = async () => {
    const rows = await SubmissionModel.find({ assignment_id: assignmentId }).sort({ _id: 1 }).lean()
    return rows.map(({ status, held, problems }) => [status, held ?? false, problems?.map(({ code }) => code)])
  }
  const held = ['uploaded', true, ['same_paper']]
  expect(await states()).toEqual([held, held])

  // The step then ends half-way through the first paper.
  await SubmissionModel.updateMany(
    { assignment_id: assignmentId },
    { $set: { status: 'reading' }, $unset: { held: '', problems: '' } },
  )
  const papers = { submission_id: { $in: submissionIds } }
  await RunPaperModel.updateMany(papers, { $set: { state: 'read' } })
  const runId = (await RunPaperModel.findOne(papers).lean())?.run_id ?? 0
  const assignment = await AssignmentModel.findById(assignmentId).lean()
  if (!assignment) throw new Error('it was just made')
  const { services } = server.running
  let asked = 0
  const now = () => {
    if (++asked > 1) throw new Error('the process ends')
    return services.clock.now()
  }
  await expect(holdPapers(runId, assignment, { ...services, clock: { ...services.clock, now } })).rejects.toThrow(
    'the process ends',
  )
  await holdPapers(runId, assignment, services)
  expect(await states()).toEqual([held, held])
  expect(await RunPaperModel.countDocuments({ ...papers, state: 'held' })).toBe(2)

  await api.as(instructor).send(gradeAnyway, { params: { assignmentId, submissionId: original } })
  await gradeAssignment(api, instructor, assignmentId, { submission_ids: [original] })
  await gradeAssignment(api, instructor, assignmentId)
  expect((await SubmissionModel.findById(original).lean())?.status).toBe('graded')
  expect((await states())[1]).toEqual(held)
})

it('says of a page whose picture is damaged that it was not read, and gives no points and no nought for it', async () => {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const scan = await simulateScan(await drawPaper({ full_name: 'Ada Byron' }, correctAnswers), { seed: 3 })
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: 'whole.pdf', bytes: await withoutPictureBytes(scan, 1) },
    {
      name: 'second page.pdf',
      bytes: await joinPapers([
        await drawPaper({ full_name: 'Alan Turing' }, correctAnswers),
        await withoutPictureBytes(scan, 1),
      ]),
    },
  ])
  await gradeAssignment(api, instructor, assignmentId)
  const [whole, second] = await Promise.all(
    submissionIds.map(async (submissionId) => {
      const found = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
      return found.body
    }),
  )
  expect([whole?.held, whole?.needs_review]).toEqual([undefined, true])
  expect(whole?.grade?.criterion_grades_collection.map(({ score }) => score)).toEqual([null, null, null])
  expect(JSON.stringify(whole?.grade)).toContain('A part of page 1 could not be read')
  expect(JSON.stringify(whole?.grade)).not.toContain('Nothing written')
  expect(second?.unscored_points).toBe(0)
  expect(JSON.stringify(second?.grade)).toContain('A part of page 2 could not be read')
})

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
  expect([400, 409]).toContain(told)
  expect(await SubmissionModel.countDocuments({ assignment_id: assignmentId })).toBe(2)

  await gradeAssignment(api, instructor, assignmentId)
  const graded = await split(2)
  expect([graded.status, graded.body]).toMatchObject([409, { message: expect.stringContaining('has a grade') }])
})
