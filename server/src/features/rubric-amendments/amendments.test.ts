import { publishAssignment } from '@assay/shared/assignments.ts'
import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import { decideAnswers, getQuestion, undoQuestionChange } from '@assay/shared/questions.ts'
import { answerRegrade, requestRegrade } from '@assay/shared/regrades.ts'
import {
  applyAmendment,
  createAmendment,
  getAmendment,
  listAmendments,
  stopAmendment,
  undoAmendment,
} from '@assay/shared/rubric-amendments.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { countSubmissions, getSubmission } from '@assay/shared/submissions.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AuditModel } from '../../audit/audit.service.ts'
import { QuestionChangeModel } from '../../records/grading/question-change.model.ts'
import { RubricAmendmentModel } from '../../records/grading/rubric-amendment.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import { createTestApi, type Person } from '../../testing/api.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from '../../testing/build-course.ts'
import { useServer } from '../../testing/server.ts'
import { createAmendments } from './amendment-jobs.ts'

const server = useServer()
const api = createTestApi(server)

const withThird = (third: string) => [correctAnswers[0] ?? '', 'B', third]
/** Five students: four wrote 124 for question 3, of which a person has given one a point; the fifth wrote 144. */
const papers = ['124', '124', '124', '124', '144']

async function buildGranted() {
  const { instructor, students, courseId } = await buildCourse(api, { students: papers.length })
  const files = await Promise.all(
    papers.map(async (third, i) => ({
      name: `${students[i]?.username}.pdf`,
      bytes: await drawPaper({ full_name: `Student ${'ABCDE'[i]}` }, withThird(third)),
    })),
  )
  const { assignmentId, submissionIds } = await buildAssignment(api, { instructor, courseId }, files)
  await gradeAssignment(api, instructor, assignmentId)
  const params = { assignmentId }
  const teacher = api.as(instructor)
  const [first = 0, second = 0, third = 0, decided = 0, right = 0] = submissionIds
  await teacher.send(publishAssignment, { params })
  // Once the others are released, it is not carried to them.
  await teacher.send(decideAnswers, {
    params: { assignmentId, questionId: 'q3' },
    body: { answers: [{ submission_id: decided, decided: null }], points: { q3: 1 } },
  })
  const seenBy = async (i: number) => (await api.as(students[i] as Person).send(getStudentAssignment, { params })).body
  const asked = await api.as(students[0] as Person).send(requestRegrade, {
    params,
    body: { reason: '124 is right in base 11.', criterion_id: (await seenBy(0)).criterion_grades[2]?.id ?? 0 },
  })
  const grant = (points: number) =>
    teacher.send(answerRegrade, {
      params: { assignmentId, submissionId: first, regradeId: asked.body.id },
      body: { answer: 'Right.', grant: { question_id: 'q3', points: { q3: points }, decided: null } },
    })
  const create = (part: Partial<BodyOf<typeof createAmendment>> = {}, as: Person = instructor) =>
    api.as(as).send(createAmendment, {
      params,
      body: { regrade_id: asked.body.id, kind: 'alternative', text: '124', ...part },
    })
  const get = async (amendmentId: number) =>
    (await teacher.send(getAmendment, { params: { assignmentId, amendmentId } })).body
  const settled = async (amendmentId: number, state: string) => {
    await expect.poll(async () => (await get(amendmentId)).state).toBe(state)
    return get(amendmentId)
  }
  const preview = async (part: Partial<BodyOf<typeof createAmendment>> = {}) => {
    const created = await create(part)
    expect([created.status, created.body.state]).toEqual([202, 'computing'])
    return settled(created.body.id, 'ready')
  }
  const apply = (amendmentId: number, body: BodyOf<typeof applyAmendment>) =>
    teacher.send(applyAmendment, { params: { assignmentId, amendmentId }, body })
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
    regradeId: asked.body.id,
    instructor,
    teacher,
    students,
    params,
    ids,
    grant,
    create,
    preview,
    get,
    settled,
    apply,
    gradeOf,
    seenBy,
    rubric,
    outdated,
  }
}

let world: Awaited<ReturnType<typeof buildGranted>>
beforeEach(async () => {
  world = await buildGranted()
})

describe('what would change', () => {
  it('is listed without changing anything: the like answers, and apart the one a person has decided', async () => {
    await world.grant(5)
    const { ids, preview, rubric, gradeOf } = world
    const version = (await rubric()).version
    const { answers, criterion, granted } = await preview()
    expect(answers).toMatchObject([
      {
        submission_id: ids.second,
        points: 0,
        points_then: 5,
        by: 'grader',
        decided_by: null,
        released: true,
        excerpt: '124',
      },
      { submission_id: ids.third, points: 0, points_then: 5, decided_by: null },
      { submission_id: ids.decided, points: 1, points_then: 5, decided_by: world.instructor.username, released: true },
    ])
    expect(answers).toHaveLength(3)
    expect([criterion, granted]).toMatchObject([{ id: 'q3', points: 5 }, 5])
    expect((await rubric()).version).toBe(version)
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0, by: 'ai' })
  })

  it('is offered only for what was granted, and an accepted answer only for the full points', async () => {
    expect((await world.create()).status).toBe(409)
    await world.grant(3)
    const refused = await world.create()
    expect([refused.status, refused.body.message]).toMatchObject([422, expect.stringContaining('Clarify the rubric')])
    const { answers } = await world.preview({ kind: 'clarification', text: '124 earns 3 points.' })
    // The grader reads no notes: the group speaks for these.
    expect(answers.map(({ by, points_then }) => [by, points_then])).toEqual([
      ['group', 3],
      ['group', 3],
      ['group', 3],
    ])
  })

  it('is nobody else’s to see or to do', async () => {
    await world.grant(5)
    const other = await buildPerson('instructor')
    expect((await world.create({}, other)).status).toBe(404)
    const { id } = await world.preview()
    const params = { ...world.params, amendmentId: id }
    expect((await api.as(other).send(getAmendment, { params })).status).toBe(404)
    const body = { submission_ids: [], as: 'decisions' as const }
    expect((await api.as(other).send(applyAmendment, { params, body })).status).toBe(404)
    expect((await api.as(world.students[0] as Person).send(getAmendment, { params })).status).toBe(403)
  })
})

describe('what a model graded', () => {
  it('is told by its group alone, and gets the points the teacher enters', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, outdated } = world
    await SubmissionModel.updateMany(
      { assignment_id: world.params.assignmentId },
      { $set: { 'grade.grader.name': 'llm' } },
    )
    const { id, answers } = await preview()
    expect(answers.map(({ submission_id, by }) => [submission_id, by])).toEqual([
      [ids.second, 'group'],
      [ids.third, 'group'],
      [ids.decided, 'group'],
    ])
    const body = { submission_ids: [ids.second, ids.third], as: 'suggestions' as const }
    const tooMany = await apply(id, { ...body, group_points: 6 })
    expect([tooMany.status, tooMany.body.message]).toEqual([422, 'At most 5 points'])
    await apply(id, { ...body, group_points: 4 })
    expect(await settled(id, 'applied')).toMatchObject({ result: { changed: 2, skipped: 0 } })
    expect(await gradeOf(ids.second)).toEqual({ points: 4, by: 'teacher', released: true })
    // Nobody knows what the model says of 144 by the changed rubric.
    expect(await outdated()).toBe(1)
  })
})

describe('an amendment that is applied', () => {
  it('changes the rubric and the chosen answers, tells their students, and leaves what a person decided', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, seenBy, rubric, outdated } = world
    const { id } = await preview()
    const applied = await apply(id, { submission_ids: [ids.second, ids.third], as: 'decisions' })
    expect(applied.status).toBe(202)
    expect(await settled(id, 'applied')).toMatchObject({ result: { changed: 2, skipped: 0 } })
    const ofRequest = { params: { ...world.params, regradeId: world.regradeId } }
    expect((await world.teacher.send(listAmendments, ofRequest)).body).toMatchObject({
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
    // Nothing else is to be graded again because of it.
    expect(await outdated()).toBe(0)
  })

  it('can be undone as any decision', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, teacher, params } = world
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second, ids.third], as: 'decisions' })
    await settled(id, 'applied')
    const question = { ...params, questionId: 'q3' }
    const { undo } = (await teacher.send(getQuestion, { params: question })).body
    expect(undo).toMatchObject({ kind: 'decision', answers: 2 })
    await teacher.send(undoQuestionChange, { params: { ...question, changeId: undo?.id ?? 0 } })
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0, by: 'ai' })
    expect((await world.seenBy(1)).points_amended).toEqual([])
  })

  it('gives suggestions where they are wanted, released again; what was not chosen waits for a new run', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, seenBy, outdated } = world
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second, ids.decided], as: 'suggestions' })
    await settled(id, 'applied')
    expect(await gradeOf(ids.second)).toEqual({ points: 5, by: 'ai', released: true })
    // A person's points change only to a person's points.
    expect(await gradeOf(ids.decided)).toEqual({ points: 5, by: 'teacher', released: true })
    expect(await gradeOf(ids.third)).toEqual({ points: 0, by: 'ai', released: true })
    expect((await seenBy(1)).criterion_grades[2]).toMatchObject({ score: 5, score_by: 'ai' })
    expect(await outdated()).toBe(1)
  })

  it('leaves alone what somebody has decided since the list was made', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, teacher, params } = world
    const { id } = await preview()
    await teacher.send(decideAnswers, {
      params: { ...params, questionId: 'q3' },
      body: { answers: [{ submission_id: ids.second, decided: null }], points: { q3: 2 } },
    })
    await apply(id, { submission_ids: [ids.second, ids.third], as: 'decisions' })
    expect(await settled(id, 'applied')).toMatchObject({ result: { changed: 1, skipped: 1 } })
    expect(await gradeOf(ids.second)).toMatchObject({ points: 2 })
  })

  it('is refused, and nothing changes, where the rubric is another by now', async () => {
    await world.grant(5)
    const { ids, preview, apply, get, gradeOf, rubric, teacher, params } = world
    const { id } = await preview()
    const now = await rubric()
    if (!now.rubric) throw new Error('a rubric')
    const [one, ...others] = now.rubric.questions
    if (!one) throw new Error('a question')
    const edited = { ...now.rubric, questions: [{ ...one, notes: 'Be kind.' }, ...others] }
    await teacher.send(saveRubric, { params, body: { version: now.version, rubric: edited, note: '' } })
    const refused = await apply(id, { submission_ids: [ids.second], as: 'decisions' })
    expect([refused.status, refused.body.message]).toMatchObject([409, expect.stringContaining('start again')])
    expect((await get(id)).state).toBe('ready')
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0 })
  })

  it('is applied once, and not after it was discarded', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, teacher, params } = world
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second], as: 'decisions' })
    await settled(id, 'applied')
    expect((await apply(id, { submission_ids: [ids.third], as: 'decisions' })).status).toBe(409)
    const next = await preview({ kind: 'clarification', text: 'Base 11 counts.' })
    await teacher.send(stopAmendment, { params: { ...params, amendmentId: next.id } })
    expect((await apply(next.id, { submission_ids: [], as: 'decisions' })).status).toBe(409)
  })
})

describe('an amendment that is undone', () => {
  const undo = (world: Awaited<ReturnType<typeof buildGranted>>, amendmentId: number) =>
    world.teacher.send(undoAmendment, { params: { ...world.params, amendmentId } })

  it.each(['decisions', 'suggestions'] as const)('has its rubric and its points back: %s', async (as) => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, seenBy, rubric, outdated } = world
    const before = await rubric()
    const points = [await gradeOf(ids.second), await gradeOf(ids.third)]
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second, ids.third, ids.decided], as })
    await settled(id, 'applied')
    expect((await undo(world, id)).status).toBe(202)
    expect(await settled(id, 'undone')).toMatchObject({ undone: { restored: 3, left: 0 }, failure: null })
    expect((await rubric()).rubric?.questions).toEqual(before.rubric?.questions)
    expect([await gradeOf(ids.second), await gradeOf(ids.third)]).toEqual(points)
    expect(await gradeOf(ids.decided)).toEqual({ points: 1, by: 'teacher', released: true })
    // What the student was granted stays.
    expect(await gradeOf(ids.first)).toEqual({ points: 5, by: 'teacher', released: true })
    expect((await seenBy(1)).criterion_grades[2]).toMatchObject({ score: points[0]?.points })
    expect((await seenBy(1)).points_amended).toEqual([])
    expect(await outdated()).toBe(0)
    // Once more: nothing happens.
    const { version } = await rubric()
    expect((await undo(world, id)).body.state).toBe('undone')
    expect((await rubric()).version).toBe(version)
    const audited = await AuditModel.find({ action: 'amendment.undone', 'subject.amendment_id': id }).lean()
    expect(audited).toMatchObject([{ actor_id: world.instructor.id, before: { text: '124', answers: 3 } }])
  })

  it('leaves what somebody has decided otherwise since', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, teacher, params } = world
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second, ids.third], as: 'decisions' })
    await settled(id, 'applied')
    await teacher.send(decideAnswers, {
      params: { ...params, questionId: 'q3' },
      body: { answers: [{ submission_id: ids.second, decided: { q3: 5 } }], points: { q3: 4 } },
    })
    await undo(world, id)
    expect((await settled(id, 'undone')).undone).toEqual({ restored: 1, left: 1 })
    expect(await gradeOf(ids.second)).toMatchObject({ points: 4, by: 'teacher' })
    expect(await gradeOf(ids.third)).toMatchObject({ points: 0, by: 'ai' })
  })

  it('restores the rubric where its decision was undone before', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, teacher, params, rubric } = world
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second], as: 'decisions' })
    await settled(id, 'applied')
    const question = { ...params, questionId: 'q3' }
    const { undo: last } = (await teacher.send(getQuestion, { params: question })).body
    await teacher.send(undoQuestionChange, { params: { ...question, changeId: last?.id ?? 0 } })
    await undo(world, id)
    await settled(id, 'undone')
    expect((await rubric()).rubric?.questions[2]?.criteria[0]?.alternatives).toEqual([])
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0, by: 'ai' })
  })

  it('says why not where the question was changed since, and keeps changes to others', async () => {
    await world.grant(5)
    const { ids, preview, apply, settled, rubric, teacher, params, gradeOf } = world
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second], as: 'decisions' })
    await settled(id, 'applied')
    const later = await preview({ kind: 'clarification', text: 'Base 11 counts.' })
    await apply(later.id, { submission_ids: [], as: 'decisions' })
    await settled(later.id, 'applied')
    const refused = await undo(world, id)
    expect([refused.status, refused.body.message]).toMatchObject([
      409,
      expect.stringContaining('Question 3 of the rubric was changed again'),
    ])
    expect((await world.get(id)).state).toBe('applied')
    expect(await gradeOf(ids.second)).toMatchObject({ points: 5 })
    const now = await rubric()
    const [one, ...others] = now.rubric?.questions ?? []
    if (!now.rubric || !one) throw new Error('a rubric')
    const edited = { ...now.rubric, questions: [{ ...one, notes: 'Be kind.' }, ...others] }
    await teacher.send(saveRubric, { params, body: { version: now.version, rubric: edited, note: '' } })
    await undo(world, later.id)
    await settled(later.id, 'undone')
    await undo(world, id)
    await settled(id, 'undone')
    const { questions = [] } = (await rubric()).rubric ?? {}
    expect([questions[0]?.notes, questions[2]?.notes ?? '', questions[2]?.criteria[0]?.alternatives]).toEqual([
      'Be kind.',
      '',
      [],
    ])
  })

  it('is nothing before it was applied, and nobody else’s', async () => {
    await world.grant(5)
    const { id } = await world.preview()
    expect((await undo(world, id)).status).toBe(409)
    const params = { ...world.params, amendmentId: id }
    expect((await api.as(await buildPerson('instructor')).send(undoAmendment, { params })).status).toBe(404)
  })
})

describe('an amendment whose request ended half-way', () => {
  const undo = (amendmentId: number) => world.teacher.send(undoAmendment, { params: { ...world.params, amendmentId } })
  const dies = () => Promise.reject(new Error('the database is gone'))
  /** What a request dies at: the first is after the rubric has changed. */
  const deaths = [
    ['the audit log', () => vi.spyOn(AuditModel, 'insertMany').mockImplementation(dies)],
    ['the queue', () => vi.spyOn(server.running.services.jobs, 'add').mockImplementation(dies)],
  ] as const
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each(deaths)('is applied, and undone, when that is asked for again: %s', async (_, kill) => {
    await world.grant(5)
    const { ids, preview, apply, get, settled, gradeOf, rubric } = world
    const { id } = await preview()
    const body = { submission_ids: [ids.second], as: 'decisions' as const }
    const { version } = await rubric()
    const applying = kill()
    expect((await apply(id, body)).status).toBe(500)
    applying.mockRestore()
    expect((await get(id)).state).toBe('ready')
    expect((await apply(id, body)).status).toBe(202)
    await settled(id, 'applied')
    expect((await rubric()).version).toBe(version + 1)
    expect(await gradeOf(ids.second)).toMatchObject({ points: 5 })

    const undoing = kill()
    expect((await undo(id)).status).toBe(500)
    undoing.mockRestore()
    expect((await get(id)).state).toBe('applied')
    expect((await undo(id)).status).toBe(202)
    await settled(id, 'undone')
    expect((await rubric()).version).toBe(version + 2)
    expect(await gradeOf(ids.second)).toMatchObject({ points: 0 })
  })

  it('goes on when it is asked for again, where its process died before there was a job', async () => {
    await world.grant(5)
    const { ids, preview, apply, get, settled } = world
    const { id } = await preview()
    const body = { submission_ids: [ids.second], as: 'decisions' as const }
    const longAgo = new Date(Date.now() - 10 * 60 * 1000)
    const by = { actor: { id: world.instructor.id, role: 'instructor', session_id: 'gone' }, at: longAgo }
    const choice = { ...body, ...by, group_points: 5, change_id: 900_020 }
    await RubricAmendmentModel.updateOne({ _id: id }, { $set: { state: 'applying', choice } })
    expect((await apply(id, body)).status).toBe(409)
    await settled(id, 'applied')

    const asked = { ...by, change_id: 900_021, restored: [] }
    // One of a moment ago has its request still, which is not overtaken.
    await RubricAmendmentModel.updateOne(
      { _id: id },
      { $set: { state: 'undoing', undo: { ...asked, at: new Date() } } },
    )
    const add = vi.spyOn(server.running.services.jobs, 'add')
    const added = () => add.mock.calls.filter(([{ name }]) => name === 'amend-rubric')
    expect((await undo(id)).body.state).toBe('undoing')
    expect(added()).toEqual([])
    await RubricAmendmentModel.updateOne({ _id: id }, { $set: { undo: asked } })
    expect((await undo(id)).body.state).toBe('undoing')
    expect((await settled(id, 'undone')).undone).toEqual({ restored: 1, left: 0 })
    // An erasure has taken a paper out of one list, and not of the other yet.
    await RubricAmendmentModel.updateOne({ _id: id }, { $set: { changed: [] } })
    expect((await get(id)).undone).toEqual({ restored: 1, left: 0 })
  })
})

describe('an amendment whose process ended', () => {
  const resume = () => {
    const { services } = server.running
    return createAmendments(services, async () => {}).resume?.()
  }
  const choice = (ids: number[], as: 'decisions' | 'suggestions', change_id: number) => ({
    submission_ids: ids,
    as,
    group_points: 5,
    actor: { id: world.instructor.id, role: 'instructor', session_id: 'gone' },
    at: new Date(),
    change_id,
  })

  it('is applied whole when it starts again: before the rubric was changed', async () => {
    await world.grant(5)
    const { ids, preview, settled, gradeOf, rubric } = world
    const { id } = await preview()
    const chosen = choice([ids.second], 'decisions', 900_001)
    await RubricAmendmentModel.updateOne({ _id: id }, { $set: { state: 'applying', choice: chosen } })
    await resume()
    await settled(id, 'applied')
    expect(await gradeOf(ids.second)).toMatchObject({ points: 5, by: 'teacher' })
    expect((await rubric()).rubric?.questions[2]?.criteria[0]?.alternatives).toEqual(['124'])
  })

  it.each(['decisions', 'suggestions'] as const)('changes nothing twice: %s', async (as) => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, rubric } = world
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second, ids.third], as })
    const first = await settled(id, 'applied')
    const { version } = await rubric()
    const changes = await QuestionChangeModel.countDocuments({ assignment_id: world.params.assignmentId })
    await RubricAmendmentModel.updateOne({ _id: id }, { $set: { state: 'applying', changed: [], skipped: 0 } })
    // Under another key, as the job of the first time is known by its own.
    await server.running.services.jobs.add({ name: 'amend-rubric', payload: z.any() }, [
      {
        key: `${id}/again`,
        group: `amend/${id}`,
        payload: { assignmentId: world.params.assignmentId, amendmentId: id },
      },
    ])
    expect((await settled(id, 'applied')).result).toEqual(first.result)
    expect((await rubric()).version).toBe(version)
    expect(await QuestionChangeModel.countDocuments({ assignment_id: world.params.assignmentId })).toBe(changes)
    expect(await gradeOf(ids.third)).toMatchObject({ points: 5, released: true })
  })

  it.each(['decisions', 'suggestions'] as const)('is undone once, however often it is begun: %s', async (as) => {
    await world.grant(5)
    const { ids, preview, apply, settled, gradeOf, rubric, seenBy } = world
    const { assignmentId } = world.params
    const { id } = await preview()
    await apply(id, { submission_ids: [ids.second, ids.third], as })
    await settled(id, 'applied')
    const actor = { id: world.instructor.id, role: 'instructor', session_id: 'gone' }
    const asked = { actor, at: new Date(), change_id: 900_010, restored: [] }
    await RubricAmendmentModel.updateOne({ _id: id }, { $set: { state: 'undoing', undo: asked } })
    await resume()
    expect((await settled(id, 'undone')).undone).toEqual({ restored: 2, left: 0 })
    const { version } = await rubric()
    const changes = await QuestionChangeModel.countDocuments({ assignment_id: assignmentId })
    // All was done, but not said to be.
    const again = { ...asked, at: new Date(asked.at.getTime() + 1) }
    await RubricAmendmentModel.updateOne({ _id: id }, { $set: { state: 'undoing', undo: again } })
    await resume()
    expect((await settled(id, 'undone')).undone).toEqual({ restored: 2, left: 0 })
    expect((await rubric()).version).toBe(version)
    expect(await QuestionChangeModel.countDocuments({ assignment_id: assignmentId })).toBe(changes)
    expect(await gradeOf(ids.third)).toEqual({ points: 0, by: 'ai', released: true })
    expect((await seenBy(2)).criterion_grades[2]).toMatchObject({ score: 0 })
  })
})
