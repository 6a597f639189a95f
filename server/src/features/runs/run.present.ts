import type { Run, RunWait } from '@assay/shared/runs.ts'
import type { Services } from '../../services.ts'
import { type RunDoc, type RunWaitDoc, underWay } from './run.model.ts'
import { countStates } from './run-papers.ts'

/** Reading takes most of the time of an ordinary run: of five minutes about four. */
const READING_SHARE = 0.8

/** Too little to tell by: the first papers wait for processes to start. */
const ENOUGH = 0.02

export async function presentRun(run: RunDoc, services: Pick<Services, 'clock' | 'models'>): Promise<Run> {
  const [{ read, graded, failed, stopped }, cost] = await Promise.all([
    countStates(run._id),
    services.models.costOf({ run_id: run._id }),
  ])
  const total = run.planned.length
  const readByNow = read + graded + failed
  const share =
    total === 0 ? 1 : (READING_SHARE * readByNow + (1 - READING_SHARE) * (graded + failed)) / total
  const elapsed = (services.clock.now().getTime() - run.started_at.getTime()) / 1000
  const running = underWay.includes(run.status)
  return {
    id: run._id,
    assignment_id: run.assignment_id,
    status: run.status,
    total,
    read: read + graded,
    graded,
    failed,
    stopped,
    seconds_left: running && share > ENOUGH ? Math.ceil((elapsed * (1 - share)) / share) : null,
    failure: run.failure,
    waiting: run.waiting ? presentWait(run.waiting) : null,
    graders: run.graders ?? [],
    cost: cost.calls === 0 ? null : cost,
    started_at: run.started_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
  }
}

const presentWait = ({ reason, needs_settings, since, retry_at }: RunWaitDoc): RunWait => ({
  reason,
  needs_settings,
  since: since.toISOString(),
  retry_at: retry_at.toISOString(),
})
