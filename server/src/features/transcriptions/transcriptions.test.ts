import { publishAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { deleteSubmission, getSubmission, listSubmissions } from '@assay/shared/submissions.ts'
import { correctAnswer, getTranscription } from '@assay/shared/transcriptions.ts'
import { expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { GradeDetailsModel, ReleaseModel } from '../../records/grading/grade.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { AnswersModel, TranscriptionModel } from '../../records/submissions/transcription.model.ts'
import { buildGraded, correctAnswers, gradeAssignment, weakAnswers } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi()
const good = correctAnswers[0] ?? ''

/** Three graded; the first paper answers the first question poorly. */
async function buildClass(grade = true) {
  const answerSets = [weakAnswers, correctAnswers, correctAnswers]
  const { instructor, assignmentId, submissionIds } = await buildGraded(api, answerSets, {
    students: true,
    graded: grade,
  })
  const params = { assignmentId, submissionId: submissionIds[0] ?? 0 }
  return { instructor, params, ...steps(instructor, params) }
}

function steps(instructor: Person, params: { assignmentId: number; submissionId: number }) {
  const teacher = api.as(instructor)
  const transcription = async () => (await teacher.send(getTranscription, { params })).body
  return {
    teacher,
    transcription,
    submission: async () => (await teacher.send(getSubmission, { params })).body,
    correct: (questionId: string, text: string | null, revision = 0) =>
      teacher.send(correctAnswer, { params: { ...params, questionId }, body: { text, revision } }),
    settled: async (questionId: string) => {
      for (;;) {
        const answer = (await transcription()).answers.find((one) => one.question_id === questionId)
        if (answer && answer.scoring !== 'waiting') return answer
        await new Promise((resolve) => setTimeout(resolve, 30))
      }
    },
  }
}

it('shows the lines that were read with their places, and the answers they make', async () => {
  const { transcription } = await buildClass()
  const { read, pages, answers, model } = await transcription()
  expect([read, model, pages.length]).toEqual([true, null, 1])
  const line = pages[0]?.lines.find(({ text }) => text === weakAnswers[0])
  expect(line).toMatchObject({ source: 'text', confidence: 1, box: { width: expect.any(Number) } })
  expect(answers.map(({ number, text }) => [number, text])).toEqual([
    ['1', weakAnswers[0]],
    ['2', 'A'],
    ['3', '124'],
  ])
  expect(answers[0]).toMatchObject({
    read_text: weakAnswers[0],
    reading: 1,
    found: true,
    corrected: null,
    revision: 0,
    scoring: 'settled',
    evidence: [{ page: 1, quote: weakAnswers[0], box: line?.box }],
  })
})

it('has nothing to show or correct before the paper is read', async () => {
  const { transcription, correct } = await buildClass(false)
  expect(await transcription()).toMatchObject({ read: false, pages: [], answers: [] })
  expect(await correct('q1', 'x')).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/Grade it first/) },
  })
})

it('scores by a correction that is not yet among the stored answers', async () => {
  const { correct, settled, submission, params } = await buildClass()
  const before = await submission()
  const { jobs } = server.running.services
  await jobs.stop()
  await correct('q1', good)
  const stored = await AnswersModel.findById(params.submissionId).lean()
  await AnswersModel.updateOne({ _id: params.submissionId }, { $set: { extracted: stored?.as_read, as_read: null } })
  await jobs.start()
  await settled('q1')
  const pointsOf = ({ grade }: typeof before) => grade?.criterion_grades_collection[0]?.score ?? 0
  expect(pointsOf(await submission())).toBeGreaterThan(pointsOf(before))
})

it('scores a corrected answer again, that one alone, and takes the correction back', async () => {
  const { correct, settled, submission, params } = await buildClass()
  const before = await submission()
  const saved = await correct('q1', good)
  expect(saved).toMatchObject({
    status: 200,
    body: {
      text: good,
      read_text: weakAnswers[0],
      reading: 1,
      revision: 1,
      scoring: expect.stringMatching(/^(waiting|settled)$/),
      corrected: { by: expect.any(String) },
    },
  })
  expect(await settled('q1')).toMatchObject({ scoring: 'settled', text: good, failure: null })
  const after = await submission()
  const scores = (one: typeof before) =>
    one.grade?.criterion_grades_collection.map(({ score }) => score ?? Number.NaN) ?? []
  expect(scores(after)[0]).toBeGreaterThan(scores(before)[0] ?? 99)
  expect(scores(after).slice(1)).toEqual(scores(before).slice(1))
  expect(after.overall_score).toBe(Math.round((scores(after).reduce((a, b) => a + b, 0) / 20) * 1000) / 10)
  expect(after.grade?.criterion_grades_collection[0]?.evidence[0]?.quote).toContain('lattice')
  expect(after.grade?.revision).toBe((before.grade?.revision ?? 0) + 1)
  expect(await GradeDetailsModel.countDocuments({ submission_id: params.submissionId })).toBe(2)

  expect((await correct('q1', null, 1)).body).toMatchObject({ text: weakAnswers[0], corrected: null, revision: 2 })
  await settled('q1')
  expect(scores(await submission())).toEqual(scores(before))
  const entries = await AuditModel.find({ 'subject.submission_id': params.submissionId }).sort({ _id: 1 }).lean()
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ['transcription.corrected', { question: 'q1', text: good }],
    ['transcription.taken_back', { question: 'q1', text: weakAnswers[0] }],
  ])
})

it('preserves the teacher’s override and what students see', async () => {
  const { instructor, params, teacher, correct, settled, submission } = await buildClass()
  const graded = await submission()
  await teacher.send(overrideGrade, {
    params: { ...params, gradeId: graded.grade?.id ?? 0 },
    body: { overall_score: 42, human_review_notes: 'My words' },
  })
  await api.as(instructor).send(publishAssignment, { params })
  const shown = await ReleaseModel.findById(params.submissionId).lean()
  expect(shown?.points).toEqual({ given: 8.4, of: 20 })
  await correct('q1', good)
  await settled('q1')
  const after = await submission()
  expect(after).toMatchObject({ final_score_after_review: 42, reviewed: true, released: false })
  expect(after.overall_score).toBeGreaterThan(graded.overall_score ?? 100)
  expect(after.grade).toMatchObject({ manual_feedback: 'My words', needs_review: false })
  expect(await ReleaseModel.findById(params.submissionId).lean()).toEqual(shown)
})

it('lets nobody write over a correction they have not seen, nor correct what is not there', async () => {
  const { correct, settled, transcription } = await buildClass()
  const both = await Promise.all([correct('q1', 'First'), correct('q1', 'Second')])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  await settled('q1')
  expect(await correct('q1', 'Third')).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/Someone else/) },
  })
  expect((await correct('q9', 'x')).status).toBe(404)
  expect((await correct('q2', 'x'.repeat(20_001))).status).toBe(422)
  await Promise.all([correct('q2', 'B'), correct('q3', '144')])
  await Promise.all([settled('q2'), settled('q3')])
  expect((await transcription()).answers.slice(1).map(({ text, scoring }) => [text, scoring])).toEqual([
    ['B', 'settled'],
    ['144', 'settled'],
  ])
})

it('says why an answer is not scored again, and stores the correction', async () => {
  const { params, correct, settled, submission } = await buildClass()
  await AssignmentModel.updateOne({ _id: params.assignmentId }, { $inc: { rubric_version: 1 } })
  const before = await submission()
  await correct('q1', good)
  expect(await settled('q1')).toMatchObject({
    scoring: 'failed',
    text: good,
    failure: expect.stringMatching(/rubric has changed/),
  })
  expect((await submission()).grade).toEqual(before.grade)
})

it('outlives later runs', async () => {
  const { instructor, params, correct, settled, submission, transcription } = await buildClass()
  await correct('q1', good)
  await settled('q1')
  const corrected = await submission()
  await gradeAssignment(api, instructor, params.assignmentId, { force: true })
  expect((await transcription()).answers[0]).toMatchObject({ text: good, read_text: weakAnswers[0], revision: 1 })
  const again = await submission()
  expect(again.grade?.id).not.toBe(corrected.grade?.id)
  expect(again.overall_score).toBe(corrected.overall_score)
})

it('waits with it while the paper is being graded', async () => {
  const { params, correct, settled, submission } = await buildClass()
  const before = await submission()
  await SubmissionModel.updateOne({ _id: params.submissionId }, { $set: { status: 'grading' } })
  await correct('q1', good)
  await SubmissionModel.updateOne({ _id: params.submissionId }, { $set: { status: 'graded' } })
  expect((await settled('q1')).scoring).toBe('settled')
  expect((await submission()).overall_score).toBeGreaterThan(before.overall_score ?? 100)
})

it('goes with its submission', async () => {
  const { params, teacher, correct } = await buildClass()
  await correct('q1', good)
  await teacher.send(deleteSubmission, { params })
  expect(await TranscriptionModel.countDocuments({ submission_id: params.submissionId })).toBe(0)
  expect(await AnswersModel.exists({ _id: params.submissionId })).toBeNull()
  expect((await teacher.send(listSubmissions, { params })).body).toHaveLength(2)
})
