import { AuditModel, recordAudit } from '../../audit/audit.service.ts'
import type { JobQueue } from '../../lib/jobs/job-queue.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type RubricGenerationDoc, RubricGenerationModel } from '../../records/assignments/rubric-generation.model.ts'
import { type RubricVersionDoc, RubricVersionModel } from '../../records/assignments/rubric-version.model.ts'
import { storeVersion } from './rubric.service.ts'

type GenerationRef = Pick<RubricGenerationDoc, '_id' | 'generation_id'>

const byGenerationRef = ({ _id, generation_id }: GenerationRef) => ({ _id, generation_id })

/** One group each: stopping one must not cancel the next, started in another tab at the same moment. */
export const generationJobGroup = ({ _id, generation_id }: GenerationRef) => `rubric:${_id}/${generation_id}`

/** Null once it has ended: stopped, failed, deleted with its assignment, or its rubric stored. */
export function findOpenGeneration(generation: GenerationRef): Promise<RubricGenerationDoc | null> {
  return RubricGenerationModel.findOne({ ...byGenerationRef(generation), state: { $ne: 'failed' } }).lean()
}

export async function setGenerationMessage(generation: GenerationRef, message: string): Promise<void> {
  await RubricGenerationModel.updateOne({ ...byGenerationRef(generation), state: 'running' }, { $set: { message } })
}

/** From here on it cannot be stopped. False if it has been stopped already. */
export async function beginSaving(generation: GenerationRef): Promise<boolean> {
  const { matchedCount } = await RubricGenerationModel.updateOne(
    { ...byGenerationRef(generation), state: { $ne: 'failed' } },
    { $set: { state: 'saving' } },
  )
  return matchedCount > 0
}

export async function failGeneration(generation: GenerationRef, message: string): Promise<void> {
  await RubricGenerationModel.updateOne(byGenerationRef(generation), { $set: { state: 'failed', message } })
}

/** Null unless the process died after storing the version. */
export async function versionMadeBy(
  assignment: AssignmentDoc,
  { made_on, generation_id }: Pick<RubricGenerationDoc, 'made_on' | 'generation_id'>,
): Promise<RubricVersionDoc | null> {
  await storeVersion(assignment)
  const id = `${assignment._id}/${made_on + 1}`
  return RubricVersionModel.findOne({ _id: id, 'made.generation_id': generation_id }).lean()
}

/** Audits the outcome, once, and deletes the generation. */
export async function endGeneration(
  generation: RubricGenerationDoc,
  { version, made }: RubricVersionDoc,
): Promise<void> {
  const action = 'rubric.made'
  const subject = { assignment_id: generation._id }
  const known = { action, 'subject.assignment_id': generation._id, 'after.version': version }
  if (!(await AuditModel.exists(known))) {
    const actor = { id: generation.actor_id, role: generation.actor_role, sessionId: generation.session_id }
    await recordAudit(actor, action, subject, made.at, {
      before: { version: generation.made_on },
      after: { version, by: made.name ?? generation.by },
    })
  }
  await RubricGenerationModel.deleteOne(byGenerationRef(generation))
}

/** Does not wait for an LLM request in progress, nor stop a generation that is being saved. */
export async function stopGeneration(assignmentId: number, { jobs }: { jobs: JobQueue }): Promise<void> {
  const stopped = await RubricGenerationModel.findOneAndDelete({ _id: assignmentId, state: 'running' }).lean()
  if (stopped) await jobs.cancel(generationJobGroup(stopped))
}
