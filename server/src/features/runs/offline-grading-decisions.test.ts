import { createAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { countSubmissions, getSubmission } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { drawBlank, drawKey, drawStudentPaper } from '../../../../tests/papers/draw-papers.ts'
import type { DrawnAssignment } from '../../../../tests/papers/drawn-assignment.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { buildGraded, buildPerson, correctAnswers, gradeAssignment, weakAnswers } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

describe('the offline grader, in the product', () => {
  it('gives an answer what the teacher gave the same words on another paper', async () => {
    const built = await buildGraded(api, [weakAnswers, weakAnswers, correctAnswers])
    const { instructor, assignmentId, submissionIds } = built
    const [one = 0, two = 0] = submissionIds
    const gradeOf = async (submissionId: number) => {
      const { body } = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
      if (!body.grade) throw new Error('a grade')
      return body.grade
    }
    const before = await gradeOf(one)
    const [first] = before.criterion_grades_collection
    if (!first) throw new Error('a criterion')
    expect(first.score).toBeLessThan(7)
    await api.as(instructor).send(overrideGrade, {
      params: { assignmentId, submissionId: one, gradeId: before.id },
      body: {
        overall_score: null,
        human_review_notes: null,
        criteria: [{ criterion_id: first.criterion_id, score: 7 }],
      },
    })
    await gradeAssignment(api, instructor, assignmentId, { submission_ids: [two], force: true })
    expect((await gradeOf(two)).criterion_grades_collection[0]).toMatchObject({ score: 7 })
  })

  it('leaves a drawing to the teacher, and asks for a look before it is published', async () => {
    const quiz: DrawnAssignment = {
      title: 'Cells',
      course: 'Biology',
      instructions: 'Answer on the lines.',
      questions: [
        { number: '1', prompt: 'Draw and label a plant cell.', points: 6, lines: 3, answer: 'nucleus, wall' },
        { number: '2', prompt: 'Name the green substance.', points: 2, lines: 1, answer: 'chlorophyll' },
      ],
    }
    const instructor = await buildPerson('instructor')
    const student = { username: 'ada', full_name: 'Ada', email: '', student_number: '1' }
    const bytes = await drawStudentPaper(quiz, student, ['nucleus, wall', 'chlorophyll'], 'typed')
    const created = await api.as(instructor).send(createAssignment, {
      body: { name: quiz.title },
      files: {
        blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(quiz) }],
        answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(quiz) }],
        student_submission_pdfs: [{ name: 'ada.pdf', bytes }],
      },
    })
    const assignmentId = created.body.id
    await gradeAssignment(api, instructor, assignmentId)
    const stored = await SubmissionModel.findOne({ assignment_id: assignmentId }).lean()
    const params = { assignmentId, submissionId: stored?._id ?? 0 }
    const { body } = await api.as(instructor).send(getSubmission, { params })
    expect(body.needs_review).toBe(true)
    expect(body.grade?.criterion_grades_collection.map(({ score }) => score)).toEqual([null, 2])
    expect(body.grade?.review_reasons.map(({ code }) => code)).toContain('cannot_judge')
    // What the teacher is warned of before publishing.
    const counts = await api.as(instructor).send(countSubmissions, { params: { assignmentId } })
    expect(counts.body).toMatchObject({ flagged: 1, by_hand: 1 })
  })
})
