import { AuditModel, recordAudit } from '../../audit/audit.service.ts'
import type { JobQueue } from '../../lib/jobs/job-queue.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type RubricMakingDoc, RubricMakingModel } from '../../records/assignments/rubric-making.model.ts'
import { type RubricVersionDoc, RubricVersionModel } from '../../records/assignments/rubric-version.model.ts'
import { storeVersion } from './rubric.service.ts'

type MakingRef = Pick<RubricMakingDoc, '_id' | 'making_id'>

const byMakingRef = ({ _id, making_id }: MakingRef) => ({ _id, making_id })

/** Of this making alone: stopping one must not take back the next, begun in another tab in the same moment. */
export const makingJobGroup = ({ _id, making_id }: MakingRef) => `rubric:${_id}/${making_id}`

/** Null once it is over: stopped, failed, deleted with its assignment, or its rubric stored. */
export function findOpenMaking(making: MakingRef): Promise<RubricMakingDoc | null> {
  return RubricMakingModel.findOne({ ...byMakingRef(making), state: { $ne: 'failed' } }).lean()
}

/** Says what is being done just now. */
export async function setMakingMessage(making: MakingRef, message: string): Promise<void> {
  await RubricMakingModel.updateOne({ ...byMakingRef(making), state: 'running' }, { $set: { message } })
}

/** From here on it cannot be stopped any more. False when it has been. */
export async function beginSaving(making: MakingRef): Promise<boolean> {
  const { matchedCount } = await RubricMakingModel.updateOne(
    { ...byMakingRef(making), state: { $ne: 'failed' } },
    { $set: { state: 'putting' } },
  )
  return matchedCount > 0
}

export async function failMaking(making: MakingRef, message: string): Promise<void> {
  await RubricMakingModel.updateOne(byMakingRef(making), { $set: { state: 'failed', message } })
}

/** The version that a making has stored, where its process died before it could end the making. */
export async function versionMadeBy(
  assignment: AssignmentDoc,
  { made_on, making_id }: Pick<RubricMakingDoc, 'made_on' | 'making_id'>,
): Promise<RubricVersionDoc | null> {
  await storeVersion(assignment)
  const id = `${assignment._id}/${made_on + 1}`
  return RubricVersionModel.findOne({ _id: id, 'made.making_id': making_id }).lean()
}

/** Writes down what a making came to, once, and ends it. */
export async function endMaking(making: RubricMakingDoc, { version, made }: RubricVersionDoc): Promise<void> {
  const action = 'rubric.made'
  const subject = { assignment_id: making._id }
  const known = { action, 'subject.assignment_id': making._id, 'after.version': version }
  if (!(await AuditModel.exists(known))) {
    const actor = { id: making.actor_id, role: making.actor_role, sessionId: making.session_id }
    await recordAudit(actor, action, subject, made.at, {
      before: { version: making.made_on },
      after: { version, by: made.name ?? making.by },
    })
  }
  await RubricMakingModel.deleteOne(byMakingRef(making))
}

/** The current rubric stays; an answer under way is not awaited. A making that is just being saved is not stopped. */
export async function stopMaking(assignmentId: number, { jobs }: { jobs: JobQueue }): Promise<void> {
  const stopped = await RubricMakingModel.findOneAndDelete({ _id: assignmentId, state: 'running' }).lean()
  if (stopped) await jobs.cancel(makingJobGroup(stopped))
}
