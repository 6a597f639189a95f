import { publishAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { listRuns, processAssignment } from '@assay/shared/runs.ts'
import { listStudentAssignments } from '@assay/shared/students.ts'
import { deleteSubmission, getSubmission } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { RunModel } from '../../records/grading/run.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Person } from '../../testing/api.ts'
import {
  buildAssignment,
  buildCourse,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  waitForRun,
} from '../../testing/build-course.ts'
import { createPausedGrader } from '../../testing/paused-grader.ts'
import { useTestApi } from '../../testing/server.ts'
import { releaseGrades } from './release.service.ts'

/** Runs before the grader answers: a test may block there. */
let meanwhile: () => Promise<void> = async () => {}

const { api } = useTestApi({}, { grader: createPausedGrader(() => meanwhile()) })

async function buildOne({ graded = true } = {}) {
  const { instructor, students, courseId } = await buildCourse(api, { students: 1 })
  const student = students[0] as Person
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, [
    { name: `${student.username}.pdf`, bytes: await drawPaper({ full_name: 'Ada' }, correctAnswers) },
  ])
  const submissionId = submissionIds[0] ?? 0
  if (graded) await gradeAssignment(api, instructor, assignmentId)
  const ids = { assignmentId, submissionId }
  const grade = async () => (await api.as(instructor).send(getSubmission, { params: ids })).body.grade
  const override = async (score: number | null, revision?: number) => {
    const gradeId = (await grade())?.id ?? 0
    const body = {
      overall_score: score,
      human_review_notes: score === null ? null : `${score} it is`,
      revision,
    }
    return api.as(instructor).send(overrideGrade, { params: { ...ids, gradeId }, body })
  }
  const seen = async () => (await api.as(student).send(listStudentAssignments, { params: { courseId } })).body[0]
  return { instructor, student, courseId, ...ids, grade, override, seen }
}

describe('at the same time', () => {
  it('an override recorded while the paper is graded again is preserved', async () => {
    const { instructor, assignmentId, grade, override } = await buildOne()
    meanwhile = async () => {
      meanwhile = async () => {}
      expect((await override(42)).status).toBe(200)
    }
    await gradeAssignment(api, instructor, assignmentId, { force: true })
    expect(await grade()).toMatchObject({ manual_score_override: 42, manual_feedback: '42 it is' })
  })

  it('a decision on a grade that someone else has changed is a conflict, and changes nothing', async () => {
    const { grade, override } = await buildOne()
    const looked = (await grade())?.revision
    expect((await override(70, looked)).status).toBe(200)
    const late = await override(null, looked)
    expect(late).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    expect(await grade()).toMatchObject({ manual_score_override: 70, manual_feedback: '70 it is' })
    expect((await override(71, (await grade())?.revision)).status).toBe(200)
  })

  it('after two overrides the student sees the last one', async () => {
    const { instructor, assignmentId, grade, override, seen } = await buildOne()
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    for (let round = 0; round < 5; round++) {
      await Promise.all([override(10 + round), override(50 + round), override(90 - round)])
      const current = await grade()
      expect(current?.released).toBe(true)
      expect((await seen())?.overall_score).toBe(current?.manual_score_override)
    }
  })

  it('an older release does not replace a newer one', async () => {
    const { instructor, assignmentId, submissionId, override, seen } = await buildOne()
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    const stale = await SubmissionModel.findById(submissionId).lean()
    await override(55.5)
    if (!stale) throw new Error('a submission')
    await releaseGrades([stale], new Date())
    expect(await seen()).toMatchObject({ overall_score: 55.5, feedback_by: 'teacher' })
    expect(await ReleaseModel.countDocuments({ _id: submissionId })).toBe(1)
  })

  it('a regraded paper with an override still shows the student the teacher’s decision', async () => {
    const { instructor, assignmentId, override, seen } = await buildOne()
    await override(33)
    await gradeAssignment(api, instructor, assignmentId, { force: true })
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    expect(await seen()).toMatchObject({
      overall_score: 33,
      reviewed_by_teacher: true,
      feedback_by: 'teacher',
    })
  })

  it('a run ends when its last open paper is deleted', async () => {
    const { instructor, assignmentId, submissionId } = await buildOne({ graded: false })
    meanwhile = async () => {
      meanwhile = async () => {}
      await api.as(instructor).send(deleteSubmission, { params: { assignmentId, submissionId } })
    }
    const { body } = await api.as(instructor).send(processAssignment, { params: { assignmentId } })
    expect(await waitForRun(api, instructor, assignmentId, body.run_id)).toMatchObject({
      status: 'completed',
      graded: 0,
    })
  })

  it('a start that was interrupted before it locked the assignment shows no run', async () => {
    const { instructor, assignmentId } = await buildOne()
    const [run] = await RunModel.find({ assignment_id: assignmentId }).lean()
    await RunModel.create({ ...run, _id: 1_000_000 + assignmentId, status: 'preparing', finished_at: null })
    const runs = await api.as(instructor).send(listRuns, { params: { assignmentId } })
    expect(runs.body.map(({ id }) => id)).toEqual([run?._id])
  })
})
