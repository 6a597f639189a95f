import { AssignmentModel } from '../records/assignments/assignment.model.ts'
import { RegradeModel } from '../records/grading/regrade.model.ts'
import { RunModel } from '../records/grading/run.model.ts'
import { SubmissionModel } from '../records/submissions/submission.model.ts'

/** As if all that was done to an assignment so far had been done at one moment. */
export async function ageAssignment(assignmentId: number, at: Date): Promise<void> {
  const mine = { assignment_id: assignmentId }
  await AssignmentModel.updateOne({ _id: assignmentId }, { $set: { created_at: at, updated_at: at } })
  await AssignmentModel.updateOne({ _id: assignmentId, published_at: { $ne: null } }, { $set: { published_at: at } })
  await SubmissionModel.updateMany(mine, { $set: { created_at: at, updated_at: at } })
  await RunModel.updateMany(mine, { $set: { started_at: at, finished_at: at } })
  await RegradeModel.updateMany({ ...mine, state: 'answered' }, { $set: { answered_at: at } })
}
