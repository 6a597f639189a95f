import type { QueryOf } from '@assay/shared/http/endpoint.ts'
import {
  type LmsCourse,
  listLmsCourses,
  listSuspended,
  type SuspendedMember,
  stopLmsSync,
  syncLmsRoster,
} from '@assay/shared/lti/lti-roster.ts'
import { compareNames } from '@assay/shared/rules/person-name.ts'
import type { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { limitRequests } from '../../../cluster/redis/rate-limit.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { type Actor, handle } from '../../../lib/http/handle.ts'
import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import { type LtiMemberDoc, LtiMemberModel } from '../../../records/lti/member.model.ts'
import type { Services } from '../../../services.ts'
import { canTeach, requireCourseFor } from '../../courses/course.service.ts'
import { usersById } from '../../users/user.service.ts'
import { contextsOfCourse } from '../contexts/resource-link.service.ts'
import { platformsById } from '../platforms/platform.service.ts'
import { queueRosterSync, stopRosterSync } from './roster-sync.ts'
import { findSyncBlocker } from './sync-report.ts'

/** The LMS has to put together thousands of people. */
const SYNCS_AN_HOUR = 60

export function lmsRosterRoutes(router: Router, services: Services): void {
  const { clock } = services
  router.post(syncLmsRoster.path, limitRequests(services, { name: 'LMS roster sync', limit: SYNCS_AN_HOUR }))

  const openCourse = (courseId: number, actor: Actor) => requireCourseFor(actor, courseId, canTeach, clock.now())

  handle(router, listLmsCourses, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    return presentLmsCourses(await contextsOfCourse(course._id))
  })

  handle(router, syncLmsRoster, async ({ params, body, actor }) => {
    const course = await openCourse(params.courseId, actor)
    const contexts = await contextsOfCourse(course._id)
    const wanted = body.suspend_missing ? contexts.filter(({ roster }) => roster?.state === 'doubtful') : contexts
    for (const context of await requireListed(wanted, contexts)) {
      const begun = await queueRosterSync(context._id, services, { acceptShortList: body.suspend_missing })
      if (!begun) continue
      const subject = { course_id: course._id, lti_context_id: context._id }
      const change = body.suspend_missing ? { after: { suspend_missing: true } } : {}
      await recordAudit(actor, 'lms.roster_sync_asked', subject, clock.now(), change)
    }
    return presentLmsCourses(await contextsOfCourse(course._id))
  })

  handle(router, stopLmsSync, async ({ params, actor }) => {
    const course = await openCourse(params.courseId, actor)
    for (const context of await contextsOfCourse(course._id)) {
      if (!(await stopRosterSync(context, services))) continue
      const subject = { course_id: course._id, lti_context_id: context._id }
      await recordAudit(actor, 'lms.roster_sync_stopped', subject, clock.now())
    }
    return presentLmsCourses(await contextsOfCourse(course._id))
  })

  handle(router, listSuspended, async ({ params, query, actor, setTotal }) => {
    const course = await openCourse(params.courseId, actor)
    const { members, total } = await listSuspendedIn(await contextsOfCourse(course._id), query)
    setTotal(total)
    return members
  })
}

/** @throws {AppError} `conflict`, saying why there are none */
async function requireListed(wanted: LtiContextDoc[], all: LtiContextDoc[]): Promise<LtiContextDoc[]> {
  if (all.length === 0)
    throw new AppError(
      'conflict',
      'This course is not linked to an LMS course. Open Assay from the LMS and choose this course.',
    )
  if (wanted.length === 0)
    throw new AppError('conflict', 'No sync is waiting for a decision to suspend students. Reload the page.')
  const platforms = await platformsOf(wanted)
  const blockers = wanted.map((context) => findSyncBlocker(context, platforms.get(context.platform_id) ?? null))
  const [first] = blockers
  if (first && blockers.every(Boolean)) throw new AppError('conflict', first)
  return wanted.filter((_, i) => !blockers[i])
}

const platformsOf = (contexts: LtiContextDoc[]) => platformsById(contexts.map(({ platform_id }) => platform_id))

async function presentLmsCourses(contexts: LtiContextDoc[]): Promise<LmsCourse[]> {
  const platforms = await platformsOf(contexts)
  return Promise.all(
    contexts.map(async (context): Promise<LmsCourse> => {
      const { _id, title, label, roster } = context
      const platform = platforms.get(context.platform_id) ?? null
      const count = (status: LtiMemberDoc['status']) =>
        LtiMemberModel.countDocuments({ context: _id, status, role: { $ne: null } })
      const [members, suspended] = await Promise.all([count('active'), count('suspended')])
      return {
        id: _id,
        platform: { name: platform?.name ?? 'LMS', lms: platform?.lms ?? 'other' },
        title,
        label,
        blocker: findSyncBlocker(context, platform),
        report: roster,
        members,
        suspended,
      }
    }),
  )
}

async function listSuspendedIn(contexts: LtiContextDoc[], { skip, limit }: QueryOf<typeof listSuspended>) {
  const within = { context: { $in: contexts.map(({ _id }) => _id) }, role: { $ne: null } }
  const filter = { ...within, status: 'suspended' as const }
  const elsewhere =
    contexts.length > 1 ? await LtiMemberModel.distinct('user_id', { ...within, status: 'active' as const }) : []
  const shown = { ...filter, ...(elsewhere.length > 0 ? { user_id: { $nin: elsewhere } } : {}) }
  const members = await LtiMemberModel.find(shown).lean()
  const users = await usersById(members.map(({ user_id }) => user_id))
  const titles = new Map(contexts.map(({ _id, title, label }) => [_id, title ?? label ?? 'the LMS’s course']))
  const presented = members.flatMap(({ user_id, role, context, name, email, updated_at }): SuspendedMember[] => {
    const user = users.get(user_id)
    if (!user || !role) return []
    const { username, full_name, email: address } = user
    const names = { user_id, username, full_name: full_name ?? name, email: address || (email ?? '') }
    return [{ ...names, role, lms_course: titles.get(context) ?? '', suspended_at: updated_at.toISOString() }]
  })
  presented.sort(compareNames)
  return { members: presented.slice(skip, skip + limit), total: presented.length }
}
