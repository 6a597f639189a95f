import { setTimeout as after } from 'node:timers/promises'
import type { Health } from '@assay/shared/admin.ts'
import mongoose from 'mongoose'
import { diskSpace } from '../../lib/storage/disk-space.ts'
import type { Services } from '../../services.ts'
import { providerHealth } from '../llm/create-llm-service.ts'
import { countFailedSince, countGradedSince } from '../submissions/submission-queries.ts'

type CheckResult = Pick<Health, 'state' | 'detail'>

const GIB = 2 ** 30
const LOW_DISK_BYTES = 10e9
const CRITICAL_DISK_BYTES = GIB
const TIMEOUT_MS = 3000
const DAY_MS = 24 * 60 * 60 * 1000

async function answersInTime(answer: Promise<unknown>): Promise<boolean> {
  const stop = new AbortController()
  const tooLate = after(TIMEOUT_MS, false, { signal: stop.signal }).catch(() => false)
  try {
    return await Promise.race([answer.then(() => true), tooLate])
  } finally {
    stop.abort()
  }
}

async function checkDatabase({ config }: Services): Promise<CheckResult> {
  const since = performance.now()
  const ping = mongoose.connection.db?.admin().ping()
  if (!ping || !(await answersInTime(ping))) return { state: 'bad', detail: 'Not responding.' }
  const name = config.mongodbUrl === null ? 'Embedded database' : 'MongoDB'
  return { state: 'good', detail: `${name}; answers in ${Math.max(1, Math.round(performance.now() - since))} ms.` }
}

/** Its processes start with the first paper, so its health is that of the last papers. */
async function checkPapers({ papers: reader, clock }: Services): Promise<CheckResult> {
  const since = new Date(clock.now().getTime() - DAY_MS)
  const [failed, graded] = await Promise.all([countFailedSince(since), countGradedSince(since)])
  const processes = reader.processIds().length
  const now =
    processes > 0 ? `Running (${processes} process${processes === 1 ? '' : 'es'})` : 'Idle; starts with the next paper'
  if (failed === 0) return { state: 'good', detail: `${now}.` }
  return {
    state: failed > graded ? 'warn' : 'good',
    detail: `${now}. In the last 24 hours ${failed} papers failed and ${graded} were graded.`,
  }
}

async function checkMail({ settings, config, jobs, clock }: Services): Promise<CheckResult> {
  const [{ values, smtpUnreadable }, failed] = await Promise.all([
    settings.resolved(),
    jobs.listFailedSince(new Date(clock.now().getTime() - DAY_MS)),
  ])
  if (smtpUnreadable)
    return { state: 'bad', detail: 'The mail server was encrypted with a different SECRET_KEY. Enter it again.' }
  const lost = failed.filter(({ name }) => name.includes('mail')).length
  if (lost > 0) return { state: 'warn', detail: `${lost} email${lost === 1 ? '' : 's'} failed in the last 24 hours.` }
  if (values.smtp_url !== null) return { state: 'good', detail: 'Sent through the mail server.' }
  return {
    state: config.production ? 'warn' : 'good',
    detail: 'No mail server: emails are written to the outbox folder.',
  }
}

async function checkDisk({ config }: Services): Promise<CheckResult> {
  const { free_bytes, total_bytes } = await diskSpace(config.dataDir)
  const share = Math.round((free_bytes / total_bytes) * 100)
  const detail = `${(free_bytes / GIB).toFixed(1)} GB free (${share} %).`
  if (free_bytes < CRITICAL_DISK_BYTES) return { state: 'bad', detail }
  return { state: free_bytes < LOW_DISK_BYTES && share < 10 ? 'warn' : 'good', detail }
}

async function checkQueue({ jobs, clock }: Services): Promise<CheckResult> {
  const failed = await jobs.listFailedSince(new Date(clock.now().getTime() - DAY_MS))
  return failed.length === 0
    ? { state: 'good', detail: 'No jobs failed in the last 24 hours.' }
    : { state: 'warn', detail: `${failed.length} job${failed.length === 1 ? '' : 's'} failed in the last 24 hours.` }
}

async function checkRedis({ redis }: Services): Promise<CheckResult> {
  const since = performance.now()
  if (redis && (await redis.attempt((client) => client.ping())) !== null)
    return { state: 'good', detail: `Answers in ${Math.max(1, Math.round(performance.now() - since))} ms.` }
  const detail =
    'Not responding. Until it does, each process counts limits alone, and tells of changes only who is connected to it.'
  return { state: 'warn', detail }
}

/** The system's LLM only: a course's own concerns its teachers. */
async function checkGrader(services: Services): Promise<CheckResult> {
  const { version } = services.grader
  return (await providerHealth(services)) ?? { state: 'good', detail: `The built-in grader, version ${version}.` }
}

export async function checkHealth(services: Services): Promise<Health[]> {
  const checks = {
    database: checkDatabase,
    papers: checkPapers,
    grader: checkGrader,
    queue: checkQueue,
    mail: checkMail,
    disk: checkDisk,
    ...(services.redis ? { redis: checkRedis } : {}),
  }
  return Promise.all(
    Object.entries(checks).map(async ([part, check]): Promise<Health> => {
      const state = await check(services).catch((error: unknown): CheckResult => {
        services.log.warn({ err: error, part }, 'a health check failed')
        return { state: 'bad', detail: 'The check failed.' }
      })
      return { part: part as Health['part'], ...state }
    }),
  )
}
