import { createAssignment, deleteAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { getRun, listRuns, processAssignment, stopRun } from '@assay/shared/runs.ts'
import { deleteSubmission, getSubmission, listSubmissions, uploadSubmission } from '@assay/shared/submissions.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { JobModel } from '../../lib/jobs/job.model.ts'
import { PaperError } from '../../papers/paper-error.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { RunModel, RunPaperModel } from '../../records/grading/run.model.ts'
import { ReadingModel } from '../../records/submissions/reading.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import {
  buildAssignment,
  buildCourse,
  buildStudent,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  quizFiles,
  waitForRun,
  weakAnswers,
} from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { runGroup } from './run.service.ts'
import { onlyScansLeft } from './run-papers.ts'
import { readStep, stepRow } from './steps/run-steps.ts'

const { api, server } = useTestApi({ GRADING_CONCURRENCY: '2' })

const papers = async (count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => ({
      name: `paper-${i}.pdf`,
      bytes: await drawPaper({ full_name: `Student ${i}` }, i % 2 ? weakAnswers : correctAnswers),
    })),
  )

const rowsOf = async (instructor: Person, assignmentId: number) =>
  (await api.as(instructor).send(listSubmissions, { params: { assignmentId } })).body

describe('a run', () => {
  it('is refused while another one holds the assignment, and when there is nothing to grade', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId } = await buildAssignment(api, { instructor }, await papers(4))
    const start = () => api.as(instructor).send(processAssignment, { params: { assignmentId }, body: {} })
    const replies = await Promise.all([start(), start(), start()])
    expect(replies.map((reply) => reply.status).sort()).toEqual([202, 409, 409])
    const begun = replies.find((reply) => reply.status === 202)
    expect(begun?.body).toMatchObject({ message: 'Processing started successfully!', queued: 4 })
    await waitForRun(api, instructor, assignmentId, begun?.body.run_id ?? 0)
    expect(await start()).toMatchObject({ status: 409, body: { error_code: 'nothing_to_grade' } })
  })

  it('takes new uploads alone, and leaves the grades of the others as they were', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId } = await buildAssignment(api, { instructor }, await papers(3))
    await gradeAssignment(api, instructor, assignmentId)
    const before = await SubmissionModel.find({ assignment_id: assignmentId }).sort({ _id: 1 }).lean()
    const late = { name: 'late.pdf', bytes: await drawPaper({ full_name: 'Late' }, correctAnswers) }
    await api.as(instructor).send(uploadSubmission, { params: { assignmentId }, files: { file: [late] } })
    expect(await gradeAssignment(api, instructor, assignmentId)).toMatchObject({ total: 1, graded: 1 })
    const after = await SubmissionModel.find({ assignment_id: assignmentId }).sort({ _id: 1 }).lean()
    expect(after.slice(0, 3)).toEqual(before)
    expect(after[3]?.grade?.times_graded).toBe(1)
  })

  it('stops when asked: what is graded stays, the rest waits for the next run', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId } = await buildAssignment(api, { instructor }, await papers(12))
    const started = await api.as(instructor).send(processAssignment, { params: { assignmentId } })
    const params = { assignmentId, runId: started.body.run_id }
    await expect.poll(async () => (await api.as(instructor).send(getRun, { params })).body.read).toBeGreaterThan(1)
    const stopped = await api.as(instructor).send(stopRun, { params })
    expect(stopped.body).toMatchObject({ status: 'stopped', failed: 0 })
    expect(stopped.body.graded + stopped.body.stopped).toBe(12)
    const statuses = new Set((await rowsOf(instructor, assignmentId)).map((row) => row.status))
    expect([...statuses].every((status) => status === 'uploaded' || status === 'graded')).toBe(true)
    const graded = stopped.body.graded
    expect(await gradeAssignment(api, instructor, assignmentId)).toMatchObject({
      total: 12 - graded,
      graded: 12 - graded,
    })
    const stored = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
    expect(stored.map((submission) => submission.grade?.times_graded)).toEqual(stored.map(() => 1))
  })

  it('frees the papers of a run that ended while its process did', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, await papers(2))
    const run = await gradeAssignment(api, instructor, assignmentId)
    await RunModel.updateOne({ _id: run.id }, { $set: { status: 'stopped' } })
    await RunPaperModel.updateMany({ run_id: run.id }, { $set: { state: 'waiting' } })
    await SubmissionModel.updateOne({ _id: submissionIds[0] }, { $set: { status: 'reading' } })
    await SubmissionModel.updateOne({ _id: submissionIds[1] }, { $set: { status: 'queued', grade: null } })
    await server.running.grading.resume()
    expect((await rowsOf(instructor, assignmentId)).map((row) => row.status)).toEqual(['graded', 'uploaded'])
  })

  it('reports why a paper failed, goes on with the others, and grades it on retry', async () => {
    const { instructor } = await buildCourse(api)
    const [good] = await papers(1)
    if (!good) throw new Error('one paper')
    const cut = Buffer.from('%PDF-1.7 and then nothing of use')
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, [
      good,
      { name: 'cut.pdf', bytes: cut },
    ])
    expect(await gradeAssignment(api, instructor, assignmentId)).toMatchObject({
      status: 'completed',
      graded: 1,
      failed: 1,
    })
    const [, failed] = await rowsOf(instructor, assignmentId)
    expect(failed).toMatchObject({ status: 'failed', failure: { code: 'damaged' }, overall_score: null })
    expect(failed?.failure?.message).toMatch(/damaged.*upload/)

    const whole = (await SubmissionModel.findById(submissionIds[0]).lean())?.file
    await SubmissionModel.updateOne({ _id: submissionIds[1] }, { $set: { file: whole } })
    const retry = { submission_ids: [submissionIds[1] ?? 0] }
    expect(await gradeAssignment(api, instructor, assignmentId, retry)).toMatchObject({ total: 1, graded: 1 })
  })

  it('ends with a sentence for the teacher when the key cannot be read', async () => {
    const { instructor } = await buildCourse(api)
    const { blank } = await quizFiles()
    const made = await api
      .as(instructor)
      .send(createAssignment, {
        body: { name: 'Broken key' },
        files: {
          blank_pdf: [blank],
          answer_key_pdf: [{ name: 'key.pdf', bytes: '%PDF-1.4 cut' }],
          student_submission_pdfs: await papers(2),
        },
      })
    const assignmentId = made.body.id
    const run = await gradeAssignment(api, instructor, assignmentId)
    expect(run).toMatchObject({ status: 'failed', graded: 0 })
    expect(run.failure).toMatch(/^The answer key could not be read\. .*damaged/)
    const statuses = async () => (await rowsOf(instructor, assignmentId)).map((row) => row.status)
    await expect.poll(statuses).toEqual(['uploaded', 'uploaded'])
  })

  it('says so of each paper when the blank has to be read once more while it goes on, and cannot be', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId } = await buildAssignment(api, { instructor }, await papers(1))
    const assignment = await AssignmentModel.findById(assignmentId).lean()
    await gradeAssignment(api, instructor, assignmentId)
    const late = { name: 'late.pdf', bytes: await drawPaper({ full_name: 'Lea Late' }, weakAnswers) }
    await api.as(instructor).send(uploadSubmission, { params: { assignmentId }, files: { file: [late] } })
    const read = vi.spyOn(server.running.services.papers, 'read')
    onTestFinished(() => read.mockRestore())
    // As when a newer process replaces it.
    read.mockImplementationOnce(async () => {
      await ReadingModel.updateOne({ _id: assignment?.blank.hash }, { $set: { reader_version: 0 } })
      throw new Error('the process has ended')
    })
    read.mockRejectedValueOnce(new PaperError('too_long'))
    expect(await gradeAssignment(api, instructor, assignmentId)).toMatchObject({ status: 'completed', failed: 1 })
    const failure = (await rowsOf(instructor, assignmentId))[1]?.failure
    expect(failure?.message).toMatch(/^The blank assignment could not be read\. Reading this PDF took too long/)
    expect(read).toHaveBeenCalledTimes(2)
  })

  it('shows first scores of typed papers while a scan is being read, and keeps to what was approved of them', async () => {
    const { instructor } = await buildCourse(api)
    const scanned = { name: 'scan.pdf', bytes: await drawPaper({ full_name: 'Sue Scanner' }, correctAnswers) }
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, [...(await papers(3)), scanned])
    const scan = await SubmissionModel.findById(submissionIds[3]).lean()
    const { papers: reader } = server.running.services
    const { readTyped, read } = { ...reader }
    const isScan = (file: string) => file.includes(scan?.file.hash ?? 'no such paper')
    const isRead = Promise.withResolvers<void>()
    const spies = [
      vi
        .spyOn(reader, 'readTyped')
        .mockImplementation(async (file, options) => (isScan(file) ? null : readTyped(file, options))),
      vi.spyOn(reader, 'read').mockImplementation(async (file, options) => {
        if (isScan(file)) await isRead.promise
        return read(file, options)
      }),
    ]
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore()
    })
    const { body } = await api.as(instructor).send(processAssignment, { params: { assignmentId } })
    const run = async () =>
      (await api.as(instructor).send(getRun, { params: { assignmentId, runId: body.run_id } })).body
    const statuses = async () => (await rowsOf(instructor, assignmentId)).map(({ status }) => status)
    await expect.poll(statuses).toEqual(['graded', 'graded', 'graded', 'reading'])
    expect(await run()).toMatchObject({ status: 'reading', read: 3, graded: 0, suggesting: true })
    const gradeIds = async () =>
      (await SubmissionModel.find({ assignment_id: assignmentId }).sort({ _id: 1 }).lean()).map(
        ({ grade }) => grade?.id,
      )
    const first = await gradeIds()
    const params = { assignmentId, submissionId: submissionIds[0] ?? 0, gradeId: first[0] ?? 0 }
    const approval = { overall_score: null, human_review_notes: null }
    expect((await api.as(instructor).send(overrideGrade, { params, body: approval })).status).toBe(200)
    isRead.resolve()
    expect(await waitForRun(api, instructor, assignmentId, body.run_id)).toMatchObject({ graded: 4, failed: 0 })
    const last = await gradeIds()
    expect(last.map((id, i) => id === first[i])).toEqual([true, false, false, false])
    expect(await run()).not.toHaveProperty('suggesting')
    // Else a run whose last paper was just read would have all graded twice.
    expect(await onlyScansLeft(body.run_id)).toBe(false)
  })

  it('does without a paper that is deleted, or an assignment that is, while it goes on', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, await papers(12))
    const started = await api.as(instructor).send(processAssignment, { params: { assignmentId } })
    const submissionId = submissionIds[11] ?? 0
    await api.as(instructor).send(deleteSubmission, { params: { assignmentId, submissionId } })
    const run = await waitForRun(api, instructor, assignmentId, started.body.run_id)
    expect(run).toMatchObject({ status: 'completed', graded: 11, failed: 0 })

    const other = await buildAssignment(api, { instructor }, await papers(12))
    await api.as(instructor).send(processAssignment, { params: { assignmentId: other.assignmentId } })
    const gone = await api.as(instructor).send(deleteAssignment, { params: { assignmentId: other.assignmentId } })
    expect(gone.status).toBe(200)
    expect(await SubmissionModel.countDocuments({ assignment_id: other.assignmentId })).toBe(0)
    expect((await api.as(instructor).send(listRuns, { params: { assignmentId: other.assignmentId } })).status).toBe(404)
  })

  it('queues nothing more for an assignment whose deletion was interrupted', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor }, await papers(2))
    const run = await gradeAssignment(api, instructor, assignmentId)
    await RunModel.updateOne({ _id: run.id }, { $set: { status: 'reading' } })
    await RunPaperModel.updateMany({ run_id: run.id }, { $set: { state: 'waiting' } })
    await AssignmentModel.deleteOne({ _id: assignmentId })
    const rows = submissionIds.map((submissionId) => stepRow({ runId: run.id, submissionId }))
    const { jobs } = server.running.services
    await jobs.add(readStep.cpu, rows)
    const add = vi.spyOn(jobs, 'add')
    onTestFinished(() => add.mockRestore())
    await expect.poll(() => JobModel.countDocuments({ group: runGroup(run.id) })).toBe(0)
    expect(add.mock.calls.filter(([job]) => job.name === readStep.cpu.name)).toEqual([])
  })

  it('gives a paper to the student whose name is on it, when the file’s name says nothing', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const ada = await buildStudent(courseId, { full_name: 'Ada Byron Lovelace' })
    const bytes = await drawPaper({ full_name: 'Ada Byron Lovelace' }, correctAnswers)
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
      { name: 'scan_0007.pdf', bytes },
    ])
    await gradeAssignment(api, instructor, assignmentId)
    const params = { assignmentId, submissionId: submissionIds[0] ?? 0 }
    const { body } = await api.as(instructor).send(getSubmission, { params })
    expect(body).toMatchObject({ student_identifier: ada.username, student: { id: ada.id }, page_count: 1 })
  })
})
