import { recordAudit } from '../../audit/audit.service.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { RosterPerson } from '../../records/courses/roster-import.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import { findEnrolledElsewhere, findEnrolledIds } from '../courses/enrollment-queries.ts'
import { normalizeLogin, renameUser, usersByEmail } from '../users/user.service.ts'
import { createFinder, loadCandidates } from './students-without-address.ts'

/** Why the actor may not rename them, by id: a name belongs to whoever uses the account, and to every course of theirs. */
export async function renameProblems(course: CourseDoc, users: UserDoc[], actor: Actor): Promise<Map<number, string>> {
  const elsewhere = await findEnrolledElsewhere(
    course._id,
    users.map(({ _id }) => _id),
  )
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

/** Of rows with the address or the number of a student on the roster who is called something else. */
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
  const problems = await renameProblems(
    course,
    changed.map(([, user]) => user),
    actor,
  )
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
