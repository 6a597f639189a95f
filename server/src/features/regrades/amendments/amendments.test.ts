import { publishAssignment } from '@assay/shared/assignments.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { decideAnswers, getQuestion, undoQuestionChange } from '@assay/shared/questions.ts'
import { answerRegrade, requestRegrade } from '@assay/shared/regrades.ts'
import { applyAmendment, listAmendments, previewAmendment, undoAmendment } from '@assay/shared/rubric-amendments.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { countSubmissions, getSubmission } from '@assay/shared/submissions.ts'
import mongoose from 'mongoose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AuditModel } from '../../../audit/audit.service.ts'
import { currentProcessId } from '../../../cluster/processes/processes.ts'
import { JobModel } from '../../../lib/jobs/job.model.ts'
import { dropAmendmentPreviews } from '../../../migrations/0007-drop-amendment-previews.ts'
import { RubricVersionModel } from '../../../records/assignments/rubric-version.model.ts'
import { QuestionChangeModel } from '../../../records/grading/question-change.model.ts'
import { RubricAmendmentModel } from '../../../records/grading/rubric-amendment.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import { buildGraded, buildPerson, correctAnswers, gradeAssignment } from '../../../testing/build-course.ts'
import { keepState } from '../../../testing/keep-state.ts'
import { type Person, useTestApi } from '../../../testing/server.ts'
import { createAmendments } from './apply-amendment.ts'

const { api, server } = useTestApi()

const withThird = (third: string) => [correctAnswers[0] ?? '', 'B', third]
/** Four wrote 124 for question 3, one of them with a point by a person; the fifth wrote 144. */
const papers = ['124', '124', '124', '124', '144']

async function buildGranted() {
  const names = [...'ABCDE'].map((letter) => `Student ${letter}`)
  const built = await buildGraded(api, papers.map(withThird), { students: true, names })
  const { instructor, teacher, students, assignmentId, submissionIds, params } = built
  const [first = 0, second = 0, third = 0, decided = 0, right = 0] = submissionIds
  await teacher.send(publishAssignment, { params })
  // Once others are released, it is not carried to them.
  await teacher.send(decideAnswers, {
    params: { assignmentId, questionId: 'q3' },
    body: { answers: [{ submission_id: decided, decided: null }], points: { q3: 1 } },
  })
  const seenBy = async (i: number) => (await api.as(students[i] as Person).send(getStudentAssignment, { params })).body
  const asked = await api
    .as(students[0] as Person)
    .send(requestRegrade, {
      params,
      body: { reason: '124 is right in base 11.', criterion_id: (await seenBy(0)).criterion_grades[2]?.id ?? 0 },
    })
  const grant = (points: number) =>
    teacher.send(answerRegrade, {
      params: { assignmentId, submissionId: first, regradeId: asked.body.id },
      body: { answer: 'Right.', grant: { question_id: 'q3', points: { q3: points }, decided: null } },
    })
  type Words = BodyOf<typeof previewAmendment>
  const words = (part: Partial<Words> = {}): Words => ({
    regrade_id: asked.body.id,
    kind: 'alternative',
    text: '124',
    ...part,
  })
  const preview = (part: Partial<Words> = {}, as: Person = instructor) =>
    api.as(as).send(previewAmendment, { params, body: words(part) })
  const listed = async (ids: number[], part: Partial<BodyOf<typeof applyAmendment>> = {}) => {
    const { body } = await preview(part)
    const answers = body.answers.filter(({ submission_id }) => ids.includes(submission_id))
    return { rubric_version: body.rubric_version, answers, ...words(part), ...part }
  }
  const apply = (body: BodyOf<typeof applyAmendment>, as: Person = instructor) =>
    api.as(as).send(applyAmendment, { params, body })
  const applied = async (ids: number[], part: Partial<BodyOf<typeof applyAmendment>> = {}) => {
    const reply = await apply(await listed(ids, part))
    expect(reply).toMatchObject({ status: 200, body: { state: 'applied' } })
    return reply.body
  }
  const undo = (amendmentId: number, as: Person = instructor) =>
    api.as(as).send(undoAmendment, { params: { assignmentId, amendmentId } })
  const amendments = async () =>
    (await teacher.send(listAmendments, { params: { assignmentId, regradeId: asked.body.id } })).body
  const gradeOf = async (submissionId: number) => {
    const { body } = await teacher.send(getSubmission, { params: { assignmentId, submissionId } })
    const criterion = body.grade?.criterion_grades_collection.find(({ criterion_id }) => criterion_id === 'q3')
    return {
      points: criterion?.teacher_score ?? criterion?.score,
      by: criterion?.teacher_score === undefined ? 'ai' : 'teacher',
      released: body.grade?.released,
    }
  }
  const rubric = async () => (await teacher.send(getRubric, { params })).body
  const outdated = async () => (await teacher.send(countSubmissions, { params })).body.outdated
  const ids = { first, second, third, decided, right }
  return {
    instructor,
    teacher,
    students,
    params,
    ids,
    grant,
    preview,
    listed,
    apply,
    applied,
    undo,
    amendments,
    gradeOf,
    seenBy,
    rubric,
    outdated,
  }
}

let world: Awaited<ReturnType<typeof buildGranted>>
const granted = keepState(buildGranted)
beforeEach(async () => {
  world = await granted()
})

describe('what would change', () => {
  it('is listed without changing anything: the like answers, and apart the one a person has decided', async () => {
    await world.grant(5)
    const { ids, preview, rubric, gradeOf } = world
    const version = (await rubric()).version
    const { answers, criterion, granted, rubric_version } = (await preview()).body
    expect(answers).toMatchObject([
      {
        submission_id: ids.second,
        points: 0,
        points_then: 5,
        by: 'grader',
        decided: null,
        decided_by: null,
        released: true,
        excerpt: '124',
      },
      { submission_id: ids.third, points: 0, points_then: 5, decided_by: null },
      { submission_id: ids.decided, points: 1, points_then: 5, decided: { q3: 1 }, released: true },
    ])
    expect(answers[2]?.decided_by).toBe(world.instructor.username)
    expect(answers).toHaveLength(3)
    expect([criterion, granted, rubric_version]).toMatchObject([{ id: 'q3', points: 5 }, 5, version])
    expect((await rubric()).version).toBe(version)
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0, by: 'ai' })
  })

  it('is offered only for what was granted, and an accepted answer only for the full points', async () => {
    expect((await world.preview()).status).toBe(409)
    await world.grant(3)
    const refused = await world.preview()
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { message: expect.stringContaining('Clarify the rubric') },
    ])
    const { answers } = (await world.preview({ kind: 'clarification', text: '124 earns 3 points.' })).body
    // The grader reads no notes: the group speaks for these.
    expect(answers.map(({ by, points_then }) => [by, points_then])).toEqual([
      ['group', 3],
      ['group', 3],
      ['group', 3],
    ])
  })

  it('is nobody else’s to see, to do or to undo', async () => {
    await world.grant(5)
    const other = await buildPerson('instructor')
    const [student] = world.students
    const body = await world.listed([])
    const { id } = await world.applied([])
    expect((await world.preview({}, other)).status).toBe(404)
    expect((await world.apply(body, other)).status).toBe(404)
    expect((await world.undo(id, other)).status).toBe(404)
    expect((await world.preview({}, student as Person)).status).toBe(403)
  })
})

describe('what a model graded', () => {
  it('is told by its group alone, and gets the points the teacher enters', async () => {
    await world.grant(5)
    const { ids, preview, listed, apply, gradeOf, outdated } = world
    await SubmissionModel.updateMany(
      { assignment_id: world.params.assignmentId },
      { $set: { 'grade.grader.name': 'llm' } },
    )
    const { answers } = (await preview()).body
    expect(answers.map(({ submission_id, by }) => [submission_id, by])).toEqual([
      [ids.second, 'group'],
      [ids.third, 'group'],
      [ids.decided, 'group'],
    ])
    const body = await listed([ids.second, ids.third])
    const tooMany = await apply({ ...body, group_points: 6 })
    expect([tooMany.status, tooMany.body]).toMatchObject([422, { message: 'At most 5 points' }])
    expect((await apply({ ...body, group_points: 4 })).body.result).toEqual({ changed: 2, skipped: 0 })
    expect(await gradeOf(ids.second)).toEqual({ points: 4, by: 'teacher', released: true })
    // Nobody knows what the model says of 144 now.
    expect(await outdated()).toBe(1)
  })
})

describe('an amendment that is applied', () => {
  it('changes the rubric and the chosen answers, tells their students, and leaves what a person decided', async () => {
    await world.grant(5)
    const { ids, applied, amendments, gradeOf, seenBy, rubric, outdated } = world
    const { id, result } = await applied([ids.second, ids.third])
    expect(result).toEqual({ changed: 2, skipped: 0 })
    expect(await amendments()).toMatchObject({
      amendments: [{ id, state: 'applied', text: '124' }],
      group: { answers: 3, other_points: 1 },
    })
    expect((await rubric()).rubric?.questions[2]?.criteria[0]?.alternatives).toEqual(['124'])
    expect(await gradeOf(ids.second)).toEqual({ points: 5, by: 'teacher', released: true })
    expect(await gradeOf(ids.third)).toEqual({ points: 5, by: 'teacher', released: true })
    expect(await gradeOf(ids.decided)).toEqual({ points: 1, by: 'teacher', released: true })
    expect((await seenBy(1)).points_amended).toMatchObject([
      { kind: 'alternative', question_number: '3', points_before: 0, points_after: 5 },
    ])
    expect((await seenBy(3)).points_amended).toEqual([])
    expect((await seenBy(0)).points_amended).toEqual([])
    expect(await outdated()).toBe(0)
  })

  it('can be undone as any decision', async () => {
    await world.grant(5)
    const { ids, applied, gradeOf, teacher, params } = world
    await applied([ids.second, ids.third])
    const question = { ...params, questionId: 'q3' }
    const { undo } = (await teacher.send(getQuestion, { params: question })).body
    expect(undo).toMatchObject({ kind: 'decision', answers: 2 })
    await teacher.send(undoQuestionChange, { params: { ...question, changeId: undo?.id ?? 0 } })
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0, by: 'ai' })
    expect((await world.seenBy(1)).points_amended).toEqual([])
  })

  it('leaves what was not chosen to a run, which regrades it and nothing that a person decided', async () => {
    await world.grant(5)
    const { ids, applied, gradeOf, outdated, params, instructor } = world
    await applied([ids.second, ids.decided])
    expect(await gradeOf(ids.decided)).toEqual({ points: 5, by: 'teacher', released: true })
    expect(await gradeOf(ids.third)).toEqual({ points: 0, by: 'ai', released: true })
    expect(await outdated()).toBe(1)
    await gradeAssignment(api, instructor, params.assignmentId, { outdated: true })
    expect(await gradeOf(ids.third)).toMatchObject({ points: 5, by: 'ai' })
    expect(await gradeOf(ids.second)).toEqual({ points: 5, by: 'teacher', released: true })
    expect(await outdated()).toBe(0)
  })

  it('leaves alone what somebody has decided since the list was made', async () => {
    await world.grant(5)
    const { ids, listed, apply, gradeOf, teacher, params } = world
    const body = await listed([ids.second, ids.third])
    await teacher.send(decideAnswers, {
      params: { ...params, questionId: 'q3' },
      body: { answers: [{ submission_id: ids.second, decided: null }], points: { q3: 2 } },
    })
    expect((await apply(body)).body.result).toEqual({ changed: 1, skipped: 1 })
    expect(await gradeOf(ids.second)).toMatchObject({ points: 2 })
  })

  it('is refused, and nothing changes, where the rubric is another by now', async () => {
    await world.grant(5)
    const { ids, listed, apply, amendments, gradeOf, rubric, teacher, params } = world
    const body = await listed([ids.second])
    const now = await rubric()
    if (!now.rubric) throw new Error('a rubric')
    const [one, ...others] = now.rubric.questions
    if (!one) throw new Error('a question')
    const edited = { ...now.rubric, questions: [{ ...one, notes: 'Be kind.' }, ...others] }
    await teacher.send(saveRubric, { params, body: { version: now.version, rubric: edited, note: '' } })
    const refused = await apply(body)
    expect([refused.status, refused.body]).toMatchObject([409, { message: expect.stringContaining('start again') }])
    expect((await amendments()).amendments).toEqual([])
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0 })
  })

  it('is applied once, though it is asked for twice at the same time', async () => {
    await world.grant(5)
    const { ids, listed, apply, amendments, rubric } = world
    const body = await listed([ids.second])
    const replies = await Promise.all([apply(body), apply(body)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await amendments()).amendments).toMatchObject([{ state: 'applied', result: { changed: 1 } }])
    expect((await rubric()).version).toBe(body.rubric_version + 1)
  })
})

describe('an amendment that is undone', () => {
  it('has its rubric and its points back', async () => {
    await world.grant(5)
    const { ids, applied, undo, gradeOf, seenBy, rubric, outdated } = world
    const before = await rubric()
    const points = [await gradeOf(ids.second), await gradeOf(ids.third)]
    const { id } = await applied([ids.second, ids.third, ids.decided])
    expect(await undo(id)).toMatchObject({ status: 200, body: { state: 'undone', undone: { restored: 3, left: 0 } } })
    expect((await rubric()).rubric?.questions).toEqual(before.rubric?.questions)
    expect([await gradeOf(ids.second), await gradeOf(ids.third)]).toEqual(points)
    expect(await gradeOf(ids.decided)).toEqual({ points: 1, by: 'teacher', released: true })
    expect(await gradeOf(ids.first)).toEqual({ points: 5, by: 'teacher', released: true })
    expect((await seenBy(1)).criterion_grades[2]).toMatchObject({ score: points[0]?.points })
    expect((await seenBy(1)).points_amended).toEqual([])
    expect(await outdated()).toBe(0)
    const { version } = await rubric()
    expect((await undo(id)).body.state).toBe('undone')
    expect((await rubric()).version).toBe(version)
    const audited = await AuditModel.find({ action: 'amendment.undone', 'subject.amendment_id': id }).lean()
    expect(audited).toMatchObject([{ actor_id: world.instructor.id, before: { text: '124', answers: 3 } }])
  })

  it('leaves what somebody has decided otherwise since', async () => {
    await world.grant(5)
    const { ids, applied, undo, gradeOf, teacher, params } = world
    const { id } = await applied([ids.second, ids.third])
    await teacher.send(decideAnswers, {
      params: { ...params, questionId: 'q3' },
      body: { answers: [{ submission_id: ids.second, decided: { q3: 5 } }], points: { q3: 4 } },
    })
    expect((await undo(id)).body.undone).toEqual({ restored: 1, left: 1 })
    expect(await gradeOf(ids.second)).toMatchObject({ points: 4, by: 'teacher' })
    expect(await gradeOf(ids.third)).toMatchObject({ points: 0, by: 'ai' })
  })

  it('restores the rubric where its decision was undone before', async () => {
    await world.grant(5)
    const { ids, applied, undo, gradeOf, teacher, params, rubric } = world
    const { id } = await applied([ids.second])
    const question = { ...params, questionId: 'q3' }
    const { undo: last } = (await teacher.send(getQuestion, { params: question })).body
    await teacher.send(undoQuestionChange, { params: { ...question, changeId: last?.id ?? 0 } })
    expect((await undo(id)).body.state).toBe('undone')
    expect((await rubric()).rubric?.questions[2]?.criteria[0]?.alternatives).toEqual([])
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0, by: 'ai' })
  })

  it('says why not where the question was changed since, and keeps changes to others', async () => {
    await world.grant(5)
    const { ids, applied, undo, amendments, rubric, teacher, params, gradeOf } = world
    const { id } = await applied([ids.second])
    const later = await applied([], { kind: 'clarification', text: 'Base 11 counts.' })
    const refused = await undo(id)
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { message: expect.stringContaining('Question 3 of the rubric was changed again') },
    ])
    expect((await amendments()).amendments.map(({ state }) => state)).toEqual(['applied', 'applied'])
    expect(await gradeOf(ids.second)).toMatchObject({ points: 5 })
    const now = await rubric()
    const [one, ...others] = now.rubric?.questions ?? []
    if (!now.rubric || !one) throw new Error('a rubric')
    const edited = { ...now.rubric, questions: [{ ...one, notes: 'Be kind.' }, ...others] }
    await teacher.send(saveRubric, { params, body: { version: now.version, rubric: edited, note: '' } })
    await undo(later.id)
    expect((await undo(id)).body.state).toBe('undone')
    const { questions = [] } = (await rubric()).rubric ?? {}
    expect([questions[0]?.notes, questions[2]?.notes ?? '', questions[2]?.criteria[0]?.alternatives]).toEqual([
      'Be kind.',
      '',
      [],
    ])
  })
})

describe('an amendment whose request ended half-way', () => {
  const dies = () => Promise.reject(new Error('the database is gone'))
  /** The first dies after the rubric has changed, the second after the points have. */
  const deaths = [
    ['the audit log', () => vi.spyOn(AuditModel, 'insertMany').mockImplementation(dies)],
    ['the queue', () => vi.spyOn(server.running.services.jobs, 'trigger').mockImplementation(dies)],
  ] as const
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each(deaths)('is applied, and undone, when that is asked for again: %s', async (_, kill) => {
    await world.grant(5)
    const { ids, listed, apply, undo, amendments, gradeOf, rubric } = world
    const body = await listed([ids.second])
    const { version } = await rubric()
    const changes = () => QuestionChangeModel.countDocuments({ assignment_id: world.params.assignmentId })
    const before = await changes()
    const applying = kill()
    expect((await apply(body)).status).toBe(500)
    applying.mockRestore()
    expect((await amendments()).amendments).toMatchObject([{ state: 'applying' }])
    const { id, state, result } = (await apply(body)).body
    expect([state, result]).toEqual(['applied', { changed: 1, skipped: 0 }])
    expect([(await rubric()).version, await changes()]).toEqual([version + 1, before + 1])
    expect(await gradeOf(ids.second)).toMatchObject({ points: 5 })

    const undoing = kill()
    expect((await undo(id)).status).toBe(500)
    undoing.mockRestore()
    expect((await amendments()).amendments).toMatchObject([{ state: 'undoing' }])
    expect((await undo(id)).body).toMatchObject({ state: 'undone', undone: { restored: 1, left: 0 } })
    expect([(await rubric()).version, await changes()]).toEqual([version + 2, before + 2])
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0 })
  })
})

describe('an amendment whose process ended', () => {
  const resume = () => createAmendments(server.running.services, async () => {}).resume?.()
  /** As stored while it is under way, or by an earlier version. */
  const leave = (id: number, part: object) =>
    RubricAmendmentModel.updateOne({ _id: id }, { $set: { process: 'gone', ...part } })

  it('is applied whole when it starts again, where the rubric was not changed yet', async () => {
    await world.grant(5)
    const { ids, listed, apply, amendments, gradeOf, rubric } = world
    const dies = vi.spyOn(RubricVersionModel, 'updateOne').mockImplementation(() => {
      throw new Error('the process is gone')
    })
    const body = await listed([ids.second])
    expect((await apply(body)).status).toBe(500)
    dies.mockRestore()
    expect((await rubric()).version).toBe(body.rubric_version)
    await resume()
    expect((await amendments()).amendments).toMatchObject([{ state: 'applied', result: { changed: 1, skipped: 0 } }])
    expect(await gradeOf(ids.second)).toMatchObject({ points: 5, by: 'teacher' })
    expect((await rubric()).rubric?.questions[2]?.criteria[0]?.alternatives).toEqual(['124'])
  })

  it('changes and undoes nothing twice, however often it is begun', async () => {
    await world.grant(5)
    const { ids, applied, undo, amendments, gradeOf, rubric } = world
    const changes = () => QuestionChangeModel.countDocuments({ assignment_id: world.params.assignmentId })
    const { id, result } = await applied([ids.second, ids.third])
    const once = [(await rubric()).version, await changes()]
    await leave(id, { state: 'applying', changed: [], skipped: 0, applied_at: null })
    await resume()
    expect((await amendments()).amendments).toMatchObject([{ state: 'applied', result }])
    expect([(await rubric()).version, await changes()]).toEqual(once)
    expect(await gradeOf(ids.third)).toMatchObject({ points: 5, released: true })

    await undo(id)
    const twice = [(await rubric()).version, await changes()]
    await leave(id, { state: 'undoing', 'undo.restored': [] })
    await resume()
    expect((await amendments()).amendments).toMatchObject([{ state: 'undone', undone: { restored: 2, left: 0 } }])
    expect([(await rubric()).version, await changes()]).toEqual(twice)
    expect(await gradeOf(ids.third)).toEqual({ points: 0, by: 'ai', released: true })
  })

  it('is left to the process that works on it while that one lives', async () => {
    await world.grant(5)
    const { id } = await world.applied([])
    await leave(id, { state: 'applying', process: currentProcessId() })
    await resume()
    expect((await world.amendments()).amendments).toMatchObject([{ state: 'applying' }])
  })

  it('goes where an earlier version had only listed what it would change', async () => {
    await world.grant(5)
    const { id } = await world.applied([])
    const { jobs } = server.running.services
    await jobs.add({ name: 'amend-rubric', payload: z.object({}) }, [{ key: '1', group: 'amend/1', payload: {} }])
    await RubricAmendmentModel.collection.updateOne({ _id: id } as object, { $set: { state: 'ready' } })
    const { db } = mongoose.connection
    if (!db) throw new Error('a database')
    await dropAmendmentPreviews(db)
    expect((await world.amendments()).amendments).toEqual([])
    expect(await JobModel.exists({ name: 'amend-rubric' })).toBeNull()
  })
})
