import { getSubmission } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { buildGraded, correctAnswers, decideGrade, gradeAssignment, weakAnswers } from '../../testing/build-course.ts'
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
    const [first] = (await gradeOf(one)).criterion_grades_collection
    if (!first) throw new Error('a criterion')
    expect(first.score).toBeLessThan(7)
    const criteria = [{ criterion_id: first.criterion_id, score: 7 }]
    await decideGrade(api.as(instructor), { assignmentId, submissionId: one }, { criteria })
    await gradeAssignment(api, instructor, assignmentId, { submission_ids: [two], force: true })
    expect((await gradeOf(two)).criterion_grades_collection[0]).toMatchObject({ score: 7 })
  })
})
