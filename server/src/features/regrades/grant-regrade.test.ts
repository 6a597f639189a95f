import { publishAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import { decideAnswers, getQuestion, undoQuestionChange } from '@assay/shared/questions.ts'
import { answerRegrade, listOpenRegrades, listRegrades, requestRegrade } from '@assay/shared/regrades.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { RegradeModel } from '../../records/grading/regrade.model.ts'
import { buildGraded, correctAnswers, weakAnswers } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { completeInterruptedAnswers } from './answer-regrade.ts'

const { api } = useTestApi()

/** Two released papers; the first student asks about question 3, where they have 0 of 5 points. */
async function buildAsked() {
  const { instructor, students, assignmentId, submissionIds, params } = await buildGraded(
    api,
    [weakAnswers, correctAnswers],
    { students: true, names: ['Ada', 'Ben'] },
  )
  const [student, classmate] = students as [Person, Person]
  await api.as(instructor).send(publishAssignment, { params })
  const seen = async () => (await api.as(student).send(getStudentAssignment, { params })).body
  const criterion = (await seen()).criterion_grades[2]
  const asked = await api
    .as(student)
    .send(requestRegrade, { params, body: { reason: 'A gross is 124.', criterion_id: criterion?.id ?? 0 } })
  const ids = { assignmentId, submissionId: submissionIds[0] ?? 0 }
  const question = { ...params, questionId: 'q3' }
  const answer = (body: { answer: string; points?: number; decided?: Record<string, number> | null }) =>
    api
      .as(instructor)
      .send(answerRegrade, {
        params: { ...ids, regradeId: asked.body.id },
        body: {
          answer: body.answer,
          ...(body.points === undefined
            ? {}
            : { grant: { question_id: 'q3', points: { q3: body.points }, decided: body.decided ?? null } }),
        },
      })
  const grade = async () => (await api.as(instructor).send(getSubmission, { params: ids })).body.grade
  return { instructor, student, classmate, ids, params, question, request: asked.body, answer, seen, grade }
}

let world: Awaited<ReturnType<typeof buildAsked>>
beforeEach(async () => {
  world = await buildAsked()
})

describe('an open request', () => {
  it('names its question and its points, and waits in the queue of its assignment', async () => {
    const { instructor, params, request } = world
    expect(request).toMatchObject({
      question: { id: 'q3', number: '3' },
      criterion: { criterion_id: 'q3' },
      points: { when_asked: 0, when_answered: null, of: 5 },
      outcome: null,
    })
    const queue = await api.as(instructor).send(listOpenRegrades, { params })
    expect(queue.body).toMatchObject([{ id: request.id, reason: 'A gross is 124.', student: world.student.username }])
    await world.answer({ answer: 'No.' })
    expect((await api.as(instructor).send(listOpenRegrades, { params })).body).toEqual([])
  })
})

describe('an answer with points', () => {
  it('changes them in the same step, tells the student and counts as granted', async () => {
    const reply = await world.answer({ answer: 'You are right.', points: 3 })
    expect([reply.status, reply.body]).toMatchObject([
      200,
      { state: 'answered', outcome: 'granted', points: { when_asked: 0, when_answered: 3, of: 5 } },
    ])
    const seen = await world.seen()
    expect(seen.criterion_grades[2]).toMatchObject({ score: 3, score_by: 'teacher' })
    expect(seen.regrades[0]).toMatchObject({ answer: 'You are right.', outcome: 'granted' })
    expect(reply.body.score_when_answered).toBe(seen.overall_score)
  })

  it('can be undone where its question is graded; the answer stays', async () => {
    await world.answer({ answer: 'You are right.', points: 3 })
    const as = api.as(world.instructor)
    const { undo } = (await as.send(getQuestion, { params: world.question })).body
    await as.send(undoQuestionChange, { params: { ...world.question, changeId: undo?.id ?? 0 } })
    expect((await world.seen()).criterion_grades[2]).toMatchObject({ score: 0 })
    expect((await world.seen()).regrades[0]).toMatchObject({ state: 'answered' })
  })

  it('is refused as a whole where somebody has changed the points meanwhile', async () => {
    await api
      .as(world.instructor)
      .send(decideAnswers, {
        params: world.question,
        body: { answers: [{ submission_id: world.ids.submissionId, decided: null }], points: { q3: 1 } },
      })
    const reply = await world.answer({ answer: 'You are right.', points: 3 })
    expect([reply.status, reply.body.message]).toMatchObject([409, expect.stringContaining('Your answer was not sent')])
    expect((await world.seen()).regrades[0]).toMatchObject({ state: 'open', answer: null })
    expect((await world.seen()).criterion_grades[2]?.score).toBe(1)
    expect((await world.answer({ answer: 'You are right.', points: 3, decided: { q3: 1 } })).status).toBe(200)
  })

  it('is refused for more points than the criterion has, and while the paper has a score of its own', async () => {
    expect((await world.answer({ answer: 'Yes.', points: 6 })).status).toBe(422)
    const gradeId = (await world.grade())?.id ?? 0
    await api
      .as(world.instructor)
      .send(overrideGrade, { params: { ...world.ids, gradeId }, body: { overall_score: 80, human_review_notes: null } })
    const reply = await world.answer({ answer: 'Yes.', points: 3 })
    expect([reply.status, reply.body.message]).toMatchObject([409, expect.stringContaining('whole paper')])
    expect((await world.answer({ answer: 'Done.' })).status).toBe(200)
  })
})

describe('an answer whose process ended', () => {
  const begin = (points: number, before: Record<string, number> | null = null) =>
    RegradeModel.updateOne(
      { _id: world.request.id },
      {
        $set: {
          answering: {
            answer: 'You are right.',
            at: new Date(),
            actor: { id: world.instructor.id, role: 'instructor', session_id: 'gone' },
            change: { question_id: 'q3', before, after: { q3: points } },
          },
        },
      },
    )
  const complete = () => completeInterruptedAnswers(() => {})

  it('is completed: before the points were given', async () => {
    await begin(3)
    expect(await complete()).toMatchObject([{ changed: { questionId: 'q3' } }])
    expect(await world.seen()).toMatchObject({ regrades: [{ state: 'answered', outcome: 'granted' }] })
    expect((await world.seen()).criterion_grades[2]?.score).toBe(3)
    expect(await complete()).toEqual([])
  })

  it('is completed: after the points were given', async () => {
    await api
      .as(world.instructor)
      .send(decideAnswers, {
        params: world.question,
        body: { answers: [{ submission_id: world.ids.submissionId, decided: null }], points: { q3: 3 } },
      })
    await begin(3)
    expect(await complete()).toHaveLength(1)
    const params = world.ids
    const [request] = (await api.as(world.instructor).send(listRegrades, { params })).body
    expect(request).toMatchObject({ state: 'answered', points: { when_answered: 3 } })
  })

  it('is given up where the points are others by now, and the request is open again', async () => {
    await begin(3, { q3: 2 })
    expect(await complete()).toEqual([])
    expect((await world.seen()).criterion_grades[2]?.score).toBe(0)
    expect((await world.answer({ answer: 'Yes.', points: 4 })).body).toMatchObject({ outcome: 'granted' })
  })
})
