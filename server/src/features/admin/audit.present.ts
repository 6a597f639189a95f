import type { AuditEntry } from '@assay/shared/admin.ts'
import type { AuditDoc } from '../../audit/audit.service.ts'
import { assignmentTitlesById } from '../assignments/assignment.service.ts'
import { coursesById } from '../courses/course.service.ts'
import { platformNamesById } from '../lti/platforms/platform.service.ts'
import { submissionIdentifiersById } from '../submissions/submission-queries.ts'
import { usersById } from '../users/user.service.ts'

type NamesById = Map<number, string>

const usernamesById = async (ids: number[]): Promise<NamesById> =>
  new Map([...(await usersById(ids))].map(([id, user]) => [id, user.username]))

/** Names by kind of subject; a kind that is not here has none. */
const nameLookups: Record<string, (ids: number[]) => Promise<NamesById>> = {
  user: usernamesById,
  student: usernamesById,
  course: async (ids) => new Map([...(await coursesById(ids))].map(([id, course]) => [id, course.name])),
  platform: platformNamesById,
  assignment: assignmentTitlesById,
  submission: submissionIdentifiersById,
}

/** Of those who are no person. */
const actorNames: Record<string, string> = { lms: 'LMS', system: 'Assay' }

const subjectKind = (field: string) => field.replace(/_id$/, '')

/** Entries with the current names of their actors and subjects. */
export async function presentAuditEntries(entries: AuditDoc[]): Promise<AuditEntry[]> {
  const wanted = new Map<string, Set<number>>()
  for (const { subject } of entries) {
    for (const [field, id] of Object.entries(subject)) {
      const kind = subjectKind(field)
      wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id))
    }
  }
  const names = new Map<string, NamesById>()
  for (const [kind, ids] of wanted) names.set(kind, (await nameLookups[kind]?.([...ids])) ?? new Map())
  const actors = await usersById([...new Set(entries.map((entry) => entry.actor_id))])

  return entries.map((entry) => {
    const actor = actors.get(entry.actor_id)
    return {
      id: entry._id,
      at: entry.at.toISOString(),
      action: entry.action,
      actor: {
        id: entry.actor_id,
        username: actor?.username ?? actorNames[entry.actor_role] ?? null,
        full_name: actor?.full_name ?? null,
        role: entry.actor_role,
      },
      subjects: Object.entries(entry.subject).map(([field, id]) => {
        const kind = subjectKind(field)
        return { kind, id, name: names.get(kind)?.get(id) ?? null }
      }),
      before: entry.before,
      after: entry.after,
    }
  })
}
