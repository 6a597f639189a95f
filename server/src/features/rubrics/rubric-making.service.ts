import type { JobQueue } from '../../lib/job-queue.ts'
import { AuditModel, recordAudit } from '../admin/audit.service.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { keepVersion } from './rubric.service.ts'
import { type RubricMakingDoc, RubricMakingModel } from './rubric-making.model.ts'
import { type RubricVersionDoc, RubricVersionModel } from './rubric-version.model.ts'

type Named = Pick<RubricMakingDoc, '_id' | 'making_id'>

const only = ({ _id, making_id }: Named) => ({ _id, making_id })

/** Of this making alone: stopping one must not take back the next, begun in another tab in the same moment. */
export const makingGroup = ({ _id, making_id }: Named) => `rubric:${_id}/${making_id}`

/** Null once it is over: stopped, failed, deleted with its assignment, or in its place. */
export function findOpenMaking(making: Named): Promise<RubricMakingDoc | null> {
  return RubricMakingModel.findOne({ ...only(making), state: { $ne: 'failed' } }).lean()
}

/** What is being done just now, for whoever waits for it. */
export async function sayOfMaking(making: Named, message: string): Promise<void> {
  await RubricMakingModel.updateOne({ ...only(making), state: 'running' }, { $set: { message } })
}

/** From here on it cannot be stopped any more. False when it has been. */
export async function claimPutting(making: Named): Promise<boolean> {
  const { matchedCount } = await RubricMakingModel.updateOne(
    { ...only(making), state: { $ne: 'failed' } },
    { $set: { state: 'putting' } },
  )
  return matchedCount > 0
}

export async function failMaking(making: Named, message: string): Promise<void> {
  await RubricMakingModel.updateOne(only(making), { $set: { state: 'failed', message } })
}

/** The version a making has put in its place, where it was told nobody of before its process died. */
export async function versionMadeBy(
  assignment: AssignmentDoc,
  { made_on, making_id }: Pick<RubricMakingDoc, 'made_on' | 'making_id'>,
): Promise<RubricVersionDoc | null> {
  await keepVersion(assignment)
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
  await RubricMakingModel.deleteOne(only(making))
}

/** What stands stays; an answer under way is not waited for. One that is just taking its place comes to its end. */
export async function stopMaking(assignmentId: number, { jobs }: { jobs: JobQueue }): Promise<void> {
  const stopped = await RubricMakingModel.findOneAndDelete({ _id: assignmentId, state: 'running' }).lean()
  if (stopped) await jobs.cancel(makingGroup(stopped))
}
