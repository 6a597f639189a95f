import type { Config } from './config.ts'
import type { SettingsStore } from './features/admin/settings/settings-store.ts'
import { createLinkMailJobs } from './features/auth/link-mail.ts'
import { gradeApprovalWork } from './features/grades/approvals/grade-approval-jobs.ts'
import { releaseNotificationJob } from './features/grades/release-notification.ts'
import { releasedScoresWork } from './features/grades/score-rules/released-scores-job.ts'
import { classScanWork } from './features/intake/class-scans/class-scan-jobs.ts'
import type { LlmService } from './features/llm/llm-service.ts'
import { trimLaunchLog } from './features/lti/launch-endpoints/launch-attempt.ts'
import { createSelfTests } from './features/lti/platforms/self-test/self-test.ts'
import { createRosterSyncs } from './features/lti/roster/roster-sync.ts'
import { createPassbackWorker } from './features/lti/scores/passback-worker.ts'
import { answerProjectionWork, createAfterDecision } from './features/questions/projection-job.ts'
import { questionChanges } from './features/questions/question-changes.ts'
import { createRescoring } from './features/questions/rescoring/rescore-answers-job.ts'
import { createAmendments } from './features/regrades/amendments/apply-amendment.ts'
import { regradeAnswers } from './features/regrades/answer-regrade.ts'
import { createRosterImports } from './features/roster/roster-import.ts'
import { createRubricGenerations } from './features/rubrics/rubric-generation-jobs.ts'
import { currentRubricUsage } from './features/runs/current-rubric-usage.ts'
import { createGradingPipeline } from './features/runs/grading-pipeline.ts'
import { similarityWork } from './features/similarity/similarity.service.ts'
import { createReminders } from './features/submissions/reminder-job.ts'
import { tryDatabaseLock } from './lib/database/database-lock.ts'
import { type BackgroundWork, repeatedWork } from './lib/jobs/job.ts'
import type { PoolLimits } from './lib/jobs/pool-limits.ts'
import { erasureWork } from './maintenance/personal-data/erasure/erasure-job.ts'
import { retentionWork } from './maintenance/retention/retention-job.ts'
import { sweepFiles, sweepOrphans } from './maintenance/sweep-orphans.ts'
import type { Services } from './services.ts'

const SWEEP_EVERY_MS = 60 * 60 * 1000

/** `background`: in the order it is resumed. A web process makes it too, to queue jobs and receive events. */
export function createBackground(
  services: Services,
  options: { mailing: BackgroundWork; scorePollMs?: number | undefined },
) {
  const grading = createGradingPipeline(services)
  const rescoring = createRescoring(services)
  const afterDecision = createAfterDecision(services, rescoring.carryDecisions)
  const amendments = createAmendments(services, afterDecision)
  const rubrics = createRubricGenerations(services, currentRubricUsage)
  const background: BackgroundWork[] = [
    options.mailing,
    { jobs: [...createLinkMailJobs(services), releaseNotificationJob(services)] },
    grading,
    rubrics,
    rescoring,
    questionChanges(services, rescoring.carryDecisions),
    answerProjectionWork(services),
    similarityWork(services),
    classScanWork(services),
    amendments,
    regradeAnswers(services, rescoring.carryDecisions),
    releasedScoresWork(services),
    gradeApprovalWork(services),
    createRosterImports(services),
    createSelfTests(services),
    createPassbackWorker(services, options.scorePollMs),
    createReminders(services),
    createRosterSyncs(services),
    erasureWork(services),
    ...retentionWork(services),
    createSweeps(services),
  ]
  return { grading, rubrics, rescoring, amendments, afterDecision, background }
}

/** Slow mail servers, LMSs or LLMs must not stop reading, nor grading delay mail. */
export const jobPools = (
  settings: SettingsStore,
  models: LlmService,
  { papersWithLlms }: Pick<Config, 'papersWithLlms'>,
): Record<string, PoolLimits> => ({
  cpu: { max: async () => (await settings.current()).grading_concurrency },
  io: { max: () => 4 },
  mail: { max: () => 4 },
  // Thousands of invitations must not delay them.
  'sign-in-mail': { max: () => 2 },
  // Keyed by LMS, which sees all processes as one.
  lms: { max: () => 6, maxPerKey: () => 2, acrossProcesses: true },
  // Keyed by course. Papers are held in memory, hence `max`; `minPerKey` keeps one provider from blocking others.
  llm: { max: () => papersWithLlms, maxPerKey: models.concurrencyFor, minPerKey: 4 },
})

/** Deletes unreferenced data, and what anybody could add without limit. */
function createSweeps(services: Services): BackgroundWork {
  const sweep = async (signal: AbortSignal) => {
    // Orphans first: only then are their files unreferenced.
    await sweepOrphans(services)
    await sweepFiles(services, signal)
    await trimLaunchLog()
  }
  const alone = (signal: AbortSignal) => tryDatabaseLock('sweeps', (lost) => sweep(AbortSignal.any([signal, lost])))
  const options = { log: services.log, failure: 'the sweep of unreferenced data failed', atStart: false }
  return { jobs: [], ...repeatedWork(SWEEP_EVERY_MS, alone, options) }
}
