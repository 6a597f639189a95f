import { join } from 'node:path'
import { type AttentionItem, getAdminDashboard, type Health, listAudit, listAuditActions } from '@assay/shared/admin.ts'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { getStorageUsage } from '@assay/shared/settings.ts'
import type { Router } from 'express'
import { distinctAuditActions, findAuditEntries } from '../../audit/audit.service.ts'
import type { Config } from '../../config.ts'
import { allOf } from '../../lib/all-of.ts'
import { allow, handle } from '../../lib/http/handle.ts'
import { countDueJobs } from '../../lib/jobs/collect-job-metrics.ts'
import { diskSpace, folderSize } from '../../lib/storage/disk-space.ts'
import { version } from '../../lib/version.ts'
import type { Services } from '../../services.ts'
import { countAllAssignments, measureAssignmentPapers } from '../assignments/assignment.service.ts'
import { idsOfAssignmentsHidingNames } from '../assignments/assignment-queries.ts'
import { countCourses } from '../courses/course.service.ts'
import { summarizeLaunches } from '../lti/launch-endpoints/launch-attempt.ts'
import { countPlatforms } from '../lti/platforms/platform.service.ts'
import { listPausedPlatforms } from '../lti/scores/platform-pause.ts'
import { countUnsentScores } from '../lti/scores/score-rows.ts'
import { countActiveRuns } from '../runs/run.service.ts'
import { countAllSubmissions, countGradedSince, measureSubmittedPapers } from '../submissions/submission-queries.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { countUsersByKind, searchUserIds } from '../users/user.service.ts'
import { presentAuditEntries } from './audit.present.ts'
import { checkHealth } from './check-health.ts'

export function adminRoutes(router: Router, services: Services): void {
  handle(router, getAdminDashboard, async ({ actor }) => {
    allow(canAdminister(actor))
    return buildDashboard(services)
  })

  handle(router, getStorageUsage, async ({ actor }) => {
    allow(canAdminister(actor))
    return measureStorageUsage(services.config)
  })

  handle(router, listAudit, async ({ query, actor, setTotal }) => {
    allow(canAdminister(actor))
    const who = query.person ? await searchUserIds(query.person) : null
    const { entries, total } = await findAuditEntries(query, who, who ? await idsOfAssignmentsHidingNames() : [])
    setTotal(total)
    return presentAuditEntries(entries, services)
  })

  handle(router, listAuditActions, async ({ actor }) => {
    allow(canAdminister(actor))
    return distinctAuditActions()
  })
}

const DAY_MS = 24 * 60 * 60_000

type Dashboard = ReplyOf<typeof getAdminDashboard>

async function summarizeJobs({ jobs }: Services, now: Date): Promise<Dashboard['work']> {
  const [runs, load, failed] = await Promise.all([
    countActiveRuns(),
    jobs.countJobs(),
    jobs.listFailedSince(new Date(now.getTime() - 7 * DAY_MS)),
  ])
  return { runs, ...load, failed: failed.map((job) => ({ ...job, at: job.at.toISOString() })) }
}

async function buildDashboard(services: Services): Promise<Dashboard> {
  const now = services.clock.now()
  const found = await allOf({
    users: countUsersByKind(now),
    courses: countCourses(),
    assignments: countAllAssignments(),
    submissions: countAllSubmissions(),
    grades_today: countGradedSince(new Date(now.getTime() - DAY_MS)),
    work: summarizeJobs(services, now),
    lms: countPlatforms(),
    health: checkHealth(services),
  })
  const counts = { pendingInstructors: found.users.pending, pendingPlatforms: found.lms.waiting }
  return {
    ...found,
    attention: await findAttention(found.health, counts, services),
    version,
    uptime_seconds: Math.floor(process.uptime()),
  }
}

async function measureStorageUsage(config: Pick<Config, 'dataDir' | 'mongodbUrl' | 'filesLocation'>) {
  const [submitted, given, space, database] = await Promise.all([
    measureSubmittedPapers(),
    measureAssignmentPapers(),
    diskSpace(config.dataDir),
    config.mongodbUrl === null ? folderSize(join(config.dataDir, 'database')) : null,
  ])
  const s3 = config.filesLocation
  return {
    folder: s3 ? `s3://${s3.bucket}/${s3.prefix}` : join(config.dataDir, 'papers'),
    papers: submitted.papers + given.papers,
    paper_bytes: submitted.bytes + given.bytes,
    database_bytes: database,
    ...space,
  }
}

const HOUR_MS = 60 * 60 * 1000

/** As in the alerts of `docs/operate/alerts.yml`. */
const thresholds = { jobWaitSeconds: 3600, mailWaitSeconds: 300, refusedLaunchShare: 0.1, refusedLaunches: 5 }

type Counts = { pendingInstructors: number; pendingPlatforms: number }

const healthAdvice: Record<Exclude<Health['part'], 'queue'>, { title: string; advice: string }> = {
  database: {
    title: 'The database does not respond',
    advice: 'Nothing can be stored. Look at its log and at the disk.',
  },
  papers: {
    title: 'Many papers cannot be read',
    advice: 'Open a failed paper to see why. Files that are damaged or protected have to be uploaded again.',
  },
  grader: {
    title: 'The AI model’s provider fails',
    advice:
      'Papers wait and go on by themselves. Test the connection, and look at the provider’s status and your credit there.',
  },
  mail: { title: 'Emails do not arrive', advice: 'Check the mail server, and send yourself a test email.' },
  disk: {
    title: 'Disk space is low',
    advice: 'Uploads are refused before it is full. Make room, or move the data folder to a larger disk.',
  },
  redis: { title: 'Redis does not respond', advice: 'Start it again. Nothing is lost meanwhile.' },
}

const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
const readable = (jobName: string) => jobName.replace(/-/g, ' ')

function fromHealth(health: readonly Health[]): AttentionItem[] {
  return health.flatMap(({ part, state, detail }) => {
    if (part === 'queue' || state === 'good') return []
    const { title, advice } = healthAdvice[part]
    return [{ kind: part, severity: state, title, advice: `${detail} ${advice}`, since: null }]
  })
}

async function failedJobs({ jobs, clock }: Services): Promise<AttentionItem[]> {
  const failed = await jobs.listFailedSince(new Date(clock.now().getTime() - DAY_MS))
  const last = failed.at(-1)
  if (!last) return []
  const kinds = [...Map.groupBy(failed, ({ name }) => name)].map(([name, own]) => `${readable(name)} (${own.length})`)
  return [
    {
      kind: 'jobs_failed',
      severity: 'warn',
      title: `${count(failed.length, 'job')} failed in the last 24 hours`,
      advice: `They are not tried again: ${kinds.join(', ')}. The reasons are under Jobs, and in the server’s log.`,
      since: last.at.toISOString(),
    },
  ]
}

async function waitingJobs({ clock }: Services): Promise<AttentionItem[]> {
  const now = clock.now()
  const late = (await countDueJobs(now)).filter(({ _id: name, oldest }) => {
    const seconds = (now.getTime() - oldest.getTime()) / 1000
    return seconds > (name.includes('mail') ? thresholds.mailWaitSeconds : thresholds.jobWaitSeconds)
  })
  if (late.length === 0) return []
  const sum = late.reduce((total, one) => total + one.count, 0)
  const oldest = new Date(Math.min(...late.map((one) => one.oldest.getTime())))
  return [
    {
      kind: 'jobs_waiting',
      severity: 'bad',
      title: `${count(sum, 'job')} should have run long ago`,
      advice: `Waiting: ${late.map(({ _id: name, count: own }) => `${readable(name)} (${own})`).join(', ')}. The machine may be too busy, or a worker hangs: look at its load and log, and restart Assay if nothing moves.`,
      since: oldest.toISOString(),
    },
  ]
}

const warning = (kind: AttentionItem['kind'], title: string, advice: string): AttentionItem => ({
  ...{ kind, severity: 'warn', title, advice },
  since: null,
})

async function scores(): Promise<AttentionItem[]> {
  const [unsent, paused] = await Promise.all([countUnsentScores(), listPausedPlatforms()])
  const refused = unsent.find(({ state }) => state === 'refused')?.count ?? 0
  const items = paused.map(({ name, problem }) => {
    const advice = `${problem} Scores wait, and are sent again by themselves.`
    return warning('lms_silent', `${name} accepts no scores at the moment`, advice)
  })
  if (refused === 0) return items
  const title = `${count(refused, 'score was', 'scores were')} refused by an LMS`
  const advice =
    'They are not in the gradebook. Each assignment’s submissions say why; its teacher can send them again.'
  return [...items, warning('scores_refused', title, advice)]
}

async function launches({ clock }: Services): Promise<AttentionItem[]> {
  const { total, refused, reason } = await summarizeLaunches(new Date(clock.now().getTime() - HOUR_MS))
  if (refused <= thresholds.refusedLaunches || refused <= thresholds.refusedLaunchShare * total) return []
  return [
    {
      kind: 'launches_refused',
      severity: 'bad',
      title: `${refused} of ${total} launches from LMSs were refused in the last hour`,
      advice: `${reason ? `Most often: ${reason} ` : ''}The log of each LMS says more.`,
      since: null,
    },
  ]
}

function waitingForApproval({ pendingInstructors, pendingPlatforms }: Counts): AttentionItem[] {
  const items: AttentionItem[] = []
  if (pendingPlatforms > 0) {
    const title = `${count(pendingPlatforms, 'LMS is', 'LMSs are')} waiting for approval`
    items.push(warning('lms_waiting', title, 'Nobody can open Assay from an LMS until it is approved.'))
  }
  if (pendingInstructors > 0) {
    const title = `${count(pendingInstructors, 'instructor is', 'instructors are')} waiting for approval`
    items.push(warning('instructors_waiting', title, 'They cannot create courses until they are approved.'))
  }
  return items
}

async function findAttention(health: readonly Health[], counts: Counts, services: Services): Promise<AttentionItem[]> {
  const checks = [failedJobs, waitingJobs, scores, launches]
  const found = await Promise.all(
    checks.map((check) =>
      check(services).catch((error: unknown): AttentionItem[] => {
        services.log.warn({ err: error }, 'what needs attention could not be looked up')
        return []
      }),
    ),
  )
  const items = [...fromHealth(health), ...found.flat(), ...waitingForApproval(counts)]
  return items.sort((a, b) => Number(b.severity === 'bad') - Number(a.severity === 'bad'))
}
