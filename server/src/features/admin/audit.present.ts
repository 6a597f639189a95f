import type { AuditEntry } from '@assay/shared/admin.ts'
import type { AuditDoc } from '../../audit/audit.service.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import {
  type AssignmentNames,
  hideAllTexts,
  hidesNames,
  noMask,
  submissionLabel,
  type TextMask,
} from '../anonymity/hidden-names.ts'
import { assignmentTitlesById } from '../assignments/assignment.service.ts'
import { assignmentNamesById } from '../assignments/assignment-queries.ts'
import { coursesById } from '../courses/course.service.ts'
import { platformNamesById } from '../lti/platforms/platform.service.ts'
import { submissionsById } from '../submissions/submission-queries.ts'
import { usersById } from '../users/user.service.ts'

type NamesById = Map<number, string>

const usernamesById = async (ids: number[]): Promise<NamesById> =>
  new Map([...(await usersById(ids))].map(([id, user]) => [id, user.username]))

const nameLookups: Record<string, (ids: number[]) => Promise<NamesById>> = {
  user: usernamesById,
  student: usernamesById,
  course: async (ids) => new Map([...(await coursesById(ids))].map(([id, course]) => [id, course.name])),
  platform: platformNamesById,
  assignment: assignmentTitlesById,
}

const actorNames: Record<string, string> = { lms: 'LMS', system: 'Assay' }

const subjectKind = (field: string) => field.replace(/_id$/, '')
const STUDENT_KINDS = new Set(['user', 'student'])

export async function presentAuditEntries(
  entries: AuditDoc[],
  { names: hidden }: Pick<Services, 'names'>,
): Promise<AuditEntry[]> {
  const wanted = new Map<string, Set<number>>()
  for (const { subject } of entries) {
    for (const [field, id] of Object.entries(subject)) {
      const kind = subjectKind(field)
      wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id))
    }
  }
  const submissions = await submissionsById([...(wanted.get('submission') ?? [])])
  const assignments = await assignmentNamesById([
    ...(wanted.get('assignment') ?? []),
    ...[...submissions.values()].map(({ assignment_id }) => assignment_id),
  ])
  const names = new Map<string, NamesById>()
  for (const [kind, ids] of wanted) names.set(kind, (await nameLookups[kind]?.([...ids])) ?? new Map())
  names.set('submission', labelsOf(submissions, assignments))
  const actors = await usersById([...new Set(entries.map((entry) => entry.actor_id))])
  const masks = await masksOf(assignments, hidden)

  return entries.map((entry) => {
    const submission = submissions.get(entry.subject.submission_id ?? 0)
    const assignment = assignments.get(entry.subject.assignment_id ?? submission?.assignment_id ?? 0)
    const anonymous = assignment !== undefined && hidesNames(assignment)
    const mask = masks.get(assignment?._id ?? 0) ?? noMask
    const actor = actors.get(entry.actor_id)
    return {
      id: entry._id,
      at: entry.at.toISOString(),
      action: entry.action,
      actor:
        anonymous && entry.actor_role === 'student'
          ? { id: 0, username: null, full_name: null, role: entry.actor_role }
          : {
              id: entry.actor_id,
              username: actor?.username ?? actorNames[entry.actor_role] ?? null,
              full_name: actor?.full_name ?? null,
              role: entry.actor_role,
            },
      subjects: Object.entries(entry.subject).flatMap(([field, id]) => {
        const kind = subjectKind(field)
        if (anonymous && STUDENT_KINDS.has(kind)) return []
        return [{ kind, id, name: names.get(kind)?.get(id) ?? null }]
      }),
      before: anonymous ? withoutStudents(entry.before, mask) : entry.before,
      after: anonymous ? withoutStudents(entry.after, mask) : entry.after,
    }
  })
}

function labelsOf(submissions: Map<number, SubmissionDoc>, assignments: Map<number, AssignmentNames>): NamesById {
  return new Map(
    [...submissions.values()].flatMap((submission): [number, string][] => {
      const assignment = assignments.get(submission.assignment_id)
      return assignment ? [[submission._id, submissionLabel(assignment, submission)]] : []
    }),
  )
}

async function masksOf(assignments: Map<number, AssignmentNames>, hidden: Services['names']) {
  const anonymous = [...assignments.values()].filter(hidesNames)
  return new Map(await Promise.all(anonymous.map(async (one) => [one._id, await hidden.maskFor(one)] as const)))
}

function withoutStudents(change: unknown, mask: TextMask): unknown {
  if (change === null || typeof change !== 'object') return change
  const { student_id: _, ...rest } = change as Record<string, unknown>
  return hideAllTexts(rest, mask)
}
