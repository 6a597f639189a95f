import type { RosterEntry, RosterResult } from '@assay/shared/roster.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { RosterPerson } from '../../records/courses/roster-import.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import type { SchoolIds } from '../courses/enrollment.service.ts'
import { findEnrolledElsewhere, findEnrollments } from '../courses/enrollment-queries.ts'
import { usernameFromEmail } from '../users/account.service.ts'
import { findRosterAccounts, giveAddress, usersById } from '../users/user.service.ts'
import { createInvitedAccounts, invitationLimitOf, limitReached, takeInvitations } from './invite-students.ts'

export interface RosterAddition {
  entry: RosterPerson
  outcome: 'enrolled' | 'invited' | 'pending' | 'already_enrolled' | 'already_pending' | 'refused'
  message: string
  created_user: boolean
  user: UserDoc | null
  mailed: boolean
  renamed?: RosterResult['renamed']
}

interface Candidate {
  user: UserDoc
  enrolled: boolean
  numbers: SchoolIds
}

/** Without those who joined by code, whose chosen names may be mistaken for somebody else's. */
export async function loadCandidates(course: CourseDoc): Promise<Candidate[]> {
  const [enrollments, made] = await Promise.all([findEnrollments(course._id), findRosterAccounts(course._id)])
  const staff = enrollments.filter(({ added_by }) => added_by !== 'code')
  const users = await usersById(staff.map(({ user_id }) => user_id))
  const enrolled = new Set(staff.map(({ user_id }) => user_id))
  return [
    ...staff.flatMap(({ user_id, external_user_id, sis_user_id }): Candidate[] => {
      const user = users.get(user_id)
      return user ? [{ user, enrolled: true, numbers: { external_user_id, sis_user_id } }] : []
    }),
    ...made
      .filter(({ _id }) => !enrolled.has(_id))
      .map((user) => ({ user, enrolled: false, numbers: { sis_user_id: user.student_number } })),
  ]
}

const nameKey = (name: string | null) => name?.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase() || null

const same = (a: string | null | undefined, b: string | null | undefined) => a != null && a === b
const differ = (a: string | null | undefined, b: string | null | undefined) => a != null && b != null && a !== b

const hasSchoolsName = ({ user }: Candidate) =>
  user.account === 'invited' ? user.email === '' : user.from_lms === true

export function createFinder(candidates: Candidate[]) {
  const left = new Set(candidates)
  const take = (found: Candidate | undefined) => {
    if (found) left.delete(found)
    return found ?? null
  }
  return {
    byNumber({ sis_user_id, external_user_id }: RosterPerson): Candidate | null {
      const all = [...left]
      return take(
        all.find(({ numbers }) => same(numbers.sis_user_id, sis_user_id)) ??
          all.find(
            ({ numbers }) =>
              same(numbers.external_user_id, external_user_id) && !differ(numbers.sis_user_id, sis_user_id),
          ),
      )
    },
    /** `several`: more than one has the name. `chosen`: somebody who may have chosen it. */
    byName({ sis_user_id, external_user_id, full_name }: RosterPerson): Candidate | 'several' | 'chosen' | null {
      const name = nameKey(full_name)
      const named = [...left].filter(
        ({ user, numbers }) =>
          name !== null &&
          nameKey(user.full_name) === name &&
          !differ(numbers.sis_user_id, sis_user_id) &&
          !differ(numbers.external_user_id, external_user_id),
      )
      if (named.length > 1) return 'several'
      return named.every(hasSchoolsName) ? take(named[0]) : 'chosen'
    },
  }
}

export async function resolveWithoutAddress(
  course: CourseDoc,
  entries: RosterPerson[],
  actor: Pick<Actor, 'id'>,
  services: Pick<Services, 'clock' | 'settings'>,
): Promise<Map<RosterPerson, RosterAddition>> {
  if (entries.length === 0) return new Map()
  const candidates = await loadCandidates(course)
  const find = createFinder(candidates)
  // All numbers first: a row with only a name must not take the student of a later row's number.
  const numbered = new Map(entries.map((entry) => [entry, find.byNumber(entry)]))
  const found = new Map(entries.map((entry) => [entry, numbered.get(entry) ?? find.byName(entry)]))
  const missing = entries.filter((entry) => found.get(entry) === null)
  const granted = await takeInvitations(actor.id, missing.length, services, 'silent')
  const keys = accountKeys(course, missing.slice(0, granted), candidates)
  const made = await createRosterAccounts(course, keys, services.clock.now())
  const limit = await invitationLimitOf(actor.id, services, 'silent')
  return new Map(
    entries.map((entry): [RosterPerson, RosterAddition] => {
      const name = entry.full_name ?? entry.sis_user_id ?? ''
      const known = found.get(entry)
      const common = { entry, created_user: false, user: null, mailed: false }
      const refused = (message: string): [RosterPerson, RosterAddition] => [
        entry,
        { ...common, outcome: 'refused', message },
      ]
      if (known === 'several')
        return refused(`Several students are called ${name}. Add a student number or an email address to the row.`)
      if (known === 'chosen')
        return refused(
          `${name} is the name of a student here who has an email address. Add an email address to the row.`,
        )
      if (known?.enrolled) {
        const message = `${name} is already enrolled in this course.`
        return [entry, { ...common, user: known.user, outcome: 'already_enrolled', message }]
      }
      const created = made.get(entry)
      const user = known?.user ?? created?.user
      if (!user) return refused(`${name} was not added: ${limitReached(limit, 'silent')}`)
      const message = `${name} was enrolled without an email address.`
      return [entry, { ...common, user, created_user: created?.ours === true, outcome: 'enrolled', message }]
    }),
  )
}

/** Unique in the database, so that a second upload finds the first's accounts. */
function accountKeys(course: CourseDoc, entries: RosterPerson[], candidates: Candidate[]): Map<RosterPerson, string> {
  const taken = new Set(candidates.map(({ user }) => user.email_key))
  return new Map(
    entries.map((entry) => {
      const { sis_user_id, external_user_id, full_name } = entry
      const identity = sis_user_id
        ? ['n', sis_user_id]
        : external_user_id
          ? ['x', external_user_id]
          : ['', nameKey(full_name)]
      const keyOf = (nth: number) => `roster:${course._id}:${hashOf(JSON.stringify([...identity, nth]))}`
      let nth = 1
      while (taken.has(keyOf(nth))) nth++
      taken.add(keyOf(nth))
      return [entry, keyOf(nth)]
    }),
  )
}

/** Nobody can sign in to them. Usernames begin with a word of ours, so that they take nobody's own. */
const createRosterAccounts = ({ _id: roster_course_id }: CourseDoc, keys: Map<RosterPerson, string>, now: Date) =>
  createInvitedAccounts(
    [...keys.keys()],
    (entry) => ({
      username: usernameFor(entry),
      email: '',
      full_name: entry.full_name,
      student_number: entry.sis_user_id,
      more: { email_key: keys.get(entry) ?? '', roster_course_id },
    }),
    now,
  )

function usernameFor({ full_name, sis_user_id }: RosterPerson): string {
  const letters = (full_name ?? sis_user_id ?? '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return usernameFromEmail(`student-${letters.trim().replace(/\s+/g, '.')}@`)
}

export async function giveAddresses(
  course: CourseDoc,
  entries: RosterEntry[],
  owners: Map<RosterEntry, UserDoc>,
  now: Date,
) {
  const given = { accounts: new Set<number>(), refused: new Map<RosterEntry, string>() }
  const numbered = entries.filter(({ sis_user_id, external_user_id }) => sis_user_id || external_user_id)
  if (numbered.length === 0) return given
  const made = (await loadCandidates(course)).filter(({ user }) => user.roster_course_id === course._id)
  // Whoever has the address can sign in, which must open this course's work alone.
  const ids = made.map(({ user }) => user._id)
  const elsewhere = await findEnrolledElsewhere(course._id, ids)
  const waiting = made.filter(({ user }) => !elsewhere.has(user._id))
  if (waiting.length === 0) return given
  const find = createFinder(waiting)
  for (const entry of numbered) {
    // By number only, as two people may share a name.
    const found = find.byNumber(entry)
    if (!found) continue
    const owner = owners.get(entry)
    if (
      owner?._id === found.user._id ||
      (!owner && (await giveAddress(found.user._id, course._id, entry.email, now)))
    ) {
      given.accounts.add(found.user._id)
    } else if (found.enrolled) {
      const name = found.user.full_name ?? found.user.username
      given.refused.set(
        entry,
        `${entry.email} belongs to another account, and ${name} is on the roster with the same number. Remove ${name} from the roster, then add ${entry.email} again.`,
      )
    }
  }
  return given
}
