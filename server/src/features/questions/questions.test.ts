import { getAssignment } from '@assay/shared/assignments.ts'
import {
  announceGrading,
  decideAnswers,
  getAnswer,
  getAnswerPicture,
  getQuestion,
  groupAnswersTogether,
  listQuestions,
  type QuestionToGrade,
  undoQuestionChange,
} from '@assay/shared/questions.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { currentProcessId } from '../../cluster/processes/processes.ts'
import { nextId } from '../../lib/database/database.ts'
import { JobModel } from '../../lib/jobs/job.model.ts'
import { AnswerProjectionModel, QuestionAnswerModel } from '../../records/grading/question-answer.model.ts'
import { QuestionChangeModel } from '../../records/grading/question-change.model.ts'
import {
  buildGraded,
  buildPerson,
  correctAnswers,
  decideGrade,
  gradeAssignment,
  weakAnswers,
} from '../../testing/build-course.ts'
import { createTestApi, type Person, useServer } from '../../testing/server.ts'
import { completeInterruptedChanges } from './question-changes.ts'

const server = useServer()
const api = createTestApi(server)

const papers: [string, string[]][] = [
  ['Ada Byron', correctAnswers],
  ['Ben Okri', [correctAnswers[0] ?? '', 'B', '144.0']],
  ['Cleo Sand', weakAnswers],
  ['Dan Brown', ['Ice has less density than water.', 'C', '144']],
  ['Eve Adams', ['', 'B', '']],
]

const buildClass = () =>
  buildGraded(
    api,
    papers.map(([, answers]) => answers),
    { names: papers.map(([name]) => name) },
  )
let course: Awaited<ReturnType<typeof buildClass>>
beforeAll(async () => {
  course = await buildClass()
})

type Course = Pick<Awaited<ReturnType<typeof buildClass>>, 'assignmentId' | 'instructor'>

async function load({ assignmentId, instructor }: Course, questionId: string, as: Person = instructor) {
  const reply = await api.as(as).send(getQuestion, { params: { assignmentId, questionId } })
  expect(reply.status).toBe(200)
  return reply.body
}

const answerOf = ({ answers }: QuestionToGrade, id: number | undefined) => {
  const found = answers.find(({ submission_id }) => submission_id === id)
  if (!found) throw new Error(`no answer of ${id}`)
  return found
}

const seen = (question: QuestionToGrade, ids: number[]) =>
  ids.map((id) => ({ submission_id: id, decided: answerOf(question, id).decided }))

function give(
  { assignmentId, instructor }: Course,
  question: QuestionToGrade,
  ids: number[],
  points: Record<string, number> | 'suggested' | null,
  as: Person = instructor,
) {
  return api
    .as(as)
    .send(decideAnswers, {
      params: { assignmentId, questionId: question.question.id },
      body: { answers: seen(question, ids), points },
    })
}

const undoLast = ({ assignmentId, instructor }: Course, { question, undo }: QuestionToGrade) =>
  api
    .as(instructor)
    .send(undoQuestionChange, { params: { assignmentId, questionId: question.id, changeId: undo?.id ?? 0 } })

async function gradeOf({ assignmentId, instructor }: Course, submissionId: number) {
  const reply = await api.as(instructor).send(getSubmission, { params: { assignmentId, submissionId } })
  if (!reply.body.grade) throw new Error('no grade')
  return reply.body.grade
}

describe('which answers to mark', () => {
  it('are named before the first decision, and the next best after it, never one that is decided', async () => {
    const built = await buildClass()
    const before = await load(built, 'q1')
    expect(before.learns_from).toBe('like')
    const [first = 0] = before.mark_first
    expect(before.mark_first.length).toBeGreaterThan(1)
    await give(built, before, [first], { q1: 3 })
    const after = await load(built, 'q1')
    expect(after.mark_first.length).toBeGreaterThan(0)
    expect(after.mark_first.length).toBeLessThanOrEqual(2)
    expect(after.mark_first).not.toContain(first)
    await give(
      built,
      after,
      built.submissionIds.filter((id) => id !== first),
      { q1: 3 },
    )
    expect((await load(built, 'q1')).mark_first).toEqual([])
  })
})

describe('a question’s answers', () => {
  it('are projected when a run has ended, before anybody opens them', async () => {
    const built = await buildClass()
    await expect
      .poll(() => QuestionAnswerModel.countDocuments({ assignment_id: built.assignmentId }))
      .toBe(3 * papers.length)
  })

  it('stand in groups of the same, with those that wrote nothing apart', async () => {
    const { submissionIds: ids } = course
    const question = await load(course, 'q3')
    expect(question.question).toMatchObject({ number: '3', kind: 'number', points: 5 })
    const groups = question.groups.map(({ kind, variants }) => ({ kind, ids: variants.flat() }))
    expect(groups).toEqual([
      { kind: 'same', ids: [ids[0], ids[1], ids[3]] },
      { kind: 'single', ids: [ids[2]] },
      { kind: 'empty', ids: [ids[4]] },
    ])
    expect(answerOf(question, ids[1])).toMatchObject({ excerpt: '144.0', state: 'read', decided: null })
  })

  it('are counted for each question', async () => {
    const { assignmentId, instructor } = course
    const reply = await api.as(instructor).send(listQuestions, { params: { assignmentId } })
    expect(reply.body).toMatchObject([
      { number: '1', points: 10, answers: 5, decided: 0 },
      { number: '2', points: 5, answers: 5, groups: 3 },
      { number: '3', points: 5, answers: 5, groups: 3, undecided_groups: 3, mean: 3, minutes_left: 1 },
    ])
  })

  it('are shown in full, and as a strip of the page', async () => {
    const { assignmentId, instructor, submissionIds } = course
    const params = { assignmentId, questionId: 'q1', submissionId: submissionIds[0] ?? 0 }
    const answer = await api.as(instructor).send(getAnswer, { params })
    expect(answer.body).toMatchObject({
      text: correctAnswers[0],
      state: 'read',
      pictures: [{ picture: 1, page: 1 }],
      criteria: [{ criterion_id: 'q1', max_score: 10 }],
    })
    const picture = await api.as(instructor).send(getAnswerPicture, { params: { ...params, picture: 1 } })
    expect(picture.status).toBe(200)
    const { width = 0, height = 0 } = await sharp(picture.bytes).metadata()
    expect(width).toBe(1400)
    expect(height).toBeGreaterThan(150)
    expect(height).toBeLessThan(700)
    const none = await api.as(instructor).send(getAnswerPicture, { params: { ...params, picture: 2 } })
    expect(none.status).toBe(404)
  })

  it('name who else has the question open', async () => {
    const { assignmentId, instructor } = course
    const admin = await buildPerson('admin', { full_name: 'Grace Hopper' })
    const params = { assignmentId, questionId: 'q2' }
    await api.as(admin).send(announceGrading, { params, body: { open: true } })
    const mine = await api.as(instructor).send(announceGrading, { params, body: { open: true } })
    expect(mine.body.graders).toEqual([{ id: admin.id, name: 'Grace Hopper' }])
    await api.as(admin).send(announceGrading, { params, body: { open: false } })
    expect((await load(course, 'q2')).graders).toEqual([])
  })
})

describe('a decision on a group', () => {
  it('gives each paper the points, and is undone as one', async () => {
    const one = await buildClass()
    const [ada = 0, ben = 0, cleo = 0, dan = 0] = one.submissionIds
    const before = await gradeOf(one, ben)
    const question = await load(one, 'q3')
    const given = await give(one, question, [ada, ben, dan], { q3: 3 })
    expect(given.body).toMatchObject({ changed: [ada, ben, dan], conflicts: [], unavailable: [] })
    const after = await gradeOf(one, ben)
    expect(after.criterion_grades_collection.find(({ criterion_id }) => criterion_id === 'q3')?.teacher_score).toBe(3)
    expect(after.points).toEqual({ given: (before.points?.given ?? 0) - 2, of: 20 })
    expect(after.reviewed_at).toBeNull()
    expect((await gradeOf(one, cleo)).override_from_points).toBe(false)

    const now = await load(one, 'q3')
    expect(now.undo).toMatchObject({ kind: 'decision', answers: 3 })
    expect(answerOf(now, ada)).toMatchObject({ decided: { q3: 3 } })
    expect((await undoLast(one, now)).body).toMatchObject({ changed: [ada, ben, dan] })
    expect(await gradeOf(one, ben)).toMatchObject({
      points: before.points,
      final_score_after_review: before.final_score_after_review,
      manual_score_override: null,
      needs_review: before.needs_review,
    })
    expect((await load(one, 'q3')).undo).toBeNull()
    expect((await undoLast(one, now)).status).toBe(409)
  })

  it('names the change before the one that was undone', async () => {
    const one = await buildClass()
    const [ada = 0, ben = 0] = one.submissionIds
    const first = await give(one, await load(one, 'q3'), [ada], { q3: 3 })
    await give(one, await load(one, 'q3'), [ben], { q3: 2 })
    const undone = await undoLast(one, await load(one, 'q3'))
    expect(undone.body).toMatchObject({ changed: [ben], undo: { id: first.body.change_id, answers: 1 } })
    expect((await undoLast(one, await load(one, 'q3'))).body).toMatchObject({ changed: [ada], undo: null })
  })

  it('reviews a paper once all its questions are decided', async () => {
    const one = await buildClass()
    const [, , cleo = 0, , eve = 0] = one.submissionIds
    for (const id of ['q1', 'q2', 'q3']) await give(one, await load(one, id), [cleo, eve], 'suggested')
    expect(await gradeOf(one, cleo)).toMatchObject({ needs_review: false, reviewed_at: expect.any(String) })
    await undoLast(one, await load(one, 'q2'))
    expect(await gradeOf(one, cleo)).toMatchObject({ reviewed_at: null })
  })

  it('leaves alone what somebody else has decided meanwhile, and says who', async () => {
    const one = await buildClass()
    const [ada = 0, ben = 0, , dan = 0] = one.submissionIds
    const admin = await buildPerson('admin', { full_name: 'Grace Hopper' })
    const stale = await load(one, 'q3')
    await give(one, stale, [ben], { q3: 1 }, admin)
    const given = await give(one, stale, [ada, ben, dan], { q3: 4 })
    expect(given.body).toMatchObject({
      changed: [ada, dan],
      conflicts: [{ submission_id: ben, decided: { q3: 1 }, decided_by: 'Grace Hopper' }],
    })
    expect(answerOf(await load(one, 'q3'), ben)).toMatchObject({ decided: { q3: 1 }, decided_by: 'Grace Hopper' })
  })

  it('stands beside another question’s, decided at the same moment', async () => {
    const one = await buildClass()
    const ids = one.submissionIds
    const [second, third] = [await load(one, 'q2'), await load(one, 'q3')]
    await Promise.all([give(one, second, ids, { q2: 2 }), give(one, third, ids, { q3: 3 })])
    for (const id of ids) {
      const { criterion_grades_collection: criteria } = await gradeOf(one, id)
      expect(criteria.map(({ teacher_score }) => teacher_score)).toEqual([undefined, 2, 3])
    }
  })

  it('shows points given in the paper’s own review', async () => {
    const one = await buildClass()
    const [ada = 0] = one.submissionIds
    await load(one, 'q3')
    await decideGrade(
      one.teacher,
      { ...one.params, submissionId: ada },
      { criteria: [{ criterion_id: 'q3', score: 2 }] },
    )
    expect(answerOf(await load(one, 'q3'), ada)).toMatchObject({ decided: { q3: 2 }, decided_by: expect.any(String) })
  })

  it('does not reach papers of another assignment', async () => {
    const [one, other] = [await buildClass(), await buildClass()]
    const question = await load(one, 'q3')
    const [theirs = 0] = other.submissionIds
    const reply = await api
      .as(one.instructor)
      .send(decideAnswers, {
        params: { assignmentId: one.assignmentId, questionId: 'q3' },
        body: { answers: [{ submission_id: theirs, decided: null }], points: { q3: 1 } },
      })
    expect(reply.body).toEqual({ change_id: null, changed: [], conflicts: [], unavailable: [theirs] })
    expect((await gradeOf(other, theirs)).override_from_points).toBe(false)
    const body = { submission_ids: [theirs] }
    const params = { assignmentId: one.assignmentId, questionId: question.question.id }
    expect((await api.as(one.instructor).send(groupAnswersTogether, { params, body })).status).toBe(404)
  })

  it('refuses more points than the question has, and nothing is changed', async () => {
    const question = await load(course, 'q3')
    const refused = await give(course, question, course.submissionIds, { q3: 6 })
    expect(refused).toMatchObject({ status: 422, body: { message: 'At most 5 points' } })
    expect((await load(course, 'q3')).undo).toBeNull()
  })
})

describe('a decision on an answer', () => {
  it('is carried to like answers, and to none that a person has decided', async () => {
    const one = await buildClass()
    const [ada = 0, ben = 0, cleo = 0] = one.submissionIds
    await give(one, await load(one, 'q1'), [cleo], { q1: 6 })
    const question = await load(one, 'q1')
    expect(answerOf(question, ben).suggested).toEqual({ q1: 10 })
    await give(one, question, [ada], { q1: 4 })
    // Ben wrote the same as Ada.
    await expect.poll(async () => (await load(one, 'q1')).learning).toBe(false)
    await expect.poll(async () => answerOf(await load(one, 'q1'), ben).suggested).toEqual({ q1: 4 })
    const after = await load(one, 'q1')
    expect(answerOf(after, ben)).toMatchObject({ decided: null })
    expect(answerOf(after, cleo)).toMatchObject({ decided: { q1: 6 } })
    expect((await gradeOf(one, ben)).criterion_grades_collection[0]).toMatchObject({ score: 4 })
  })

  it('is carried to no paper that was approved or released', async () => {
    const one = await buildClass()
    const [ada = 0, ben = 0, , dan = 0] = one.submissionIds
    await decideGrade(one.teacher, { ...one.params, submissionId: ben })
    const before = await gradeOf(one, ben)
    await give(one, await load(one, 'q1'), [ada], { q1: 4 })
    // Dan's answer is like Ada's: once his has moved, the job has seen Ben's.
    await expect.poll(async () => answerOf(await load(one, 'q1'), dan).suggested).not.toEqual({ q1: 10 })
    expect(await gradeOf(one, ben)).toEqual(before)
  })

  it('is completed where the process died before it was applied', async () => {
    const one = await buildClass()
    const [ada = 0, ben = 0] = one.submissionIds
    await load(one, 'q3')
    await QuestionChangeModel.create({
      _id: await nextId('question_changes'),
      assignment_id: one.assignmentId,
      question_id: 'q3',
      actor_id: one.instructor.id,
      actor_role: 'instructor',
      session_id: 'none',
      state: 'applying',
      at: new Date(),
      kind: 'decision',
      changes: [ada, ben].map((submission_id) => ({ submission_id, before: null, after: { q3: 2 } })),
    })
    // Another process may just be at it.
    await QuestionChangeModel.updateMany({ state: 'applying' }, { $set: { process: currentProcessId() } })
    expect(await completeInterruptedChanges(server.running.services.log)).toEqual([])
    await QuestionChangeModel.updateMany({ state: 'applying' }, { $set: { process: 'that died' } })
    const completed = await completeInterruptedChanges(server.running.services.log)
    expect(completed.map(({ questionId }) => questionId)).toEqual(['q3'])
    const question = await load(one, 'q3')
    for (const id of [ada, ben]) expect(answerOf(question, id).decided).toEqual({ q3: 2 })
    expect(question.undo).toMatchObject({ answers: 2 })
    expect(await completeInterruptedChanges(server.running.services.log)).toEqual([])
  })

  it('does not take back the same points from somebody else', async () => {
    const one = await buildClass()
    const [ada = 0, ben = 0] = one.submissionIds
    const admin = await buildPerson('admin')
    const stale = await load(one, 'q3')
    await give(one, stale, [ben], { q3: 4 }, admin)
    expect((await give(one, stale, [ada, ben], { q3: 4 })).body).toMatchObject({ changed: [ada], conflicts: [] })
    await undoLast(one, await load(one, 'q3'))
    const after = await load(one, 'q3')
    expect([ada, ben].map((id) => answerOf(after, id).decided)).toEqual([null, { q3: 4 }])
  })
})

describe('groups', () => {
  it('are split and merged by a teacher, which can be undone', async () => {
    const one = await buildClass()
    const [, ben = 0, cleo = 0] = one.submissionIds
    const params = { assignmentId: one.assignmentId, questionId: 'q3' }
    const before = (await load(one, 'q3')).groups
    const body = { submission_ids: [ben, cleo] }
    const grouped = await api.as(one.instructor).send(groupAnswersTogether, { params, body })
    const question = await load(one, 'q3')
    expect(question.groups.find(({ id }) => id === grouped.body.group_id)).toMatchObject({
      kind: 'manual',
      variants: [[ben], [cleo]],
    })
    expect(question.undo).toMatchObject({ kind: 'grouping', answers: 2 })
    await undoLast(one, question)
    expect((await load(one, 'q3')).groups).toEqual(before)
  })
})

describe('a wrong key', () => {
  const message = 'Question 2: all 6 answers got 0 points, and 5 of them are “C”. Is the expected answer right?'
  const build = () =>
    buildGraded(
      api,
      ['C', 'C', 'A', 'C', 'C', 'C'].map((choice) => [correctAnswers[0] ?? '', choice, '144']),
    )
  const doubts = async ({ assignmentId, instructor }: Course) =>
    (await api.as(instructor).send(getAssignment, { params: { assignmentId } })).body.doubtful_results

  it('is suspected once for the class, until somebody has decided answers of its question', async () => {
    const one = await build()
    await expect.poll(() => doubts(one)).toEqual([{ question_id: 'q2', message }])
    await give(one, await load(one, 'q3'), one.submissionIds, 'suggested')
    expect(await doubts(one)).toHaveLength(1)
    await give(one, await load(one, 'q2'), one.submissionIds.slice(0, 1), { q2: 0 })
    expect(await doubts(one)).toBeUndefined()
    const rubric = await api.as(one.instructor).send(getRubric, { params: one.params })
    expect(rubric.body.rubric?.problems).toContainEqual(expect.objectContaining({ message, dismissed: true }))
  })

  it('is suspected no longer when it was corrected, and not of the points by the earlier key', async () => {
    const one = await build()
    await expect.poll(() => doubts(one)).toHaveLength(1)
    const { body } = await api.as(one.instructor).send(getRubric, { params: one.params })
    const rubric = structuredClone(body.rubric) ?? { questions: [], problems: [] }
    for (const { id, criteria } of rubric.questions)
      if (id === 'q2') Object.assign(criteria[0] ?? {}, { expected: 'C' })
    const put = { params: one.params, body: { version: body.version, rubric, note: '' } }
    expect((await api.as(one.instructor).send(saveRubric, put)).status).toBe(200)
    expect(await doubts(one)).toBeUndefined()
    const before = await AnswerProjectionModel.findById(one.assignmentId).lean()
    // All but this paper still have the points of the earlier key.
    const again = { submission_ids: one.submissionIds.slice(2, 3), force: true }
    await gradeAssignment(api, one.instructor, one.assignmentId, again)
    await expect
      .poll(async () => (await AnswerProjectionModel.findById(one.assignmentId).lean())?.rubric_version)
      .toBeGreaterThan(before?.rubric_version ?? 0)
    await expect.poll(() => JobModel.exists({ group: `project/${one.assignmentId}` })).toBeNull()
    expect(await doubts(one)).toBeUndefined()
  })
})
