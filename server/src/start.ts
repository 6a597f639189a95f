import { join } from 'node:path'
import { createApp } from './app.ts'
import { worksAlone } from './cluster/processes/processes.ts'
import { connectToRedis, createEventRelay } from './cluster/redis/redis.ts'
import { openFileStore } from './cluster/s3/open-file-store.ts'
import type { Config } from './config.ts'
import { createBackground, jobPools } from './create-background.ts'
import { startEmbeddedDatabase } from './embedded/embedded-database.ts'
import { createSettingsStore } from './features/admin/settings/settings-store.ts'
import { type PasswordCost, setPasswordCost } from './features/auth/password-hash.ts'
import { createLlmService } from './features/llm/create-llm-service.ts'
import type { LlmService } from './features/llm/llm-service.ts'
import { createFrameAncestorsCache } from './features/lti/launch-endpoints/handle-launch.ts'
import { logSharedIssuers } from './features/lti/platforms/change-identity-provider.ts'
import { type RsaKeys, setKeySource } from './features/lti/platforms/platform-keys.ts'
import { countUnsentScores } from './features/lti/scores/score-rows.ts'
import { type Realtime, startRealtime } from './features/realtime/realtime.ts'
import { createHiddenNames } from './features/transcriptions/privacy/create-hidden-names.ts'
import type { Grader } from './grader/grader.ts'
import { createOfflineGrader } from './grader/offline/offline-grader.ts'
import { joinProcesses } from './join-processes.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { closeDatabase, forceCloseDatabase, isDatabaseConnected, openDatabase } from './lib/database/database.ts'
import { EventBus } from './lib/event-bus.ts'
import { findClientBuild } from './lib/http/client-files.ts'
import { closeServer, createHttpServer, gracefulShutdown, IDLE_BODY_MS, listen } from './lib/http/listen.ts'
import { collectJobMetrics } from './lib/jobs/collect-job-metrics.ts'
import { JobQueue } from './lib/jobs/job-queue.ts'
import type { Log } from './lib/log.ts'
import { setAlone } from './lib/machine.ts'
import { createMail } from './lib/mail/mail.ts'
import { collectProcessMetrics, createMetrics } from './lib/metrics/metrics.ts'
import type { Collectors } from './lib/metrics/serve-metrics.ts'
import { diskSpace, folderSize } from './lib/storage/disk-space.ts'
import { version } from './lib/version.ts'
import { assertNotBeingRestored, shareDataFolder } from './maintenance/backup/swap-in.ts'
import { rotateSecrets } from './maintenance/rotate-secrets.ts'
import { runMigrations } from './migrations/run-migrations.ts'
import { createPaperReader, type PaperReader } from './papers/paper-reader.ts'
import { storeClientFiles } from './records/system/client-file.model.ts'
import { installationId } from './records/system/installation.model.ts'
import { createRecovery, reconcileAbandoned } from './recovery.ts'
import { createWorkerApp } from './serve-health.ts'
import type { AppEvents, Services } from './services.ts'

export interface StartOptions {
  config: Config
  log: Log
  clientFolder: string | null
  clock?: Clock
  grader?: Grader
  models?: LlmService
  papers?: PaperReader
  graceMs?: number
  /** The longest wait for a body's next byte. */
  idleBodyMs?: number
  jobPollMs?: number
  scorePollMs?: number
  /** How often the access of open sockets is checked again. */
  recheckAccessMs?: number
  /** For each kind of socket. */
  maxSocketsPerAddress?: number
  passwordCost?: PasswordCost
  platformKeys?: () => Promise<RsaKeys>
}

export type RunningServer = Awaited<ReturnType<typeof start>>

const DAY_MS = 24 * 60 * 60_000

export async function start(options: StartOptions) {
  const { log } = options
  const config = { ...options.config }
  const serves = config.role !== 'worker'
  const works = config.role !== 'web'
  const folderLock = shareDataFolder(config.dataDir)
  assertNotBeingRestored(config.dataDir)
  const papersStore = await openFileStore(config, log, installationId)
  const embedded = config.mongodbUrl
    ? null
    : await startEmbeddedDatabase({ folder: join(config.dataDir, 'database'), log: (line) => log.info(line) })
  // Before the first lock: an earlier process's locks on an embedded database are free.
  setAlone(config.mongodbUrl === null)
  setPasswordCost(options.passwordCost)
  setKeySource(options.platformKeys)
  const metrics = createMetrics()
  metrics.info.set({ version, role: config.role }, 1)
  if (config.metricsToken !== null) collectProcessMetrics(metrics)
  await openDatabase(
    config.mongodbUrl ?? embedded?.url ?? '',
    (db) => runMigrations(db, log),
    config.metricsToken === null ? null : metrics,
  )
  await papersStore.claim()
  const joined = await joinProcesses(config, log)
  if (config.previousSecretKey !== null) {
    const rotation = await rotateSecrets(config.secretKey, config.previousSecretKey)
    log.info(rotation, 'secrets are encrypted with the new SECRET_KEY; SECRET_KEY_PREVIOUS may be removed')
  }
  let databaseIsLost = false
  void embedded?.unexpectedExit.then(() => {
    databaseIsLost = true
    forceCloseDatabase()
  })
  const clock = options.clock ?? systemClock

  const redis = config.redisUrl
    ? await connectToRedis({ url: config.redisUrl, secretKey: config.secretKey, log, metrics })
    : null
  const events = new EventBus<AppEvents>(
    redis && createEventRelay(redis, { secretKey: config.secretKey, log }),
    worksAlone,
  )
  const settings = createSettingsStore(config)
  const models = options.models ?? createLlmService({ config, clock, log, metrics, events, redis })
  const jobs = new JobQueue({
    pools: jobPools(settings, models, config),
    log,
    metrics,
    clock,
    pollMs: options.jobPollMs,
  })
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
    uploadFolder: joined.uploadFolder,
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
    events,
    redis,
  }
  const services: Services = { ...parts, names: createHiddenNames(parts) }
  const { grading, rubrics, rescoring, amendments, afterDecision, background } = createBackground(services, {
    mailing,
    scorePollMs: options.scorePollMs,
  })
  for (const job of background.flatMap((work) => work.jobs)) jobs.register(job)

  await logSharedIssuers(services)
  const framing = createFrameAncestorsCache(services)
  await framing.refresh()

  const clientFolder = serves ? findClientBuild(options.clientFolder) : null
  const storeFiles = async () => {
    if (!clientFolder) return
    await storeClientFiles(clientFolder, clock.now()).catch((error: unknown) =>
      log.warn({ err: error }, 'the files of this client could not be stored for pages of other versions'),
    )
  }
  // Before any page names them.
  await storeFiles()

  let ready = true
  let realtime: Realtime | null = null
  const health = {
    isReady: () => ready && papersStore.hasAnswered(),
    collectors: createCollectors(services, () => realtime),
  }
  const app = serves
    ? createApp(services, {
        ...health,
        clientFolder: options.clientFolder,
        grading,
        rubrics,
        rescoring,
        amendments,
        afterDecision,
        frameAncestors: framing,
        idleBodyMs: options.idleBodyMs ?? IDLE_BODY_MS,
      })
    : createWorkerApp(services, health)
  const server = createHttpServer()
  // Before the app, which may have answered.
  const shutDown = gracefulShutdown(server)
  server.on('request', app)
  if (serves) realtime = startRealtime(server, services, options)
  // Before anything that may call an LLM or change what statistics depend on.
  if (works) await reconcileAbandoned(services)
  const url = await listen(server, config)
  if (URL.parse(config.publicUrl)?.port === '0') config.publicUrl = url
  // Also deletes files long out of use.
  const renewal = setInterval(storeFiles, DAY_MS).unref()
  const recovery = createRecovery(services, background)
  if (works) {
    await jobs.start()
    await recovery.recover()
    for (const work of background) await work.repeat?.()
    await recovery.repeat()
  }

  return {
    services,
    grading,
    rubrics,
    server,
    url,
    /** Resolves, with the reason, when the process should be restarted. */
    databaseLost: embedded?.unexpectedExit ?? new Promise<string>(() => {}),
    /** Finishes requests under way and leaves unfinished jobs queued. */
    async stop() {
      ready = false
      await shutDown({
        // Nobody sends requests to a worker.
        delayMs: serves ? config.shutdownDelayMs : 0,
        timeoutMs: options.graceMs ?? config.shutdownTimeoutMs,
        close: () => realtime?.close() ?? closeServer(server),
      })
      clearInterval(renewal)
      await recovery.stop()
      for (const work of background) await work.stop?.()
      await jobs.stop()
      await services.papers.close()
      await services.grader.close()
      papersStore.close()
      await redis?.close()
      if (!databaseIsLost) {
        await joined.end()
        await closeDatabase()
      }
      await embedded?.stop()
      folderLock.release()
    },
  }
}

/** `realtime` starts later than the metrics; a worker has none. */
function createCollectors(services: Services, realtime: () => Realtime | null): Collectors {
  const { metrics, papers, clock, config } = services
  return {
    jobs: () => collectJobMetrics(metrics, clock.now()),
    reading() {
      metrics.readingTasksWaiting.set(papers.tasksWaiting())
      metrics.readingProcesses.set(papers.processIds().length)
    },
    sockets() {
      for (const [kind, count] of Object.entries(realtime()?.countSockets() ?? {})) metrics.sockets.set({ kind }, count)
    },
    async scores() {
      for (const { state, count } of await countUnsentScores()) metrics.scores.set({ state }, count)
    },
    async database() {
      metrics.databaseUp.set(isDatabaseConnected() ? 1 : 0)
      if (config.mongodbUrl === null) metrics.databaseBytes.set(await folderSize(join(config.dataDir, 'database')))
    },
    async disk() {
      const { free_bytes, total_bytes } = await diskSpace(config.dataDir)
      metrics.diskFreeBytes.set(free_bytes)
      metrics.diskBytes.set(total_bytes)
    },
  }
}
