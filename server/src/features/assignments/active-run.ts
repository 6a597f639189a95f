import { type AssignmentDoc, AssignmentModel } from '../../records/assignments/assignment.model.ts'

/** False if another run has locked it since it was loaded, or its student work is being deleted or gone. */
export async function lockForRun(assignment: AssignmentDoc, runId: number): Promise<boolean> {
  const locked = await AssignmentModel.updateOne(
    {
      _id: assignment._id,
      active_run_id: { $in: [assignment.active_run_id, null] },
      'retention_notice.deleting': { $exists: false },
    },
    { $set: { active_run_id: runId } },
  )
  return locked.modifiedCount > 0
}

export async function unlockFromRun(assignmentId: number, runId: number): Promise<void> {
  await AssignmentModel.updateOne({ _id: assignmentId, active_run_id: runId }, { $set: { active_run_id: null } })
}

export async function isLockedByRun(assignmentId: number, runId: number): Promise<boolean> {
  return (await AssignmentModel.exists({ _id: assignmentId, active_run_id: runId })) !== null
}
