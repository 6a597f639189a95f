import { allOf } from '../../lib/all-of.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type RunDoc, type RunPaperDoc, RunPaperModel, runPaperId } from '../../records/grading/run.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { checkClass } from '../matching/paper-problems/check-class.ts'
import { isHeld } from '../submissions/paper-problems.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { findSubmissionFile, markQueued, releaseFromRun, updateInRun } from '../submissions/submission-grading.ts'
import { setProblems } from '../submissions/submission-queries.ts'
import { deleteAnswersOfOldFile } from '../transcriptions/answers.service.ts'

export const findRunPaper = (runId: number, submissionId: number): Promise<RunPaperDoc | null> =>
  RunPaperModel.findById(runPaperId(runId, submissionId)).lean()

export async function stoppedRunsOf(submissionId: number, runIds: number[]): Promise<ReadonlySet<number>> {
  const ids = runIds.map((runId) => runPaperId(runId, submissionId))
  const papers = await RunPaperModel.find({ _id: { $in: ids }, state: 'stopped' }, { run_id: 1 }).lean()
  return new Set(papers.map(({ run_id }) => run_id))
}

/** A run stopped by another process meanwhile stays so, except for a grade stored before. */
export async function setPaperState(runId: number, submissionId: number, state: RunPaperDoc['state']): Promise<void> {
  const from: RunPaperDoc['state'][] = state === 'graded' ? ['waiting', 'read', 'stopped'] : ['waiting', 'read']
  await RunPaperModel.updateOne({ _id: runPaperId(runId, submissionId), state: { $in: from } }, { $set: { state } })
}

export async function addPapersToRun(run: RunDoc, services: Services): Promise<void> {
  if (run.planned.length === 0) return
  await RunPaperModel.bulkWrite(
    run.planned.map((submission_id) => ({
      updateOne: {
        filter: { _id: runPaperId(run._id, submission_id) },
        update: { $setOnInsert: { run_id: run._id, submission_id, state: 'waiting' as const } },
        upsert: true,
      },
    })),
    { ordered: false },
  )
  await markQueued(run.planned, run, services.clock.now())
}

export async function updateSubmission(
  runId: number,
  submissionId: number,
  change: Parameters<typeof updateInRun>[2],
  services: Services,
): Promise<SubmissionDoc | null> {
  const moved = await updateInRun(submissionId, runId, change, services.clock.now())
  if (moved) await notifySubmissionChanged(moved, services)
  return moved
}

export async function failPaper(
  runId: number,
  submissionId: number,
  failure: { code: string; message: string },
  services: Services,
): Promise<void> {
  await updateSubmission(runId, submissionId, { status: 'failed', failure }, services)
  await setPaperState(runId, submissionId, 'failed')
}

/** Papers that a teacher has to look at first leave the run. Idempotent. */
export async function holdPapers(runId: number, assignment: AssignmentDoc, services: Services): Promise<void> {
  const read = await RunPaperModel.find({ run_id: runId, state: 'read' }, { submission_id: 1 }).lean()
  const ids = read.map(({ submission_id }) => submission_id)
  const checked = await checkClass(assignment, ids)
  for (const { submission, problems } of checked) {
    if (problems.length === 0 && !submission.problems?.length && !submission.held) continue
    const held = isHeld(problems, submission.grade)
    await setProblems(submission, { problems, held }, services.clock.now())
    if (!held) continue
    await updateSubmission(runId, submission._id, { status: 'uploaded' }, services)
    // Last: it is repeated for papers that are still `read`.
    await RunPaperModel.updateOne(
      { _id: runPaperId(runId, submission._id), state: 'read' },
      { $set: { state: 'held' } },
    )
  }
}

export async function dropPaper({ runId, submissionId }: { runId: number; submissionId: number }): Promise<null> {
  await setPaperState(runId, submissionId, 'stopped')
  const submission = await findSubmissionFile(submissionId)
  await deleteAnswersOfOldFile(submissionId, submission?.file.hash)
  return null
}

export async function releasePapers(run: Pick<RunDoc, '_id'>, services: Services): Promise<void> {
  const open = await RunPaperModel.find({ run_id: run._id, state: { $in: ['waiting', 'read'] } }).lean()
  const ids = open.map((paper) => paper.submission_id)
  const released = await releaseFromRun(ids, run._id, services.clock.now())
  await RunPaperModel.updateMany(
    { run_id: run._id, state: { $in: ['waiting', 'read'] } },
    { $set: { state: 'stopped' } },
  )
  for (const submission of released) await notifySubmissionChanged(submission, services)
}

export const hasPaperInState = async (runId: number, state: RunPaperDoc['state']): Promise<boolean> =>
  (await RunPaperModel.exists({ run_id: runId, state })) !== null

export async function onlyScansLeft(runId: number): Promise<boolean> {
  const waiting = { run_id: runId, state: 'waiting' as const }
  if (await RunPaperModel.exists({ ...waiting, scanned: { $ne: true } })) return false
  // The last paper may have been read meanwhile.
  return (await RunPaperModel.exists({ ...waiting, scanned: true })) !== null
}

export async function hasOtherPaperInState(
  runId: number,
  submissionId: number,
  state: RunPaperDoc['state'],
): Promise<boolean> {
  const other = { run_id: runId, state, submission_id: { $ne: submissionId } }
  return (await RunPaperModel.exists(other)) !== null
}

export function countPaperStates(runId: number): Promise<Record<RunPaperDoc['state'], number>> {
  const count = (state: RunPaperDoc['state']) => RunPaperModel.countDocuments({ run_id: runId, state })
  return allOf({
    waiting: count('waiting'),
    read: count('read'),
    graded: count('graded'),
    failed: count('failed'),
    stopped: count('stopped'),
    held: count('held'),
  })
}
