import { createAssignment } from '@assay/shared/assignments.ts'
import {
  exportRubric,
  generateRubric,
  getAssignmentPaper,
  getRubric,
  listRubricVersions,
  saveRubric,
} from '@assay/shared/rubric-endpoints.ts'
import { parseRubricFile } from '@assay/shared/rules/rubric-file.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { JobModel } from '../../lib/jobs/job.model.ts'
import {
  type RubricGenerationDoc,
  RubricGenerationModel,
  RubricVersionModel,
} from '../../records/assignments/rubric-version.model.ts'
import { buildAssignment, buildCourse, quizFiles } from '../../testing/build-course.ts'
import { type Person, useTestApi } from '../../testing/server.ts'

const { api, server } = useTestApi()

async function build() {
  const { instructor } = await buildCourse(api, { students: 0 })
  const { assignmentId } = await buildAssignment(api, { instructor }, [])
  return { instructor, params: { assignmentId } }
}

/** As it is in the database from the first moment. */
const generationOf = (instructor: Person, { assignmentId }: { assignmentId: number }): RubricGenerationDoc => ({
  _id: assignmentId,
  generation_id: 10_000 + assignmentId,
  by: 'rules',
  state: 'running',
  message: 'Reading the blank assignment',
  made_on: 0,
  actor_id: instructor.id,
  actor_role: 'instructor',
  session_id: 'none',
})

const loadRubric = async (teacher: Person, params: { assignmentId: number }) =>
  (await api.as(teacher).send(getRubric, { params })).body

async function made(teacher: Person, params: { assignmentId: number }) {
  await expect.poll(async () => (await loadRubric(teacher, params)).generation?.state ?? 'over').not.toBe('running')
  return loadRubric(teacher, params)
}

describe('generating a rubric from blank and key', () => {
  it('needs no papers and no run, and is never done over a teacher’s words unasked', async () => {
    const { instructor, params } = await build()
    const make = (body: { by: 'rules' | 'model'; replace?: boolean }) =>
      api.as(instructor).send(generateRubric, { params, body })
    const begun = await make({ by: 'rules' })
    expect(begun.status).toBe(202)
    const first = await made(instructor, params)
    expect(first).toMatchObject({ version: 1, made: { made_by: 'rules', points: 20 }, generation: null })
    expect(first.rubric?.questions.map((question) => question.printed_points)).toEqual([10, 5, 5])

    const rubric = { questions: first.rubric?.questions.slice(0, 1) ?? [], problems: [] }
    await api.as(instructor).send(saveRubric, { params, body: { version: 1, rubric } })
    const refused = await make({ by: 'rules' })
    expect(refused).toMatchObject({ status: 409, body: { error_code: 'conflict' } })
    expect(refused.body.message).toMatch(/written or edited by a teacher/)
    expect((await loadRubric(instructor, params)).rubric).toEqual(rubric)

    expect((await make({ by: 'rules', replace: true })).status).toBe(202)
    expect(await made(instructor, params)).toMatchObject({ version: 3, rubric: first.rubric })
    const versions = await api.as(instructor).send(listRubricVersions, { params })
    expect(versions.body.map(({ made_by }) => made_by)).toEqual(['rules', 'user', 'rules'])
  })

  it('is offered by a model only where one is set up', async () => {
    const { instructor, params } = await build()
    expect((await loadRubric(instructor, params)).model).toBeNull()
    const refused = await api.as(instructor).send(generateRubric, { params, body: { by: 'model' } })
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(/No AI model is set up/)
  })

  it('says what is wrong with the papers, and can be tried again', async () => {
    const { instructor } = await buildCourse(api, { students: 0 })
    const { blank } = await quizFiles()
    const created = await api
      .as(instructor)
      .send(createAssignment, {
        body: { name: 'Broken key' },
        files: { blank_pdf: [blank], answer_key_pdf: [{ name: 'key.pdf', bytes: '%PDF-1.4 cut' }] },
      })
    const params = { assignmentId: created.body.id }
    const make = () => api.as(instructor).send(generateRubric, { params, body: { by: 'rules' } })
    expect((await make()).status).toBe(202)
    const failed = await made(instructor, params)
    expect(failed).toMatchObject({ rubric: null, version: 0, generation: { state: 'failed' } })
    expect(failed.generation?.message).toMatch(/^The answer key could not be read\. .*damaged/)
    expect((await make()).status).toBe(202)
    await made(instructor, params)
  })

  it('is taken up where a process died over it', async () => {
    const { instructor, params } = await build()
    await RubricGenerationModel.create(generationOf(instructor, params))
    await server.running.rubrics.resume()
    expect(await made(instructor, params)).toMatchObject({ version: 1, generation: null })
  })

  describe.each([
    ['before it was in the audit log', true],
    ['before the generation was over', false],
  ])('by a process that died after the rubric was stored, %s', (_, unlogged) => {
    async function buildDead() {
      const { instructor, params } = await build()
      await api.as(instructor).send(generateRubric, { params, body: { by: 'rules' } })
      const first = await made(instructor, params)
      await expect.poll(() => JobModel.countDocuments({ name: /^generate-rubric/ })).toBe(0)
      const version = await RubricVersionModel.findById(`${params.assignmentId}/1`).lean()
      const filter = { action: 'rubric.made', 'subject.assignment_id': params.assignmentId }
      if (unlogged) await AuditModel.deleteMany(filter)
      await RubricGenerationModel.create({
        ...generationOf(instructor, params),
        generation_id: version?.made.generation_id ?? 0,
        state: 'saving',
      })
      return { instructor, params, first, auditEvents: () => AuditModel.find(filter).lean() }
    }

    it('is logged once and completed', async () => {
      const { instructor, params, first, auditEvents } = await buildDead()
      await server.running.rubrics.resume()
      expect(await made(instructor, params)).toEqual({ ...first, generation: null })
      expect(await auditEvents()).toMatchObject([
        { actor_id: instructor.id, before: { version: 0 }, after: { version: 1, by: 'rules' } },
      ])
    })

    it('preserves what a teacher has changed since', async () => {
      const { instructor, params, first, auditEvents } = await buildDead()
      const rubric = { questions: first.rubric?.questions.slice(0, 1) ?? [], problems: [] }
      await api.as(instructor).send(saveRubric, { params, body: { version: 1, rubric } })
      await server.running.rubrics.resume()
      expect(await made(instructor, params)).toMatchObject({ version: 2, rubric, generation: null })
      expect(await auditEvents()).toHaveLength(1)
    })
  })
})

describe('what is shown beside a rubric', () => {
  it('is its file, which comes back as it went', async () => {
    const { instructor, params } = await build()
    expect((await api.as(instructor).send(exportRubric, { params })).status).toBe(404)
    await api.as(instructor).send(generateRubric, { params, body: { by: 'rules' } })
    const { rubric } = await made(instructor, params)
    const file = await api.as(instructor).send(exportRubric, { params })
    expect(file.body).toMatchObject({ format: 'assay-rubric/1', title: 'Water and heat' })
    const read = parseRubricFile(file.text, rubric)
    expect('rubric' in read && read.rubric.questions).toEqual(rubric?.questions)
  })

  it('are the blank and the key, by range too', async () => {
    const { instructor, params } = await build()
    const { key } = await quizFiles()
    const range = { headers: { range: 'bytes=0-4' } }
    const whole = { params: { ...params, which: 'key' as const } }
    const got = await api.as(instructor).send(getAssignmentPaper, whole)
    expect(got.headers.get('content-type')).toBe('application/pdf')
    expect(Number(got.headers.get('content-length'))).toBe(key.bytes.length)
    expect((await api.as(instructor).send(getAssignmentPaper, { ...whole, ...range })).text).toBe('%PDF-')
  })
})
