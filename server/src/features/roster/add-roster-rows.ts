import type { RosterEntry, RosterResult } from '@assay/shared/roster.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { AuditModel, recordAudits } from '../../audit/audit.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { RosterPerson, RosterRow } from '../../records/courses/roster-import.model.ts'
import type { Services } from '../../services.ts'
import { notifyEnrolled } from '../courses/enrollment.service.ts'
import { findRenames, renameStudent } from './rename-students.ts'
import type { RosterAddition } from './roster-addition.ts'
import { applyRosterAdditions, resolveRosterEntries } from './roster-additions.ts'

export const ROWS_PER_STEP = 100

export async function addRosterEntry(
  course: CourseDoc,
  entry: RosterEntry,
  actor: Actor,
  services: Services,
): Promise<RosterAddition> {
  const [added] = await addEntries(course, [entry], actor, services, {})
  if (!added) throw new Error('each entry has an answer')
  return added
}

interface StepOptions {
  /** When a crashed process first began this step: what it audited is not audited again. */
  begunAt?: Date | null
  mail?: boolean
}

/** A row that cannot be added says why and does not affect the others. */
export async function addRosterRows(
  course: CourseDoc,
  rows: RosterRow[],
  actor: Actor,
  services: Services,
  options: StepOptions = {},
): Promise<RosterResult[]> {
  const entries = rows.map(({ entry }) => entry)
  const added = await addEntries(course, entries, actor, services, options)
  return added.map(({ entry, outcome, message, created_user, renamed }, i) => ({
    row: rows[i]?.row ?? 0,
    email: entry.email ?? '',
    success: outcome !== 'refused',
    message,
    created_user,
    ...(renamed ? { renamed } : {}),
  }))
}

async function addEntries(
  course: CourseDoc,
  entries: RosterPerson[],
  actor: Actor,
  services: Services,
  { begunAt = null, mail = true }: StepOptions,
): Promise<RosterAddition[]> {
  const renames = await findRenames(course, entries, actor)
  const added = await resolveRosterEntries(course, entries, actor, services, { mail })
  // Audited and notified before they are enrolled: a retry after a crash sees by the enrolments what is left.
  await auditAndNotify(course, added, actor, services, begunAt)
  await applyRosterAdditions(course, added, actor, services.clock.now())
  return Promise.all(
    added.map(async (one) => {
      const known = renames.get(one.entry)
      const to = one.entry.full_name
      if (!known || !to || one.outcome === 'refused') return one
      const { user, problem } = known
      const from = nameOf(user)
      if (problem) return { ...one, message: `${one.message} The name stays ${from}. ${problem}` }
      await renameStudent(course, user, to, actor, services.clock.now())
      return {
        ...one,
        message: `${from} is now called ${to}.`,
        renamed: { student_id: user._id, from: user.full_name ?? '' },
      }
    }),
  )
}

async function auditAndNotify(
  course: CourseDoc,
  added: RosterAddition[],
  actor: Actor,
  services: Services,
  begunAt: Date | null,
): Promise<void> {
  const record = async (action: string, ...outcomes: RosterAddition['outcome'][]) => {
    const ids = added.flatMap(({ outcome, user }) => (user && outcomes.includes(outcome) ? [user._id] : []))
    const written = begunAt && ids.length > 0 ? await auditedUserIdsSince(begunAt, action, course._id) : new Set()
    const subjects = ids
      .filter((user_id) => !written.has(user_id))
      .map((user_id) => ({ course_id: course._id, user_id }))
    await recordAudits(actor, action, subjects, services.clock.now())
  }
  await record('student.enrolled', 'enrolled', 'invited')
  await record('student.place_kept', 'pending')
  const notified = added.flatMap(({ outcome, user, mailed }) =>
    user && mailed && outcome === 'enrolled' ? [user] : [],
  )
  await notifyEnrolled(course, notified, services)
}

async function auditedUserIdsSince(at: Date, action: string, courseId: number): Promise<Set<unknown>> {
  const filter = { action, at: { $gte: at }, 'subject.course_id': courseId }
  const entries = await AuditModel.find(filter, { subject: 1 }).lean()
  return new Set(entries.map(({ subject }) => subject.user_id))
}
