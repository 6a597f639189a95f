import type { mongo } from 'mongoose'
import { expect, it } from 'vitest'
import { AssignmentModel } from '../records/assignments/assignment.model.ts'
import { RubricGenerationModel, RubricVersionModel } from '../records/assignments/rubric-version.model.ts'
import { startTestServer } from '../testing/server.ts'
import { useStoredData } from '../testing/stored-data.ts'
import { renameRubricGenerations } from './0004-rename-rubric-generations.ts'

const data = useStoredData()

const at = new Date()
const origin = { by: 'rules', user_id: null, name: null, note: '', at }
const begun = { by: 'rules', message: 'Reading', made_on: 0, actor_id: 1, actor_role: 'instructor', session_id: 's' }
const inTheFuture = new Date(at.getTime() + 60 * 60 * 1000)
const jobRow = { group: 'rubric:8/42', status: 'queued', run_at: inTheFuture, attempts: 0, claims: 0 }

async function writeOldData(db: mongo.Db): Promise<void> {
  const insert = (name: string, ...docs: Record<string, unknown>[]) =>
    db.collection(name).insertMany(docs as mongo.OptionalId<mongo.Document>[])
  await insert(
    'rubric_makings',
    { ...begun, _id: 7, making_id: 41, state: 'failed' },
    { ...begun, _id: 8, making_id: 42, state: 'putting' },
  )
  await insert('counters', { _id: 'rubric_makings', value: 42 })
  const rubric = { questions: [] }
  await insert(
    'rubric_versions',
    { _id: '9/1', assignment_id: 9, version: 1, rubric, questions: [], made: { ...origin, making_id: 40 } },
    { _id: '9/2', assignment_id: 9, version: 2, rubric, questions: [], made: origin },
  )
  await insert('assignments', {
    _id: 9,
    rubric,
    rubric_version: 2,
    rubric_made: { ...origin, making_id: 40 },
    laid_by_version: 1,
  })
  await insert(
    'jobs',
    {
      ...jobRow,
      _id: 'make-rubric-by-rules:42',
      name: 'make-rubric-by-rules',
      payload: { assignmentId: 8, makingId: 42 },
    },
    { ...jobRow, _id: 'mail:1', name: 'mail', payload: {} },
  )
}

it('opens what the version before stored about the generation of rubrics', async () => {
  await data.withDatabase(async (db) => {
    await writeOldData(db)
    // Twice, as after a crash before it was recorded.
    await renameRubricGenerations(db)
    await renameRubricGenerations(db)
    expect(await db.listCollections({ name: 'rubric_makings' }).toArray()).toEqual([])
    expect(await db.collection('counters').find().toArray()).toEqual([{ _id: 'rubric_generations', value: 42 }])
    expect(await db.collection('jobs').find().sort({ _id: 1 }).toArray()).toEqual([
      {
        ...jobRow,
        _id: 'generate-rubric-by-rules:42',
        name: 'generate-rubric-by-rules',
        payload: { assignmentId: 8, generationId: 42 },
      },
      { ...jobRow, _id: 'mail:1', name: 'mail', payload: {} },
    ])
    expect(await db.collection('rubric_generations').find().sort({ _id: 1 }).toArray()).toEqual([
      { ...begun, _id: 7, generation_id: 41, state: 'failed' },
      { ...begun, _id: 8, generation_id: 42, state: 'saving' },
    ])
  })

  const running = await startTestServer(data.dataDir)
  expect(await RubricGenerationModel.findById(7).lean()).toMatchObject({ generation_id: 41, state: 'failed' })
  expect(await RubricVersionModel.find().sort({ _id: 1 }).lean()).toMatchObject([
    { made: { ...origin, generation_id: 40 } },
    { made: origin },
  ])
  const assignment = await AssignmentModel.findById(9).lean()
  expect(assignment).toMatchObject({ rubric_made: { generation_id: 40 }, extraction_version: 1 })
  expect(assignment).not.toHaveProperty('laid_by_version')
  await running.stop()
})
