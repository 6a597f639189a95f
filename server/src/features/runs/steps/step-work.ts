import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { RunHead } from '../../../records/grading/run.model.ts'
import { AnswersModel } from '../../../records/submissions/answers.model.ts'
import { SubmissionModel } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { findRunHead } from '../run.service.ts'
import { failPaper, findRunPaper, setPaperState } from '../run-papers.ts'
import type { RunProgress } from '../run-progress.ts'
import { INTERNAL_FAILURE, pendingStateOf, type RunPaperPayload } from './run-steps.ts'

/** What a job is about, or null when it is no longer wanted: stopped, deleted, or done by an earlier try. */
export async function loadStepInput(
  { runId, submissionId }: RunPaperPayload,
  phase: keyof typeof pendingStateOf,
  progress: RunProgress,
): Promise<{ run: RunHead; assignment: AssignmentDoc } | null> {
  const [run, paper] = await Promise.all([findRunHead(runId), findRunPaper(runId, submissionId)])
  if (run?.status !== phase || paper?.state !== pendingStateOf[phase]) {
    await progress.carryOn(runId)
    return null
  }
  const assignment = await findAssignment(run.assignment_id)
  return assignment ? { run, assignment } : null
}

/** Deleted or handed in anew meanwhile: the run goes on without it, and nothing of it stays in the class. */
export async function skipPaper({ runId, submissionId }: RunPaperPayload, progress: RunProgress): Promise<void> {
  await setPaperState(runId, submissionId, 'stopped')
  const submission = await SubmissionModel.findById(submissionId, { 'file.hash': 1 }).lean()
  await AnswersModel.deleteOne({ _id: submissionId, file_hash: { $ne: submission?.file.hash ?? '' } })
  await progress.advance(runId)
}

/** For a job's last failure, which is an error of ours. */
export function failPaperOnExhaustion(services: Services, progress: RunProgress) {
  return async ({ runId, submissionId }: RunPaperPayload): Promise<void> => {
    await failPaper(runId, submissionId, INTERNAL_FAILURE, services)
    await progress.advance(runId)
  }
}
