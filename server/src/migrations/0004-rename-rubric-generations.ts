import type { mongo } from 'mongoose'
import { renameCollection, renameCounter, renameFields, renameJobs } from './migration.ts'

const fields = [
  { collection: 'rubric_generations', from: 'making_id', to: 'generation_id' },
  { collection: 'rubric_versions', from: 'made.making_id', to: 'made.generation_id' },
  { collection: 'assignments', from: 'rubric_made.making_id', to: 'rubric_made.generation_id' },
  { collection: 'assignments', from: 'laid_by_version', to: 'extraction_version' },
  { collection: 'jobs', from: 'payload.makingId', to: 'payload.generationId' },
]

export async function renameRubricGenerations(db: mongo.Db): Promise<void> {
  await renameCollection(db, 'rubric_makings', 'rubric_generations')
  await renameCounter(db, 'rubric_makings', 'rubric_generations')
  await renameFields(db, fields)
  await db.collection('rubric_generations').updateMany({ state: 'putting' }, { $set: { state: 'saving' } })
  for (const how of ['rules', 'rules-reading', 'model'])
    await renameJobs(db, `make-rubric-by-${how}`, `generate-rubric-by-${how}`)
}
