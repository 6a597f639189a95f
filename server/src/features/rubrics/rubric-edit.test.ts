import { randomUUID } from 'node:crypto'
import { deleteAssignment } from '@assay/shared/assignments.ts'
import {
  getRubric,
  getRubricVersion,
  listRubricVersions,
  restoreRubricVersion,
  saveRubric,
} from '@assay/shared/rubric-endpoints.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { processAssignment, stopRun } from '@assay/shared/runs.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { RubricVersionModel } from '../../records/assignments/rubric-version.model.ts'
import { AnswersModel } from '../../records/submissions/transcription.model.ts'
import { buildCourse, buildGraded, correctAnswers, gradeAssignment, weakAnswers } from '../../testing/build-course.ts'
import { createPausedGrader } from '../../testing/paused-grader.ts'
import { type Person, useTestApi } from '../../testing/server.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { copyAssignment } from '../assignments/create-assignment.ts'
import { currentRubricUsage } from '../runs/current-rubric-usage.ts'
import { presentRubric } from './rubric.routes.ts'
import { listVersions } from './rubric.service.ts'

let meanwhile: () => Promise<void> = async () => {}
afterEach(() => {
  meanwhile = async () => {}
})
const { api, server } = useTestApi({}, { grader: createPausedGrader(() => meanwhile()) })

function build(count = 1, graded = false) {
  const answerSets = Array.from({ length: count }, (_, i) => (i % 2 ? weakAnswers : correctAnswers))
  return buildGraded(api, answerSets, { names: answerSets.map((_, i) => `Student ${i} ${randomUUID()}`), graded })
}

async function buildWithRubric(count = 1) {
  const built = await build(count, true)
  return { ...built, rubric: await rubricOf(built.instructor, built.assignmentId) }
}

async function rubricOf(instructor: Person, assignmentId: number): Promise<Rubric> {
  const { body } = await api.as(instructor).send(getRubric, { params: { assignmentId } })
  if (!body.rubric) throw new Error('no rubric yet')
  return body.rubric
}

const save = (instructor: Person, assignmentId: number, version: number, rubric: Rubric, note?: string) =>
  api
    .as(instructor)
    .send(saveRubric, { params: { assignmentId }, body: { version, rubric, ...(note ? { note } : {}) } })

function withQuestion(rubric: Rubric, index: number, change: Partial<Rubric['questions'][number]>): Rubric {
  return { ...rubric, questions: rubric.questions.map((one, i) => (i === index ? { ...one, ...change } : one)) }
}

describe('a rubric', () => {
  it('is there before any run when a teacher writes it, and the run grades by it', async () => {
    const { instructor, assignmentId } = await build()
    const params = { assignmentId }
    const before = await api.as(instructor).send(getRubric, { params })
    expect(before.body).toMatchObject({ rubric: null, version: 0, made: null, graded: 0, held: false })
    const criteria = [{ id: 'q1', text: 'All of it', points: 8, expected: 'denser', alternatives: [] }]
    const question = { id: 'q1', number: '1', prompt: 'Why does ice float on water?', criteria, regions: [] }
    const own: Rubric = { questions: [{ ...question, kind: 'text' }], problems: [] }
    const saved = await save(instructor, assignmentId, 0, own, 'by hand')
    expect(saved.body).toMatchObject({
      version: 1,
      rubric: { questions: own.questions },
      made: { made_by: 'user', note: 'by hand', points: 8, made_by_name: instructor.username },
    })
    await gradeAssignment(api, instructor, assignmentId)
    expect((await rubricOf(instructor, assignmentId)).questions).toEqual(own.questions)
  })

  it('stores every version, shows each, and restores an earlier one as a new one', async () => {
    const { instructor, assignmentId, rubric } = await buildWithRubric()
    const params = { assignmentId }
    const other = withQuestion(rubric, 2, { notes: 'Accept “a gross”.' })
    await save(instructor, assignmentId, 1, other, 'a gross is 144')
    const versions = await api.as(instructor).send(listRubricVersions, { params })
    expect(versions.body.map(({ version, made_by, note }) => [version, made_by, note])).toEqual([
      [2, 'user', 'a gross is 144'],
      [1, 'rules', ''],
    ])
    expect(versions.body.map(({ questions, points }) => [questions, points])).toEqual([
      [3, 20],
      [3, 20],
    ])
    // For the list, no words of a rubric leave the database.
    const assignment = await requireAssignment(assignmentId)
    const [point] = (await listVersions(assignment)).flatMap(({ rubric: { questions } }) => questions)
    expect(point).toEqual({ criteria: [{ points: 10 }] })
    const first = await api.as(instructor).send(getRubricVersion, { params: { assignmentId, version: 1 } })
    expect(first.body.rubric).toEqual(rubric)
    const stale = { params: { assignmentId, version: 1 }, body: { version: 1 } }
    expect((await api.as(instructor).send(restoreRubricVersion, stale)).status).toBe(409)
    const restored = await api
      .as(instructor)
      .send(restoreRubricVersion, { params: { assignmentId, version: 1 }, body: { version: 2 } })
    expect(restored.body).toMatchObject({ version: 3, rubric, made: { note: 'Version 1 restored' } })
    expect((await api.as(instructor).send(listRubricVersions, { params })).body).toHaveLength(3)
    const missing = await api.as(instructor).send(getRubricVersion, { params: { assignmentId, version: 9 } })
    expect(missing.status).toBe(404)
    const logged = await AuditModel.find({ 'subject.assignment_id': assignmentId, action: /^rubric/ }).lean()
    expect(logged.map(({ action, after }) => [action, after])).toMatchObject([
      ['rubric.changed', { version: 2, changed: [{ number: '3' }], added: [], removed: [] }],
      ['rubric.restored', { version: 3, restored: 1 }],
    ])
  })

  it('lets one of two in who save on the same version', async () => {
    const { instructor, assignmentId, rubric } = await buildWithRubric()
    const replies = await Promise.all(
      ['one', 'two'].map((notes) => save(instructor, assignmentId, 1, withQuestion(rubric, 0, { notes }), notes)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 409)?.body.message).toMatch(/changed the rubric.*Reload/)
    const stored = await rubricOf(instructor, assignmentId)
    expect(stored.questions[0]?.notes).toBe(replies.find(({ status }) => status === 200)?.body.made?.note)
    expect(await RubricVersionModel.countDocuments({ assignment_id: assignmentId })).toBe(2)
  })

  it('refuses an answer area on a page that the blank does not have', async () => {
    const { instructor, assignmentId, rubric } = await buildWithRubric()
    const { body } = await api.as(instructor).send(getRubric, { params: { assignmentId } })
    expect(body.blank_pages).toBe(1)
    const area = (page: number) => [{ page, box: { x: 1, y: 2, width: 30, height: 40 }, drawn: true as const }]
    const refused = await save(instructor, assignmentId, 1, withQuestion(rubric, 1, { regions: area(2) }))
    expect(refused).toMatchObject({
      status: 422,
      body: {
        detail: [{ loc: ['body', 'rubric', 'questions', 1, 'regions', 0, 'page'], msg: 'The blank has 1 page' }],
      },
    })
    expect((await save(instructor, assignmentId, 1, withQuestion(rubric, 1, { regions: area(1) }))).status).toBe(200)
  })

  it('reports errors at each field, and changes nothing', async () => {
    const { instructor, assignmentId, rubric } = await buildWithRubric()
    const [first, second] = rubric.questions
    const [criterion] = first?.criteria ?? []
    if (!first || !second || !criterion) throw new Error('two questions')
    const levels = [
      { points: 11, text: 'All' },
      { points: 4, text: 'Half' },
      { points: 6, text: 'More' },
    ]
    const broken: Rubric = {
      ...rubric,
      questions: [
        { ...first, criteria: [{ ...criterion, levels, alternatives: [' '] }] },
        { ...second, id: first.id, criteria: second.criteria.map((one) => ({ ...one, points: 0 })) },
      ],
    }
    const refused = await save(instructor, assignmentId, 1, broken)
    expect(refused.status).toBe(422)
    const fields = refused.body.validation_errors?.map(({ field, message }) => [field, message])
    expect(fields).toContainEqual(['rubric.questions.1.criteria.0.points', 'Points must be more than 0'])
    expect(fields).toContainEqual([
      'rubric.questions.0.criteria.0.alternatives.0',
      'An accepted answer must not be empty',
    ])
    const noLevels = { ...criterion, levels: [] }
    const twice = {
      ...broken,
      questions: [
        { ...first, criteria: [{ ...noLevels, levels }] },
        { ...second, id: first.id },
      ],
    }
    const again = await save(instructor, assignmentId, 1, twice)
    expect(again.body.validation_errors?.map(({ field }) => field)).toEqual([
      'rubric.questions.1.id',
      'rubric.questions.0.criteria.0.levels.0.points',
      'rubric.questions.0.criteria.0.levels.2.points',
    ])
    expect((await save(instructor, assignmentId, 1, { questions: [], problems: [] })).status).toBe(422)
    expect(await rubricOf(instructor, assignmentId)).toEqual(rubric)
  })

  it('stays as it is while papers are being graded by it', async () => {
    const { instructor, assignmentId, rubric } = await buildWithRubric(6)
    const params = { assignmentId }
    const { promise: held, resolve: goOn } = Promise.withResolvers<void>()
    meanwhile = () => held
    const begun = await api.as(instructor).send(processAssignment, { params, body: { force: true } })
    expect((await api.as(instructor).send(getRubric, { params })).body.held).toBe(true)
    const refused = await save(instructor, assignmentId, 1, withQuestion(rubric, 0, { notes: 'x' }))
    expect(refused).toMatchObject({ status: 409, body: { error_code: 'run_in_progress' } })
    expect(refused.body.message).toMatch(/being graded with this rubric/)
    goOn()
    await api.as(instructor).send(stopRun, { params: { assignmentId, runId: begun.body.run_id } })
    expect((await save(instructor, assignmentId, 1, withQuestion(rubric, 0, { notes: 'x' }))).status).toBe(200)
  })

  it('comes along with a copy of its assignment, as the first version there', async () => {
    const { instructor, assignmentId, rubric } = await buildWithRubric()
    const other = withQuestion(rubric, 0, { notes: 'x' })
    await save(instructor, assignmentId, 1, other)
    const from = await AssignmentModel.findById(assignmentId).lean()
    const { courseId } = await buildCourse(api, { students: 0 })
    if (!from) throw new Error('an assignment')
    const actor = { id: instructor.id, role: 'instructor' as const, sessionId: 'none' }
    const copy = await copyAssignment(from, courseId, actor, new Date())
    expect(await presentRubric(copy, server.running.services, currentRubricUsage)).toMatchObject({
      version: 1,
      rubric: other,
      made: { made_by: 'copy', made_by_name: 'Water and heat' },
      graded: 0,
    })
  })

  it('goes with its assignment, earlier versions too', async () => {
    const { instructor, assignmentId, rubric } = await buildWithRubric()
    await save(instructor, assignmentId, 1, withQuestion(rubric, 0, { notes: 'x' }))
    await api.as(instructor).send(deleteAssignment, { params: { assignmentId } })
    expect(await RubricVersionModel.countDocuments({ assignment_id: assignmentId })).toBe(0)
  })
})

describe('the answers of a class', () => {
  const extractedBy = async (assignmentId: number) => {
    const answers = await AnswersModel.find({ assignment_id: assignmentId }).sort({ _id: 1 }).lean()
    return answers.map(({ rubric_version }) => rubric_version)
  }

  it('stay extracted when only the judging changes: one paper graded again is still compared with everyone', async () => {
    const { instructor, assignmentId, submissionIds, rubric } = await buildWithRubric(4)
    await save(instructor, assignmentId, 1, withQuestion(rubric, 0, { notes: 'Mention the lattice.' }))
    const [one = 0] = submissionIds
    await gradeAssignment(api, instructor, assignmentId, { submission_ids: [one], force: true })
    expect(await extractedBy(assignmentId)).toEqual([1, 1, 1, 1])
    expect(await classSize(assignmentId)).toBe(4)
  })

  it('are all extracted again when a question is removed, even in a run over one paper', async () => {
    const { instructor, assignmentId, submissionIds, rubric } = await buildWithRubric(4)
    await save(instructor, assignmentId, 1, { ...rubric, questions: rubric.questions.slice(0, 2) })
    const [one = 0] = submissionIds
    const run = await gradeAssignment(api, instructor, assignmentId, { submission_ids: [one], force: true })
    expect(run).toMatchObject({ status: 'completed', total: 1, graded: 1 })
    expect(await extractedBy(assignmentId)).toEqual([2, 2, 2, 2])
    expect(await classSize(assignmentId)).toBe(4)
    const stored = await AnswersModel.find({ assignment_id: assignmentId }).lean()
    expect(stored.map((answers) => answers.extracted.answers.length)).toEqual([2, 2, 2, 2])
  })

  async function classSize(assignmentId: number) {
    await expect.poll(async () => (await AssignmentModel.findById(assignmentId).lean())?.active_run_id).toBeNull()
    const { RunModel } = await import('../../records/grading/run.model.ts')
    const run = await RunModel.findOne({ assignment_id: assignmentId }).sort({ _id: -1 }).lean()
    return run?.class_submission_ids?.length
  }
})
