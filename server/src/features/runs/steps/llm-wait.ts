import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { exponentialBackoff } from '../../../lib/exponential-backoff.ts'
import { DeferJob } from '../../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import {
  activeStatuses,
  type RunDoc,
  type RunHead,
  RunModel,
  type RunWaitDoc,
} from '../../../records/grading/run.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { findRun, notifyRunChanged, runGroup } from '../run.service.ts'

/** First and longest delay in ms, when the provider names none. */
const RETRY_DELAY_MS = { passing: [10_000, 300_000], settings: [60_000, 600_000] } as const

/** In ms: shorter ones are no pause worth reporting. */
const SHORT_DELAY_MS = 5_000

function retryDelay(error: LlmError, tries: number): number {
  if (error.retryAfterMs !== null) return error.retryAfterMs
  const [first, longest] = RETRY_DELAY_MS[error.scope === 'settings' ? 'settings' : 'passing']
  return exponentialBackoff(tries, { initialMs: first, maxMs: longest })
}

const pausesRun = (error: unknown): error is LlmError =>
  error instanceof LlmError && (error.scope === 'provider' || error.scope === 'settings')

/** A provider's failures pause the whole run until its next response. @throws {DeferJob} with nothing to do for now */
export async function runOrWait<T>(run: RunHead, services: Services, work: () => Promise<T>): Promise<T> {
  const { waiting } = run
  const now = services.clock.now().getTime()
  if (waiting && waiting.retry_at.getTime() > now) throw new DeferJob(waiting.retry_at.getTime() - now, waiting.reason)
  try {
    const done = await work()
    if (waiting) await endWait(run, waiting, services)
    return done
  } catch (error) {
    if (!pausesRun(error)) throw error
    // Requests from before a change of settings or “Try now” say nothing about now.
    if (await isErrorOutdated(run, new Date(now), services)) throw new DeferJob(0, error.message, { cause: error })
    const retryAt = await beginWait(run, error, services)
    throw new DeferJob(Math.max(0, retryAt.getTime() - services.clock.now().getTime()), error.message, { cause: error })
  }
}

async function isErrorOutdated({ _id, assignment_id }: RunHead, moment: Date, { llm }: Services): Promise<boolean> {
  if (await RunModel.exists({ _id, hurried_at: { $gt: moment } })) return true
  const assignment = await findAssignment(assignment_id)
  return assignment !== null && (await llm.settingsChangedSince(assignment.course_id, moment))
}

/** Concurrent failures join the first. Returns when to try again. */
async function beginWait(run: RunHead, error: LlmError, services: Services): Promise<Date> {
  const now = services.clock.now()
  const before = run.waiting
  // Another one is finding out whether the provider is back.
  if (before && error.code === 'waiting' && (error.retryAfterMs ?? 0) <= SHORT_DELAY_MS)
    return new Date(now.getTime() + SHORT_DELAY_MS)
  const tries = (before?.tries ?? 0) + 1
  const waiting: RunWaitDoc = {
    // “It has not answered several times” says less than its last answer.
    reason: error.code === 'waiting' && before ? before.reason : error.message,
    needs_settings: error.code === 'waiting' && before ? before.needs_settings : error.scope === 'settings',
    since: before?.since ?? now,
    retry_at: new Date(now.getTime() + retryDelay(error, tries)),
    tries,
  }
  const free = { $or: [{ waiting: null }, { 'waiting.retry_at': { $lte: now } }] }
  const changed = await RunModel.findOneAndUpdate(
    { _id: run._id, status: { $in: activeStatuses }, ...free },
    { $set: { waiting } },
  ).lean()
  if (!changed) {
    // The provider may ask some requests to wait longer; a refusal says more than an error that says to wait.
    const knows = error.code !== 'waiting'
    const joined = await RunModel.findOneAndUpdate(
      { _id: run._id, waiting: { $ne: null } },
      {
        $max: { 'waiting.retry_at': error.retryAfterMs === null ? now : waiting.retry_at },
        ...(knows
          ? { $set: { 'waiting.reason': waiting.reason, 'waiting.needs_settings': waiting.needs_settings } }
          : {}),
      },
    ).lean()
    if (joined && knows) await notifyRunChanged(joined, services)
    return joined?.waiting?.retry_at ?? waiting.retry_at
  }
  await services.jobs.defer(runGroup(run._id), waiting.retry_at)
  await notifyRunChanged(changed, services)
  return waiting.retry_at
}

async function endWait(run: RunHead, { retry_at }: RunWaitDoc, services: Services): Promise<void> {
  const ended = await RunModel.findOneAndUpdate(
    { _id: run._id, 'waiting.retry_at': retry_at },
    { $set: { waiting: null } },
  ).lean()
  if (!ended) return
  await services.jobs.expedite(runGroup(run._id))
  await notifyRunChanged(ended, services)
}

export async function retryNow(
  run: RunDoc,
  { course_id }: Pick<AssignmentDoc, 'course_id'>,
  services: Services,
): Promise<RunDoc> {
  const hurried = await RunModel.findOneAndUpdate(
    { _id: run._id, waiting: { $ne: null } },
    { $set: { 'waiting.retry_at': services.clock.now(), hurried_at: services.clock.now() } },
  ).lean()
  if (!hurried) return (await findRun(run._id)) ?? run
  await services.llm.resetCircuit(course_id)
  await services.jobs.expedite(runGroup(run._id))
  await notifyRunChanged(hurried, services)
  return hurried
}

export async function retryWaitingRuns(courseId: number | null, services: Services): Promise<void> {
  for (const run of await RunModel.find({ status: { $in: activeStatuses }, waiting: { $ne: null } }).lean()) {
    const assignment = await findAssignment(run.assignment_id)
    if (!assignment) continue
    const theirs =
      courseId === null
        ? (await services.llm.chosenFor(assignment.course_id))?.source !== 'course'
        : assignment.course_id === courseId
    if (theirs) await retryNow(run, assignment, services)
  }
}
