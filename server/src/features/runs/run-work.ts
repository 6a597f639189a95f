import type { Services } from '../../services.ts'
import type { AssignmentDoc } from '../assignments/assignment.model.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { SubmissionModel } from '../submissions/submission.model.ts'
import type { RunHead } from './run.model.ts'
import { findRunHead } from './run.service.ts'
import { failPaper, findRunPaper, setState } from './run-papers.ts'
import type { RunProgress } from './run-progress.ts'
import { BROKEN, type OfPaper, openIn } from './run-steps.ts'

/** What a job is about, or null when it is no longer wanted: stopped, deleted, or done by an earlier try. */
export async function findWork(
  { runId, submissionId }: OfPaper,
  phase: keyof typeof openIn,
  progress: RunProgress,
): Promise<{ run: RunHead; assignment: AssignmentDoc } | null> {
  const [run, paper] = await Promise.all([findRunHead(runId), findRunPaper(runId, submissionId)])
  if (run?.status !== phase || paper?.state !== openIn[phase]) {
    await progress.carryOn(runId)
    return null
  }
  const assignment = await findAssignment(run.assignment_id)
  return assignment ? { run, assignment } : null
}

/** Deleted or handed in anew meanwhile: the run goes on without it, and nothing of it stays in the class. */
export async function dropPaper({ runId, submissionId }: OfPaper, progress: RunProgress): Promise<void> {
  await setState(runId, submissionId, 'stopped')
  const submission = await SubmissionModel.findById(submissionId, { 'file.hash': 1 }).lean()
  await AnswersModel.deleteOne({ _id: submissionId, file_hash: { $ne: submission?.file.hash ?? '' } })
  await progress.advance(runId)
}

/** For a job's last failure, which is an error of ours. */
export function givingUp(services: Services, progress: RunProgress) {
  return async ({ runId, submissionId }: OfPaper): Promise<void> => {
    await failPaper(runId, submissionId, BROKEN, services)
    await progress.advance(runId)
  }
}
