import type { getAdminDashboard } from '@assay/shared/admin.ts'
import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { version } from '../../lib/version.ts'
import type { Services } from '../../services.ts'
import { countAllAssignments } from '../assignments/assignment.service.ts'
import { countCourses } from '../courses/course.service.ts'
import { countPlatforms } from '../lti/platforms/platform.service.ts'
import { countActiveRuns } from '../runs/run.service.ts'
import { countAllSubmissions, countGradedSince } from '../submissions/submission-queries.ts'
import { countUsersByKind } from '../users/user.service.ts'
import { findAttention } from './attention.ts'
import { checkHealth } from './check-health.ts'

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

export async function buildDashboard(services: Services): Promise<Dashboard> {
  const now = services.clock.now()
  const [users, courses, assignments, submissions, grades_today, work, lms, health] = await Promise.all([
    countUsersByKind(now),
    countCourses(),
    countAllAssignments(),
    countAllSubmissions(),
    countGradedSince(new Date(now.getTime() - DAY_MS)),
    summarizeJobs(services, now),
    countPlatforms(),
    checkHealth(services),
  ])
  const counts = { pendingInstructors: users.pending, pendingPlatforms: lms.waiting }
  return {
    users,
    courses,
    assignments,
    submissions,
    grades_today,
    work,
    lms,
    health,
    attention: await findAttention(health, counts, services),
    version,
    uptime_seconds: Math.floor(process.uptime()),
  }
}
