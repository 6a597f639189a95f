import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { createAssignment, deleteAssignment } from '@assay/shared/assignments.ts'
import { deleteSubmission, listSubmissions, uploadSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it, vi } from 'vitest'
import { nextId } from '../../lib/database/database.ts'
import { sweepOrphans } from '../../maintenance/sweep-orphans.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { GradeDetailsModel, ReleaseModel } from '../../records/grading/grade.model.ts'
import { RunModel, RunPaperModel } from '../../records/grading/run.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { AnswersModel } from '../../records/submissions/transcription.model.ts'
import { buildAssignment, buildCourse, buildGraded, correctAnswers, quizFiles } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi()

const pdf = () => `%PDF-1.7\n% ${randomBytes(8).toString('hex')}\n`
const identifiers = async (instructor: Person, assignmentId: number) =>
  (await api.as(instructor).send(listSubmissions, { params: { assignmentId } })).body.map(
    (row) => row.student_identifier,
  )
const later = () => ({ ...server.running.services, clock: { now: () => new Date(Date.now() + 2 * 3600_000) } })

describe('an upload', () => {
  it('that fails halfway stores none of its papers', async () => {
    const { instructor, courseId } = await buildCourse(api)
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
      { name: 'first.pdf', bytes: pdf() },
    ])
    // The database rejects the second of three: its id is in use.
    const next = await nextId('submissions')
    const first = await SubmissionModel.findById(submissionIds[0]).lean()
    if (!first) throw new Error('no submission')
    await SubmissionModel.create({ ...first, _id: next + 2, assignment_id: 999_999, upload_key: 'x' })
    const failed = await api
      .as(instructor)
      .send(uploadSubmissions, {
        params: { assignmentId },
        files: { files: ['a', 'b', 'c'].map((name) => ({ name: `${name}.pdf`, bytes: pdf() })) },
      })
    expect(failed.status).toBe(500)
    expect(await identifiers(instructor, assignmentId)).toEqual(['first'])
    expect(await SubmissionModel.exists({ _id: next + 2 })).not.toBeNull()
  })

  it('to an assignment deleted during the upload is rejected, and nothing is stored', async () => {
    const { instructor } = await buildCourse(api)
    const { assignmentId } = await buildAssignment(api, { instructor }, [])
    const upload = await api.as(instructor).startUpload(uploadSubmission, { assignmentId })
    upload.body.write(pdf())
    await expect.poll(() => readdir(server.running.services.uploadFolder)).not.toEqual([])
    await api.as(instructor).send(deleteAssignment, { params: { assignmentId } })
    upload.finish()
    expect((await upload.reply).status).toBe(404)
    expect(await SubmissionModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
  })

  it('with an assignment that cannot be stored leaves no submissions', async () => {
    const { instructor } = await buildCourse(api)
    const { blank, key } = await quizFiles()
    const before = await SubmissionModel.countDocuments({})
    const full = vi.spyOn(AssignmentModel, 'create').mockRejectedValueOnce(new Error('disk full'))
    const failed = await api
      .as(instructor)
      .send(createAssignment, {
        body: { name: 'Quiz' },
        files: {
          blank_pdf: [blank],
          answer_key_pdf: [key],
          student_submission_pdfs: [{ name: 'a.pdf', bytes: pdf() }],
        },
      })
    full.mockRestore()
    expect(failed.status).toBe(500)
    expect(await SubmissionModel.countDocuments({})).toBe(before)
  })
})

describe('the same file', () => {
  it('is still one submission after it was matched by the name on the paper', async () => {
    const { instructor, courseId, students } = await buildCourse(api)
    const [ada, ben] = students
    if (!ada || !ben) throw new Error('two students')
    const bytes = pdf()
    const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
      { name: 'scan_0007.pdf', bytes },
    ])
    await SubmissionModel.updateOne(
      { _id: submissionIds[0] },
      { $set: { student_id: ada.id, student_identifier: ada.username } },
    )
    const upload = async (name: string) =>
      (
        await api
          .as(instructor)
          .send(uploadSubmission, { params: { assignmentId }, files: { file: [{ name, bytes }] } })
      ).body.id
    expect([await upload('scan_0007.pdf'), await upload(`${ada.username}.pdf`)]).toEqual([
      submissionIds[0],
      submissionIds[0],
    ])
    expect(await upload(`${ben.username}.pdf`)).not.toBe(submissionIds[0])
    expect(await identifiers(instructor, assignmentId)).toEqual([ada.username, ben.username])
  })

  it('uploaded several times at once is one submission', async () => {
    const { instructor, courseId, students } = await buildCourse(api)
    const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
    const [one, two] = [pdf(), pdf()]
    const name = students[0]?.username
    const replies = await Promise.all(
      [1, 2, 3, 4].map((i) =>
        api.as(instructor).send(uploadSubmissions, {
          params: { assignmentId },
          files: {
            files: [
              { name: `${name}-${i}.pdf`, bytes: one },
              { name: 'same.pdf', bytes: two },
            ],
          },
        }),
      ),
    )
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(replies.map(({ body }) => body.map(({ id }) => id).join())).size).toBe(1)
    expect((await identifiers(instructor, assignmentId)).sort()).toEqual([name, 'same'].sort())
  })
})

describe('an interrupted deletion', () => {
  const hanging = async (ids: number[]) =>
    (await ReleaseModel.countDocuments({ _id: { $in: ids } })) +
    (await GradeDetailsModel.countDocuments({ submission_id: { $in: ids } })) +
    (await AnswersModel.countDocuments({ _id: { $in: ids } }))

  it('leaves no submission without its grade, and the rest is swept', async () => {
    const { instructor, assignmentId, submissionIds } = await buildGraded(api, [correctAnswers, correctAnswers])
    const [gone = 0, remaining = 0] = submissionIds
    const killed = vi.spyOn(GradeDetailsModel, 'deleteMany').mockImplementationOnce(() => {
      throw new Error('killed')
    })
    const params = { assignmentId, submissionId: gone }
    expect((await api.as(instructor).send(deleteSubmission, { params })).status).toBe(500)
    killed.mockRestore()
    expect(await identifiers(instructor, assignmentId)).toEqual(['paper-1'])
    expect(await hanging([gone])).toBeGreaterThan(0)
    await sweepOrphans(server.running.services)
    expect(await hanging([gone])).toBe(0)
    expect(await hanging([remaining])).toBeGreaterThan(0)
  })

  it('of an assignment is completed by the sweep an hour later, with everything that belongs to its submissions', async () => {
    const { assignmentId, submissionIds } = await buildGraded(api, [correctAnswers, correctAnswers])
    const other = await buildGraded(api, [correctAnswers, correctAnswers])
    await AssignmentModel.deleteOne({ _id: assignmentId })
    await sweepOrphans(server.running.services)
    expect(await SubmissionModel.countDocuments({ assignment_id: assignmentId })).toBe(2)
    await sweepOrphans(later())
    expect(await SubmissionModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
    expect(await hanging(submissionIds)).toBe(0)
    expect(await RunModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
    expect(await RunPaperModel.countDocuments({ submission_id: { $in: submissionIds } })).toBe(0)
    expect(await RunModel.countDocuments({ assignment_id: other.assignmentId })).toBe(1)
    expect(await RunPaperModel.countDocuments({ submission_id: { $in: other.submissionIds } })).toBe(2)
    expect(await SubmissionModel.countDocuments({ assignment_id: other.assignmentId })).toBe(2)
    expect(await hanging(other.submissionIds)).toBeGreaterThan(0)
  })
})
