import type { getAdminDashboard } from '@assay/shared/admin.ts'
import type { ReplyOf } from '@assay/shared/endpoint.ts'
import { version } from '../../lib/version.ts'
import { AssignmentModel } from '../../records/assignments/assignment.model.ts'
import { CourseModel } from '../../records/courses/course.model.ts'
import { activeStatuses, RunModel } from '../../records/grading/run.model.ts'
import { LtiPlatformModel } from '../../records/lti/platform.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { SubmissionModel } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { checkHealth } from './check-health.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Dashboard = ReplyOf<typeof getAdminDashboard>

async function countUsers(now: Date): Promise<Dashboard['users']> {
  const seenWithin = (ms: number) => UserModel.countDocuments({ last_seen_at: { $gte: new Date(now.getTime() - ms) } })
  const [total, students, instructors, admins, pending, deactivated, active_now, active_today] = await Promise.all([
    UserModel.countDocuments({}),
    UserModel.countDocuments({ role: 'student' }),
    UserModel.countDocuments({ role: 'instructor' }),
    UserModel.countDocuments({ role: 'admin' }),
    UserModel.countDocuments({ account: 'pending' }),
    UserModel.countDocuments({ account: 'deactivated' }),
    seenWithin(15 * MINUTE_MS),
    seenWithin(DAY_MS),
  ])
  return { total, students, instructors, admins, pending, deactivated, active_now, active_today }
}

async function summarizeJobs({ jobs }: Services, now: Date): Promise<Dashboard['work']> {
  const [runs, load, failed] = await Promise.all([
    RunModel.countDocuments({ status: { $in: activeStatuses } }),
    jobs.load(),
    jobs.givenUpSince(new Date(now.getTime() - 7 * DAY_MS)),
  ])
  return { runs, ...load, failed: failed.map((job) => ({ ...job, at: job.at.toISOString() })) }
}

async function countPlatforms(): Promise<Dashboard['lms']> {
  const [total, waiting] = await Promise.all([
    LtiPlatformModel.countDocuments({}),
    LtiPlatformModel.countDocuments({ $or: [{ status: 'pending' }, { proposed: { $ne: null } }] }),
  ])
  return { total, waiting }
}

export async function buildDashboard(services: Services): Promise<Dashboard> {
  const now = services.clock.now()
  const [users, courses, assignments, published, submissions, failed, grades, work, lms, health] = await Promise.all([
    countUsers(now),
    CourseModel.countDocuments({}),
    AssignmentModel.countDocuments({}),
    AssignmentModel.countDocuments({ status: 'published' }),
    SubmissionModel.countDocuments({}),
    SubmissionModel.countDocuments({ status: 'failed' }),
    SubmissionModel.countDocuments({ 'grade.graded_at': { $gte: new Date(now.getTime() - DAY_MS) } }),
    summarizeJobs(services, now),
    countPlatforms(),
    checkHealth(services),
  ])
  return {
    users,
    courses,
    assignments: { total: assignments, published },
    submissions: { total: submissions, failed },
    grades_today: grades,
    work,
    lms,
    health,
    version,
    uptime_seconds: Math.floor(process.uptime()),
  }
}
