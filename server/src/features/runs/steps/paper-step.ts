import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { RunHead } from '../../../records/grading/run.model.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { findRunHead } from '../run.service.ts'
import { findRunPaper } from '../run-papers.ts'
import { pendingStateOf, type RunPaperPayload } from './run-steps.ts'

/** The run and assignment of a paper that waits for a phase's step; null when it does not wait for it any more. */
export async function findPendingPaper(
  { runId, submissionId }: RunPaperPayload,
  phase: keyof typeof pendingStateOf,
): Promise<{ run: RunHead; assignment: AssignmentDoc } | null> {
  const [run, paper] = await Promise.all([findRunHead(runId), findRunPaper(runId, submissionId)])
  if (run?.status !== phase || paper?.state !== pendingStateOf[phase]) return null
  const assignment = await findAssignment(run.assignment_id)
  return assignment && { run, assignment }
}
