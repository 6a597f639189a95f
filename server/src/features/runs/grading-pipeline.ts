import type { BackgroundWork } from '../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { activeStatuses, type RunDoc, type RunHead, RunModel, RunPaperModel } from '../../records/grading/run.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { matchByCodes, matchSubmissions } from '../matching/match-submissions.ts'
import { checkClass } from '../matching/paper-problems/check-class.ts'
import { reopenSuggestions } from '../submissions/submission-grading.ts'
import { classKey, findClassMembers, selectGradingPool } from './context/grade-context.ts'
import {
  endRun,
  findRun,
  findRunHead,
  findRunsToResume,
  notifyRunChanged,
  releaseEndedRuns,
  runGroup,
} from './run.service.ts'
import { hasPaperInState, holdPapers, onlyScansLeft } from './run-papers.ts'
import { gradePaperJobs, suggestGradeJob } from './steps/grade-paper.ts'
import {
  findStaleSubmissions,
  hasSubmissionsToReextract,
  prepareRunJobs,
  readPaperJobs,
  reextractAnswersJobs,
} from './steps/read-paper.ts'
import {
  gradeStep,
  pendingStateOf,
  prepareStep,
  type RunPaperPayload,
  type RunProgress,
  readStep,
  reextractStep,
  stepRow,
  suggestJob,
} from './steps/run-steps.ts'

export interface GradingPipeline extends BackgroundWork {
  start(run: RunDoc): Promise<void>
  resume(): Promise<void>
}

export function createGradingPipeline(services: Services): GradingPipeline {
  const progress = createRunProgress(services)
  return {
    jobs: [
      ...prepareRunJobs(services, progress),
      ...readPaperJobs(services, progress),
      ...reextractAnswersJobs(services, progress),
      ...gradePaperJobs(services, progress),
      suggestGradeJob(services),
    ],
    start: (run) => progress.advance(run._id),
    async resume() {
      await releaseEndedRuns(services)
      for (const run of await findRunsToResume(services)) {
        services.log.info({ run: run._id }, 'taking up a run')
        await progress.enqueuePhase(run._id)
      }
    },
  }
}

/** In ms: counting is quick but not free. */
const NOTIFY_INTERVAL_MS = 250

function createRunProgress(services: Services): RunProgress {
  const { jobs, clock, log } = services
  const lastNotified = new Map<number, number>()

  async function advance(runId: number): Promise<void> {
    const run = await findRunHead(runId)
    if (!run || !activeStatuses.includes(run.status)) return
    if (run.status === 'preparing') {
      await jobs.add(prepareStep.cpu, [stepRow({ runId })])
      return
    }
    const open = await hasPaperInState(
      runId,
      run.status === 'reading' ? pendingStateOf.reading : pendingStateOf.grading,
    )
    if (open && run.status === 'reading') await suggestEarly(run)
    if (open) return notifyProgress(run)
    if (run.status === 'reading')
      return (await hasSubmissionsToReextract(run)) ? notifyProgress(run) : beginGrading(run)
    return complete(run)
  }

  /** Once, and without an LLM, which costs money: papers read so far get a score while scans are read. */
  async function suggestEarly(run: RunHead): Promise<void> {
    if (run.class_key || run.uses_llm || !(await onlyScansLeft(run._id))) return
    const assignment = await findAssignment(run.assignment_id)
    if (!assignment) return
    const members = await findClassMembers(assignment)
    const first = { class_submission_ids: members, class_key: `${classKey(run, members)}/first` }
    const { modifiedCount } = await RunModel.updateOne(
      { _id: run._id, status: 'reading', class_key: null },
      { $set: first },
    )
    if (modifiedCount === 0) return
    const read = (await papersInState(run._id, 'read')).map(({ submissionId }) => submissionId)
    const sound = (await checkClass(assignment, read)).filter(({ problems }) => problems.length === 0)
    const rows = sound.map(({ submission }) => stepRow({ runId: run._id, submissionId: submission._id }))
    await jobs.add(suggestJob, rows)
  }

  async function notifyProgress(run: RunHead): Promise<void> {
    const now = performance.now()
    if (now - (lastNotified.get(run._id) ?? Number.NEGATIVE_INFINITY) < NOTIFY_INTERVAL_MS) return
    lastNotified.set(run._id, now)
    const whole = await findRun(run._id)
    if (whole) await notifyRunChanged(whole, services)
  }

  async function enqueuePhase(runId: number): Promise<void> {
    const run = await findRunHead(runId)
    const assignment = run && (await findAssignment(run.assignment_id))
    // Jobs of a deleted assignment call this, too: they would queue each other for ever.
    if (!assignment) return
    if (run.status === 'reading') {
      await enqueue(readStep.cpu, await papersInState(runId, pendingStateOf.reading))
      const planned = (await findRun(runId))?.planned
      const stale = planned ? await findStaleSubmissions(assignment, planned) : []
      const papers = stale.map((submissionId) => ({ runId, submissionId }))
      await enqueue(reextractStep.cpu, papers)
    }
    if (run.status === 'grading') {
      const job = gradeStep[await selectGradingPool(assignment, services)]
      await enqueue(job, await papersInState(runId, pendingStateOf.grading), assignment)
    }
    await advance(runId)
  }

  async function papersInState(runId: number, state: 'waiting' | 'read'): Promise<RunPaperPayload[]> {
    const found = await RunPaperModel.find({ run_id: runId, state }, { submission_id: 1 }).lean()
    return found.map(({ submission_id }) => ({ runId, submissionId: submission_id }))
  }

  const enqueue = (job: typeof readStep.cpu, papers: RunPaperPayload[], assignment?: AssignmentDoc) =>
    jobs.add(
      job,
      papers.map((ids) => stepRow(ids, assignment)),
    )

  async function beginGrading(run: RunHead): Promise<void> {
    const assignment = await findAssignment(run.assignment_id)
    if (!assignment) return
    // Only now: all papers' names together are better evidence than each alone.
    await matchByCodes(assignment, services)
    await matchSubmissions(assignment, services)
    await holdPapers(run._id, assignment, services)
    // Another process may have begun to grade with the whole class.
    if (run.class_key) await reopenSuggestions(run._id, run.class_key, clock.now())
    const members = await findClassMembers(assignment)
    const change = {
      status: 'grading' as const,
      class_submission_ids: members,
      class_key: classKey(run, members),
      grading_since: clock.now(),
    }
    await RunModel.updateOne({ _id: run._id, status: 'reading' }, { $set: change })
    await enqueuePhase(run._id)
  }

  async function complete(run: RunHead): Promise<void> {
    lastNotified.delete(run._id)
    const ended = await endRun(run, 'completed', services)
    if (!ended) return
    const graded = await RunPaperModel.countDocuments({ run_id: run._id, state: 'graded' })
    const failed = await RunPaperModel.countDocuments({ run_id: run._id, state: 'failed' })
    const held = await RunPaperModel.countDocuments({ run_id: run._id, state: 'held' })
    const toLook = held === 0 ? '' : ` ${held} ${held === 1 ? 'needs' : 'need'} a look first.`
    const said = failed === 0 ? `${graded} graded.` : `${graded} graded, ${failed} could not be graded.`
    const counts = { total: graded + failed, graded, failed }
    const payload = { assignment_id: run.assignment_id, run_id: run._id, message: said + toLook, ...counts }
    services.events.emit('assignment_completion', { assignmentId: run.assignment_id, payload })
    services.events.emit('completion_for_user', { userId: ended.started_by, payload })
  }

  return {
    advance,
    enqueuePhase,
    scheduleEnd(run, how, failure) {
      const end = async () => {
        // LLM requests in progress are paid for, so their responses are kept.
        if (how === 'stopped') await jobs.drain(runGroup(run._id))
        await endRun(run, how, services, failure)
      }
      setImmediate(() => {
        end().catch((error: unknown) => log.error({ err: error }, 'a run did not end'))
      })
    },
  }
}
