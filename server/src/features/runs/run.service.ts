import type { Run, RunSelection, RunStatus, RunWait } from '@assay/shared/runs.ts'
import { nextId } from '../../lib/database/database.ts'
import { AppError, orNotFound } from '../../lib/http/app-error.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  activeStatuses,
  headProjection,
  type RunDoc,
  type RunHead,
  RunModel,
  RunPaperModel,
  type RunWaitDoc,
} from '../../records/grading/run.model.ts'
import type { Services } from '../../services.ts'
import { requireAssignment } from '../assignments/assignment.service.ts'
import { isLockedByRun, lockForRun, unlockFromRun } from '../assignments/assignment-queries.ts'
import { outdatedVersions } from '../rubrics/outdated-grades.ts'
import { type GradingSelection, selectForGrading } from '../submissions/submission-grading.ts'
import { countPaperStates, releasePapers } from './run-papers.ts'

export const runGroup = (runId: number) => `run:${runId}`

export const requireRun = (ids: { assignmentId: number; runId: number }): Promise<RunDoc> =>
  orNotFound(RunModel.findOne({ _id: ids.runId, assignment_id: ids.assignmentId }).lean(), 'This run does not exist.')

export const findRun = (id: number): Promise<RunDoc | null> => RunModel.findById(id).lean()

export const countActiveRuns = (): Promise<number> => RunModel.countDocuments({ status: { $in: activeStatuses } })

export const findRunHead = (id: number): Promise<RunHead | null> => RunModel.findById(id, headProjection).lean()

/** Newest first, without a run that has no lock yet: its start may have been cut short. */
export function latestRuns(assignment: AssignmentDoc): Promise<RunDoc[]> {
  const begun = { $or: [{ _id: assignment.active_run_id }, { status: { $nin: activeStatuses } }] }
  return RunModel.find({ assignment_id: assignment._id, ...begun })
    .sort({ _id: -1 })
    .limit(20)
    .lean()
}

/** All when forced, else without a grade, with an outdated grade, or without a review. */
export async function selectSubmissions(
  assignment: AssignmentDoc,
  { submission_ids, force, outdated, unreviewed }: RunSelection,
): Promise<number[]> {
  let selection: GradingSelection = force ? 'all' : unreviewed ? 'unreviewed' : 'ungraded'
  if (outdated) {
    // An edit saved a moment ago may have outdated more.
    const versions = await outdatedVersions(await requireAssignment(assignment._id))
    selection = { gradedByVersions: [...versions.keys()] }
  }
  return selectForGrading(assignment._id, selection, submission_ids)
}

const NOTHING_OUTDATED = 'Nothing to grade again: every grade already uses the current rubric.'

const ALL_REVIEWED = 'Nothing to grade again: you have reviewed every grade.'

export async function findActiveRun(assignment: AssignmentDoc): Promise<RunDoc | null> {
  if (assignment.active_run_id === null) return null
  const run = await findRun(assignment.active_run_id)
  return run && activeStatuses.includes(run.status) ? run : null
}

/** @throws {AppError} `run_in_progress` or `nothing_to_grade` */
export async function startRun(
  assignment: AssignmentDoc,
  what: RunSelection,
  starter: { id: number },
  services: Services,
): Promise<RunDoc> {
  if (await findActiveRun(assignment)) throw new AppError('run_in_progress')
  const run: RunDoc = {
    _id: await nextId('runs'),
    assignment_id: assignment._id,
    started_by: starter.id,
    status: 'preparing',
    planned: [],
    ...(what.outdated ? { only_outdated: true } : {}),
    class_submission_ids: null,
    class_key: null,
    failure: null,
    waiting: null,
    uses_llm: (await services.llm.chosenFor(assignment.course_id)) !== null,
    graders: [],
    started_at: services.clock.now(),
    grading_since: null,
    finished_at: null,
  }
  // Before it locks the assignment: a lock by a run that does not exist would count as stale.
  await RunModel.create(run)
  if (!(await lockForRun(assignment, run._id))) {
    await RunModel.deleteOne({ _id: run._id })
    throw new AppError('run_in_progress')
  }
  // Under the lock: a run that ended a moment ago has graded some.
  const planned = await selectSubmissions(assignment, what)
  if (planned.length === 0) {
    await unlockFromRun(assignment._id, run._id)
    await RunModel.deleteOne({ _id: run._id })
    const why = what.outdated ? NOTHING_OUTDATED : what.unreviewed ? ALL_REVIEWED : undefined
    throw new AppError('nothing_to_grade', why)
  }
  await RunModel.updateOne({ _id: run._id }, { $set: { planned } })
  return { ...run, planned }
}

/** Papers of runs that ended with their process would never be released. */
export async function releaseEndedRuns(services: Services): Promise<void> {
  const ids = await RunPaperModel.distinct('run_id', { state: { $in: ['waiting', 'read'] } })
  for (const run of await RunModel.find({ _id: { $in: ids }, status: { $nin: activeStatuses } }).lean())
    await releasePapers(run, services)
}

const START_TIMEOUT_MS = 60_000

export const isBeingPlanned = ({ status, planned, started_at }: RunDoc, { clock }: Pick<Services, 'clock'>): boolean =>
  status === 'preparing' && planned.length === 0 && clock.now().getTime() - started_at.getTime() < START_TIMEOUT_MS

/** A run that never locked its assignment was cut short before anyone was notified. */
export async function findRunsToResume({ clock }: Services): Promise<RunDoc[]> {
  const open = await RunModel.find({ status: { $in: activeStatuses } }).lean()
  const resumed: RunDoc[] = []
  for (const run of open) {
    if (await isLockedByRun(run.assignment_id, run._id)) resumed.push(run)
    else if (clock.now().getTime() - run.started_at.getTime() > START_TIMEOUT_MS)
      await RunModel.deleteOne({ _id: run._id })
  }
  return resumed
}

/** Once. Null when the run was over already. */
export async function endRun(
  run: RunHead,
  how: Extract<RunStatus, 'completed' | 'stopped' | 'failed'>,
  services: Services,
  failure: string | null = null,
): Promise<RunDoc | null> {
  const ended = await RunModel.findOneAndUpdate(
    { _id: run._id, status: { $in: activeStatuses } },
    { $set: { status: how, failure, waiting: null, finished_at: services.clock.now() } },
  ).lean()
  if (ended) {
    // Queued work first, so that nothing begins for papers that are being released.
    if (how !== 'completed') {
      await services.jobs.cancel(runGroup(run._id))
      await releasePapers(run, services)
    }
    await unlockFromRun(run.assignment_id, run._id)
    await notifyRunChanged(ended, services)
  }
  return ended
}

export async function notifyRunChanged(run: RunDoc, services: Services): Promise<void> {
  const payload = await presentRun(run, services)
  // It may have advanced meanwhile: watchers must not be set back.
  if ((await findRunHead(run._id))?.status !== run.status) return
  services.events.emit('run_changed', { assignmentId: run.assignment_id, payload })
}

export async function recordGrader(run: RunHead, { name }: { name: string }): Promise<void> {
  if (run.graders?.includes(name)) return
  await RunModel.updateOne({ _id: run._id }, { $addToSet: { graders: name } })
}

export async function deleteRunsOf(assignment: AssignmentDoc, services: Services): Promise<void> {
  const runs = await RunModel.find({ assignment_id: assignment._id }).lean()
  for (const run of runs) {
    if (activeStatuses.includes(run.status)) await endRun(run, 'stopped', services)
    await RunPaperModel.deleteMany({ run_id: run._id })
  }
  await RunModel.deleteMany({ assignment_id: assignment._id })
}

/** Without a model: of five minutes about four. */
const READING_TIME_SHARE = 0.8

/** Below that the pace says little: the first papers wait for processes to start. */
const MIN_SHARE_FOR_ESTIMATE = 0.02

export async function presentRun(run: RunDoc, services: Pick<Services, 'clock' | 'llm'>): Promise<Run> {
  const [{ read, graded, failed, stopped, held }, cost] = await Promise.all([
    countPaperStates(run._id),
    services.llm.costOf({ run_id: run._id }),
  ])
  const total = run.planned.length
  const done = graded + failed + held
  return {
    id: run._id,
    assignment_id: run.assignment_id,
    status: run.status,
    total,
    read: read + graded + held,
    graded,
    failed,
    stopped,
    ...(held > 0 ? { held } : {}),
    seconds_left: secondsLeft(run, { read: read + done, done }, services.clock.now()),
    ...(run.status === 'reading' && run.class_key ? { suggesting: true as const } : {}),
    failure: run.failure,
    waiting: run.waiting ? presentWait(run.waiting) : null,
    graders: run.graders ?? [],
    cost: cost.calls === 0 ? null : cost,
    started_at: run.started_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
  }
}

function secondsLeft(run: RunDoc, { read, done }: { read: number; done: number }, now: Date): number | null {
  const total = run.planned.length
  if (!activeStatuses.includes(run.status) || total === 0) return null
  const since = (moment: Date) => (now.getTime() - moment.getTime()) / 1000
  const left = (share: number, elapsed: number) =>
    share > MIN_SHARE_FOR_ESTIMATE ? Math.ceil((elapsed * (1 - share)) / share) : null
  // Grading time depends on the model and is measured once there are graded papers.
  if (run.status === 'grading' && run.grading_since) return left(done / total, since(run.grading_since))
  if (run.uses_llm) return null
  return left((READING_TIME_SHARE * read) / total, since(run.started_at))
}

const presentWait = ({ reason, needs_settings, since, retry_at, tries }: RunWaitDoc): RunWait => ({
  reason,
  needs_settings,
  since: since.toISOString(),
  retry_at: retry_at.toISOString(),
  tries,
})
