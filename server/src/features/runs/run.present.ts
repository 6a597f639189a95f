import type { Run, RunWait } from '@assay/shared/runs.ts'
import { activeStatuses, type RunDoc, type RunWaitDoc } from '../../records/grading/run.model.ts'
import type { Services } from '../../services.ts'
import { countPaperStates } from './run-papers.ts'

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

/** By the pace so far; null where there is none yet. */
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
