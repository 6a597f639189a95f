import { publishAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { setSubmissionStudent } from '@assay/shared/matches.ts'
import { MAX_HAND_IN_BYTES } from '@assay/shared/rules/limits.ts'
import { processAssignment } from '@assay/shared/runs.ts'
import { getAttemptFile, getStudentAssignment, handInPaper } from '@assay/shared/students.ts'
import { getSubmission, getSubmissionFile, listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { sweepFiles } from '../../maintenance/sweep-orphans.ts'
import { ReleaseModel } from '../../records/grading/grade.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { AnswersModel } from '../../records/submissions/transcription.model.ts'
import {
  buildAssignment,
  buildCourse,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  waitForRun,
  weakAnswers,
} from '../../testing/build-course.ts'
import { createPausedGrader } from '../../testing/paused-grader.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { releaseGrades } from '../grades/release.service.ts'

let meanwhile: () => Promise<void> = async () => {}

const { api, server } = useTestApi({}, { grader: createPausedGrader(() => meanwhile()) })

const paper = async (answers: string[], name = 'mine.pdf') => ({
  name,
  bytes: await drawPaper({ full_name: 'Someone' }, answers),
})

async function buildPublished({ uploaded = false } = {}) {
  const { instructor, students, courseId } = await buildCourse(api)
  const [student, classmate] = students as [Person, Person]
  const papers = uploaded ? [await paper(weakAnswers, `${student.username}.pdf`)] : []
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, papers)
  const params = { assignmentId }
  const publish = () => api.as(instructor).send(publishAssignment, { params })
  await publish()
  const handIn = async (answers: string[], name?: string, who = student) =>
    api.as(who).send(handInPaper, { params, body: {}, files: { file: [await paper(answers, name)] } })
  const seen = async (who = student) => (await api.as(who).send(getStudentAssignment, { params })).body
  const rows = async () => (await api.as(instructor).send(listSubmissions, { params })).body
  return { instructor, student, classmate, courseId, assignmentId, publish, handIn, seen, rows }
}

describe('handing in', () => {
  it('adds the paper to the student and the teacher’s list, and shows it to nobody else', async () => {
    const { student, classmate, handIn, seen, rows } = await buildPublished()
    const reply = await handIn(correctAnswers)
    expect(reply.status).toBe(201)
    expect(reply.body).toMatchObject({
      has_submission: true,
      is_graded: false,
      paper: { file_name: 'mine.pdf', handed_in_by: 'student' },
      earlier_attempts: [],
    })
    expect(await rows()).toMatchObject([
      { student: { id: student.id }, student_identifier: student.username, status: 'uploaded' },
    ])
    expect(await seen(classmate)).toMatchObject({ has_submission: false, paper: null })
  })

  it('replaces the first paper with a second, lists the first, and sends it on request', async () => {
    const { student, classmate, assignmentId, handIn, seen, rows } = await buildPublished()
    await handIn(weakAnswers, 'first.pdf')
    await handIn(correctAnswers, 'second.pdf')
    expect(await rows()).toHaveLength(1)
    expect(await seen()).toMatchObject({
      paper: { file_name: 'second.pdf' },
      earlier_attempts: [{ number: 1, file_name: 'first.pdf', handed_in_by: 'student', late: false }],
    })
    const params = { assignmentId, number: 1 }
    const earlier = await api.as(student).send(getAttemptFile, { params })
    expect([earlier.status, earlier.headers.get('content-disposition')]).toEqual([
      200,
      "attachment; filename*=UTF-8''first.pdf",
    ])
    expect((await api.as(classmate).send(getAttemptFile, { params })).status).toBe(404)
    const later = { clock: { now: () => new Date(Date.now() + 2 * 3_600_000) } }
    await sweepFiles({ ...server.running.services, ...later })
    expect((await api.as(student).send(getAttemptFile, { params })).status).toBe(200)
  })

  it('hides earlier papers from another student to whom the teacher assigns the last one', async () => {
    const { instructor, student, classmate, assignmentId, handIn, seen, rows } = await buildPublished()
    await handIn(weakAnswers, 'first.pdf')
    await handIn(correctAnswers, 'second.pdf')
    const params = { assignmentId, submissionId: (await rows())[0]?.id ?? 0 }
    await api.as(instructor).send(setSubmissionStudent, { params, body: { student_id: classmate.id } })
    expect(await seen(classmate)).toMatchObject({ paper: { file_name: 'second.pdf' }, earlier_attempts: [] })
    for (const who of [student, classmate]) {
      const first = await api.as(who).send(getAttemptFile, { params: { assignmentId, number: 1 } })
      expect(first.status).toBe(404)
    }
  })

  it('changes nothing when the same file is handed in again', async () => {
    const { handIn, seen } = await buildPublished()
    await handIn(correctAnswers)
    const before = await seen()
    expect((await handIn(correctAnswers)).status).toBe(201)
    expect(await seen()).toEqual(before)
  })

  it('leaves one submission when two papers are handed in at once, of which the one sent later counts', async () => {
    const { student, handIn, rows, seen } = await buildPublished()
    await api.as(student).token()
    const replies = await Promise.all([handIn(correctAnswers, 'a.pdf'), handIn(weakAnswers, 'b.pdf')])
    // The one that began first may be ready last: then it is refused.
    const stored = replies.filter(({ status }) => status === 201).length
    expect(stored + replies.filter(({ body }) => body.error_code === 'hand_in_refused').length).toBe(2)
    expect(await rows()).toHaveLength(1)
    expect((await seen()).earlier_attempts).toHaveLength(stored - 1)
  })

  it('replaces a paper the teacher uploaded, which stays listed', async () => {
    const { handIn, rows, seen } = await buildPublished({ uploaded: true })
    expect(await seen()).toMatchObject({ paper: { handed_in_by: 'teacher' } })
    await handIn(correctAnswers)
    expect(await rows()).toHaveLength(1)
    expect(await seen()).toMatchObject({
      paper: { handed_in_by: 'student' },
      earlier_attempts: [{ handed_in_by: 'teacher' }],
    })
  })

  it('rejects files that are not PDFs with a message, and preserves the stored paper', async () => {
    const { student, assignmentId, handIn, seen } = await buildPublished()
    await handIn(correctAnswers)
    const file = [{ name: 'essay.docx', bytes: 'PK no pdf' }]
    const refused = await api.as(student).send(handInPaper, { params: { assignmentId }, body: {}, files: { file } })
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'Some files were rejected: essay.docx: Only PDF files are allowed',
    ])
    const none = await api.as(student).send(handInPaper, { params: { assignmentId }, body: {} })
    expect([none.status, none.body.message]).toEqual([400, 'Please select files to upload'])
    expect(await seen()).toMatchObject({ paper: { file_name: 'mine.pdf' }, earlier_attempts: [] })
  })
})

describe('so that no student fills the disk', () => {
  it('ten papers an hour are taken, and the last one stays', async () => {
    const { student, classmate, handIn, seen } = await buildPublished()
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push((await handIn(i % 2 ? weakAnswers : correctAnswers, `${i}.pdf`)).status)
    expect(statuses).toEqual([...Array(10).fill(201), 429, 429])
    expect((await seen(student)).paper?.file_name).toBe('9.pdf')
    expect((await handIn(correctAnswers, 'theirs.pdf', classmate)).status).toBe(201)
  })

  it('all papers for an assignment take so much, and the last one stays', async () => {
    const { student, assignmentId, handIn, seen } = await buildPublished()
    await handIn(correctAnswers, 'first.pdf')
    await handIn(weakAnswers, 'second.pdf')
    await SubmissionModel.updateOne(
      { assignment_id: assignmentId, student_id: student.id },
      { $set: { 'attempts.0.file.size': MAX_HAND_IN_BYTES - 100 } },
    )
    const refused = await handIn(['a third paper'], 'third.pdf')
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Your papers for this assignment may take 200 MB together, earlier ones included. Hand in a smaller file, or ask your instructor. Your last paper is still there.',
    ])
    expect((await seen()).paper?.file_name).toBe('second.pdf')
    expect((await handIn(weakAnswers, 'second again.pdf')).status).toBe(201)
  })
})

describe('handing in again', () => {
  it('withdraws the grade of the earlier paper, so that it waits for a run', async () => {
    const { instructor, assignmentId, handIn, rows } = await buildPublished()
    await handIn(weakAnswers)
    await gradeAssignment(api, instructor, assignmentId)
    expect(await rows()).toMatchObject([{ status: 'graded', released: false }])
    await handIn(correctAnswers)
    expect(await rows()).toMatchObject([{ status: 'uploaded', overall_score: null }])
    await gradeAssignment(api, instructor, assignmentId)
    expect((await rows())[0]?.overall_score).toBeGreaterThan(80)
  })

  it('is refused once the grade is released', async () => {
    const { instructor, assignmentId, handIn, publish, seen } = await buildPublished()
    await handIn(weakAnswers)
    await gradeAssignment(api, instructor, assignmentId)
    await publish()
    const refused = await handIn(correctAnswers)
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('Your grade for this assignment has been released'),
    ])
    expect(await seen()).toMatchObject({ is_graded: true, earlier_attempts: [] })
  })

  it('never gets the result of the earlier file when that is being graded meanwhile', async () => {
    const { instructor, assignmentId, handIn, rows } = await buildPublished()
    await handIn(weakAnswers)
    meanwhile = async () => {
      meanwhile = async () => {}
      expect((await handIn(correctAnswers, 'new.pdf')).status).toBe(201)
    }
    const params = { assignmentId }
    const started = await api.as(instructor).send(processAssignment, { params, body: {} })
    const run = await waitForRun(api, instructor, assignmentId, started.body.run_id)
    expect(run).toMatchObject({ status: 'completed', graded: 0 })
    const [row] = await rows()
    expect(row).toMatchObject({ status: 'uploaded', overall_score: null, file_name: 'new.pdf' })
    expect(await AnswersModel.findById(row?.id ?? 0).lean()).toBeNull()
  })

  it('leaves no release of the earlier paper when that is being released meanwhile', async () => {
    const { instructor, assignmentId, handIn, seen } = await buildPublished()
    await handIn(weakAnswers)
    await gradeAssignment(api, instructor, assignmentId)
    const stale = await SubmissionModel.find({ assignment_id: assignmentId }).lean()
    await handIn(correctAnswers)
    await releaseGrades(stale, new Date())
    expect(await ReleaseModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
    expect(await seen()).toMatchObject({ is_graded: false, overall_score: null })
  })
})

describe('an assignment for its student', () => {
  it('shows the evidence of a released grade, and nothing before', async () => {
    const { instructor, assignmentId, student, handIn, publish, seen } = await buildPublished()
    await handIn(correctAnswers)
    await gradeAssignment(api, instructor, assignmentId)
    expect(await seen()).toMatchObject({ is_graded: false, criterion_grades: [], released_at: null })
    await publish()
    const details = await seen()
    expect(details.criterion_grades).toHaveLength(3)
    expect(details.criterion_grades[0]?.evidence[0]).toMatchObject({
      page: 1,
      quote: expect.stringContaining('less dense'),
    })
    const params = { assignmentId, submissionId: details.submission_id ?? 0 }
    expect((await api.as(student).send(getSubmissionFile, { params })).status).toBe(200)
  })

  it('shows an older release, which has no evidence', async () => {
    const { instructor, assignmentId, handIn, publish, seen } = await buildPublished()
    await handIn(correctAnswers)
    await gradeAssignment(api, instructor, assignmentId)
    await publish()
    await ReleaseModel.updateMany({ assignment_id: assignmentId }, { $unset: { 'criteria.0.evidence': '' } })
    expect((await seen()).criterion_grades[0]).toMatchObject({ evidence: [], max_score: 10 })
  })

  it('shows the old grade of a regraded paper until the teacher releases the new one', async () => {
    const { instructor, assignmentId, handIn, publish, seen } = await buildPublished()
    await handIn(correctAnswers)
    await gradeAssignment(api, instructor, assignmentId)
    await publish()
    const before = await seen()
    await gradeAssignment(api, instructor, assignmentId, { force: true })
    expect(await seen()).toEqual(before)
    const params = { assignmentId, submissionId: before.submission_id ?? 0 }
    const gradeId = (await api.as(instructor).send(getSubmission, { params })).body.grade?.id ?? 0
    await api
      .as(instructor)
      .send(overrideGrade, {
        params: { ...params, gradeId },
        body: { overall_score: 61, human_review_notes: 'Looked again.' },
      })
    expect(await seen()).toMatchObject({ overall_score: 61, feedback_by: 'teacher' })
  })
})
