import { mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { createApp } from './app.ts'
import { auditSealing } from './audit/seal-audit.ts'
import type { Config } from './config.ts'
import { startEmbeddedDatabase } from './embedded/embedded-database.ts'
import { createLinkMailJobs } from './features/auth/link-mail.ts'
import { classScanWork } from './features/class-scans/class-scan-jobs.ts'
import { gradeApprovalWork } from './features/grade-approvals/grade-approval-jobs.ts'
import { releaseNotificationJob } from './features/grades/release-notification.ts'
import { createLlmService } from './features/llm/create-llm-service.ts'
import type { LlmService } from './features/llm/llm-service.ts'
import { reconcileAbandonedCalls } from './features/llm/usage/reconcile-abandoned-calls.ts'
import { createFrameAncestorsCache } from './features/lti/launch-endpoints/frame-ancestors.ts'
import { trimLaunchLog } from './features/lti/launch-endpoints/trim-launch-log.ts'
import { logSharedIssuers } from './features/lti/platforms/same-issuer.ts'
import { createSelfTests } from './features/lti/platforms/self-test/self-test.ts'
import { createRosterSyncs } from './features/lti/roster/roster-sync.ts'
import { createScoreSender } from './features/lti/scores/score-sender.ts'
import { answerProjectionWork } from './features/questions/projection-job.ts'
import { questionChanges } from './features/questions/question-changes-work.ts'
import { startRealtime } from './features/realtime/realtime.ts'
import { regradeAnswers } from './features/regrades/notify-answered.ts'
import { createReminders } from './features/reminders/reminder-job.ts'
import { createRescoring } from './features/rescoring/rescore-answers-job.ts'
import { createRosterImports } from './features/roster/roster-import.ts'
import { createAmendments } from './features/rubric-amendments/amendment-jobs.ts'
import { createRubricGenerations, type RubricGenerations } from './features/rubrics/rubric-generation-jobs.ts'
import { currentRubricUsage } from './features/runs/current-rubric-usage.ts'
import { createGradingPipeline, type GradingPipeline } from './features/runs/grading-pipeline.ts'
import { releasedScoresWork } from './features/score-rules/released-scores-job.ts'
import { createSettingsStore, type SettingsStore } from './features/settings/settings-store.ts'
import { similarityWork } from './features/similarity/similarity-job.ts'
import { createHiddenNames } from './features/transcriptions/privacy/create-hidden-names.ts'
import type { Grader } from './grader/grader.ts'
import { createOfflineGrader } from './grader/offline/offline-grader.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { closeDatabase, forceCloseDatabase, openDatabase } from './lib/database/database.ts'
import { EventBus } from './lib/event-bus.ts'
import { listen, trackConnections } from './lib/http/listen.ts'
import { type BackgroundWork, repeatedWork } from './lib/jobs/background-work.ts'
import { JobQueue } from './lib/jobs/job-queue.ts'
import type { PoolLimits } from './lib/jobs/pool-limits.ts'
import type { Log } from './lib/log.ts'
import { createMail } from './lib/mail/mail.ts'
import { collectProcessMetrics, createMetrics } from './lib/metrics/metrics.ts'
import { openFileStore } from './lib/storage/open-file-store.ts'
import { version } from './lib/version.ts'
import { shareDataFolder } from './maintenance/backup/data-folder-lock.ts'
import { assertNotBeingRestored } from './maintenance/backup/swap-in.ts'
import { erasureWork } from './maintenance/personal-data/erasure/erasure-job.ts'
import { sweepFiles } from './maintenance/sweep-files.ts'
import { sweepOrphans } from './maintenance/sweep-orphans.ts'
import { createCollectors } from './metrics-collectors.ts'
import { runMigrations } from './migrations/run-migrations.ts'
import { createPaperReader, type PaperReader } from './papers/paper-reader.ts'
import { recoverInterruptedChanges } from './records/grading/analytics-invalidation.ts'
import { installationId } from './records/system/installation.model.ts'
import type { AppEvents, Services } from './services.ts'

export interface StartOptions {
  config: Config
  log: Log
  clientFolder: string | null
  clock?: Clock
  /** Tests replace these. */
  grader?: Grader
  models?: LlmService
  papers?: PaperReader
  /** How long requests under way may take when the process is asked to stop, in ms. */
  graceMs?: number
  /** The longest wait for the next byte of a body, in ms. */
  idleBodyMs?: number
  /** How often the job queue is polled, in ms. */
  jobPollMs?: number
  /** How often changed scores are looked for, in ms. */
  scorePollMs?: number
  /** How often the access of open sockets is checked again, in ms. */
  recheckAccessMs?: number
  /** How many sockets of each kind one address may have open. */
  maxSocketsPerAddress?: number
}

export interface RunningServer {
  services: Services
  grading: GradingPipeline
  rubrics: RubricGenerations
  server: Server
  /** Where it listens. */
  url: string
  /** Takes no more requests, finishes those under way, leaves unfinished jobs queued and closes everything. */
  stop(): Promise<void>
  /** Resolves, with the reason, if the process can no longer serve and should be restarted. */
  databaseLost: Promise<string>
}

const GRACE_MS = 10_000
const IDLE_BODY_MS = 60_000
const SWEEP_EVERY_MS = 60 * 60 * 1000

/** Opens the database, builds the services and serves; everything one process does. */
export async function start(options: StartOptions): Promise<RunningServer> {
  const { log } = options
  const config = { ...options.config }
  const folderLock = shareDataFolder(config.dataDir)
  assertNotBeingRestored(config.dataDir)
  const papersStore = await openFileStore(config, log, installationId)
  const embedded = config.mongodbUrl
    ? null
    : await startEmbeddedDatabase({ folder: join(config.dataDir, 'database'), log: (line) => log.info(line) })
  const metrics = createMetrics()
  metrics.info.set({ version, role: config.role }, 1)
  if (config.metricsToken !== null) collectProcessMetrics(metrics)
  await openDatabase(
    config.mongodbUrl ?? embedded?.url ?? '',
    runMigrations,
    config.metricsToken === null ? null : metrics,
  )
  await papersStore.claim()
  let databaseIsLost = false
  embedded?.unexpectedExit.then(() => {
    databaseIsLost = true
    forceCloseDatabase()
  })
  await recoverInterruptedChanges()
  const clock = options.clock ?? systemClock
  await reconcileAbandonedCalls(clock.now())

  const settings = createSettingsStore(config)
  const models = options.models ?? createLlmService({ config, clock, log, metrics })
  const jobs = new JobQueue({ pools: jobPools(settings, models), log, metrics, clock, pollMs: options.jobPollMs })
  const mailing = createMail(
    async () => {
      const { smtp_url, mail_from } = await settings.current()
      return { smtpUrl: smtp_url, from: mail_from }
    },
    join(config.dataDir, 'outbox'),
    jobs,
    log,
  )
  const parts: Omit<Services, 'names'> = {
    config,
    settings,
    log,
    metrics,
    clock,
    files: papersStore.files,
    papers:
      options.papers ??
      createPaperReader({
        processes: config.readingProcesses,
        limits: { secondsPerPage: config.readingSecondsPerPage },
        log: (line, details) => log.debug(details, line),
        metrics,
      }),
    grader: options.grader ?? createOfflineGrader(),
    llm: models,
    jobs,
    mail: mailing.mail,
    events: new EventBus<AppEvents>(),
  }
  const services: Services = { ...parts, names: createHiddenNames(parts) }
  const grading = createGradingPipeline(services)
  const rescoring = createRescoring(services)
  const amendments = createAmendments(services, rescoring.carryDecisions)
  const rubrics = createRubricGenerations(services, currentRubricUsage)
  // Resumed in this order.
  const background: BackgroundWork[] = [
    mailing,
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
    createScoreSender(services, options.scorePollMs),
    createReminders(services),
    createRosterSyncs(services),
    erasureWork(services),
    auditSealing(services),
    createSweeps(services),
  ]
  for (const job of background.flatMap((work) => work.jobs)) jobs.register(job)

  const uploadFolder = join(config.dataDir, 'uploads')
  // Partial uploads of an earlier process; none of them was acknowledged.
  await rm(uploadFolder, { recursive: true, force: true })
  await mkdir(uploadFolder, { recursive: true, mode: 0o700 })

  await logSharedIssuers(services)
  const framing = createFrameAncestorsCache(services)
  await framing.refresh()

  let ready = true
  const isReady = () => ready && papersStore.hasAnswered()
  const app = createApp(services, {
    uploadFolder,
    clientFolder: options.clientFolder,
    grading,
    rubrics,
    rescoring,
    amendments,
    frameAncestors: framing,
    isReady,
    collectors: createCollectors(services, () => realtime),
    idleBodyMs: options.idleBodyMs ?? IDLE_BODY_MS,
  })
  const server = createServer(app)
  // A class's papers over a slow line may take longer than any fixed time; the app ends one that stops moving.
  server.requestTimeout = 0
  // Longer than the minute that proxies hold theirs open: if we closed first, a request could be lost.
  server.keepAliveTimeout = 65_000
  const connections = trackConnections(server)
  const realtime = startRealtime(server, services, options)
  const url = await listen(server, config)
  // PORT 0 lets the system choose; people and LMSs get the port it chose.
  if (URL.parse(config.publicUrl)?.port === '0') config.publicUrl = url
  await jobs.start()
  for (const work of background) await work.resume?.()

  return {
    services,
    grading,
    rubrics,
    server,
    url,
    databaseLost: embedded?.unexpectedExit ?? new Promise(() => {}),
    async stop() {
      ready = false
      // Armed first: closing the sockets closes the server with them and waits for every request under way.
      const force = setTimeout(connections.destroyAll, options.graceMs ?? GRACE_MS)
      await realtime.close()
      clearTimeout(force)
      for (const work of background) await work.stop?.()
      await jobs.stop()
      await services.papers.close()
      await services.grader.close()
      papersStore.close()
      if (!databaseIsLost) await closeDatabase()
      await embedded?.stop()
      folderLock.release()
    },
  }
}

/**
 * Work that mostly waits has pools of its own: a mail server, an LMS or an LLM that does not answer must not stop papers from being read,
 * and a class that is being graded must not delay mail.
 */
const jobPools = (settings: SettingsStore, models: LlmService): Record<string, PoolLimits> => ({
  cpu: { max: async () => (await settings.current()).grading_concurrency },
  io: { max: () => 4 },
  mail: { max: () => 4 },
  // Links to set a password or confirm an address: thousands of invitations must not delay them.
  'sign-in-mail': { max: () => 2 },
  // By LMS.
  lms: { max: () => 6, maxPerKey: () => 2 },
  // By course. These hold their papers in memory, hence `max`; yet no course's provider holds up another course's papers.
  llm: { max: () => 320, maxPerKey: models.concurrencyFor, minPerKey: 4 },
})

/** Deletes unreferenced data, and what anybody could add to without end. */
function createSweeps(services: Services): BackgroundWork {
  const sweep = async (signal: AbortSignal) => {
    // Orphans first: only then are their files unreferenced.
    await sweepOrphans(services)
    await sweepFiles(services, signal)
    await trimLaunchLog()
  }
  const options = { log: services.log, failure: 'the sweep of unreferenced data failed', atStart: false }
  return { jobs: [], ...repeatedWork(SWEEP_EVERY_MS, sweep, options) }
}
