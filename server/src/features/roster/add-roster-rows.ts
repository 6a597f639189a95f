import type { RosterEntry, RosterResult } from '@assay/shared/roster.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { AuditModel, recordAudit, recordAudits } from '../../audit/audit.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { only } from '../../lib/only.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { RosterPerson, RosterRow } from '../../records/courses/roster-import.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { notifyEnrolled } from '../courses/enrollment.service.ts'
import { findEnrolledElsewhere, findEnrolledIds } from '../courses/enrollment-queries.ts'
import { normalizeLogin, renameUser, usersByEmail } from '../users/user.service.ts'
import { applyRosterAdditions, resolveRosterEntries } from './roster-additions.ts'
import { createFinder, loadCandidates, type RosterAddition } from './students-without-address.ts'

export const ROWS_PER_STEP = 100

export async function addRosterEntry(
  course: CourseDoc,
  entry: RosterEntry,
  actor: Actor,
  services: Services,
): Promise<RosterAddition> {
  return only(await addEntries(course, [entry], actor, services, {}))
}

interface StepOptions {
  begunAt?: Date | null
  mail?: boolean
}

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
  // Audited and notified first: a retry after a crash sees by the enrolments what is left.
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

/** Why the actor may not rename them: a name belongs to the account's user, and to every course of theirs. */
export async function renameProblems(course: CourseDoc, users: UserDoc[], actor: Actor): Promise<Map<number, string>> {
  const ids = users.map(({ _id }) => _id)
  const elsewhere = await findEnrolledElsewhere(course._id, ids)
  return new Map(
    users.flatMap((user): [number, string][] => {
      if (user.from_lms) return [[user._id, 'The name comes from the LMS and is changed there.']]
      if (actor.role === 'admin') return []
      if (user.account !== 'invited')
        return [[user._id, 'They use their account, so only they or an administrator can change the name.']]
      return elsewhere.has(user._id)
        ? [[user._id, 'They are in another course too, so only an administrator can change the name.']]
        : []
    }),
  )
}

export async function findRenames(
  course: CourseDoc,
  entries: RosterPerson[],
  actor: Actor,
): Promise<Map<RosterPerson, { user: UserDoc; problem: string | undefined }>> {
  const owners = await usersByEmail(entries.flatMap(({ email }) => email ?? []))
  const ids = [...owners.values()].map(({ _id }) => _id)
  // Only for numbers the whole roster is read.
  const isNumbered = entries.some(({ sis_user_id, external_user_id }) => sis_user_id ?? external_user_id)
  const [enrolled, candidates] = await Promise.all([
    findEnrolledIds(course._id, ids),
    isNumbered ? loadCandidates(course) : [],
  ])
  const find = createFinder(candidates.filter((one) => one.enrolled))
  const changed = entries.flatMap((entry): [RosterPerson, UserDoc][] => {
    const numbered = find.byNumber(entry)?.user
    const owner = entry.email === null ? undefined : owners.get(normalizeLogin(entry.email))
    // Another's number does not make an address theirs.
    const user = owner ? enrolled.has(owner._id) && owner : !(entry.email && numbered?.email) && numbered
    return user && entry.full_name && user.full_name !== entry.full_name ? [[entry, user]] : []
  })
  const users = changed.map(([, user]) => user)
  const problems = await renameProblems(course, users, actor)
  return new Map(changed.map(([entry, user]) => [entry, { user, problem: problems.get(user._id) }]))
}

export async function renameStudent(
  course: CourseDoc,
  { _id }: Pick<UserDoc, '_id'>,
  full_name: string,
  actor: Actor,
  now: Date,
): Promise<void> {
  await renameUser(_id, full_name, now)
  await recordAudit(actor, 'student.renamed', { course_id: course._id, user_id: _id }, now)
}
