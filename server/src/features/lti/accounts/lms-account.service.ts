import { ignoreDuplicateKey, nextIds } from '../../../lib/database/database.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { type LtiIdentityDoc, LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import type { LtiMemberDoc } from '../../../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { findFreeUsernames, updateUsers, usernameFromEmail } from '../../users/account.service.ts'
import { insertUsers, newUserDoc, usersById } from '../../users/user.service.ts'

export type LmsPerson = Pick<LtiMemberDoc, 'sub' | 'name' | 'email' | 'role' | 'test_user'>

export interface LmsAccount {
  identity: LtiIdentityDoc
  user: UserDoc
}

const MAX_ATTEMPTS = 20

/** By `sub` and issuer, never by address. Idempotent: the identity is stored before the account. */
export async function findOrCreateLmsAccounts(platform: LtiPlatformDoc, people: LmsPerson[], now: Date) {
  const bySub = new Map(people.map((person) => [person.sub, person]))
  const identities = await findOrCreateIdentities(platform.identity_issuer, [...bySub.values()], now)
  const users = await findOrCreateUsers(identities, bySub, now)
  const known = new Map<string, LmsAccount>()
  const changes = new Map<number, Partial<UserDoc>>()
  for (const identity of identities) {
    const person = bySub.get(identity.sub)
    const user = users.get(identity.user_id)
    if (!person || !user) throw new Error('an account was neither found nor created')
    const changed = changedFields(user, person)
    if (changed) changes.set(user._id, changed)
    known.set(identity.sub, { identity, user: { ...user, ...changed } })
  }
  await updateUsers(changes, now)
  return known
}

async function findOrCreateIdentities(issuer: string, people: LmsPerson[], now: Date): Promise<LtiIdentityDoc[]> {
  const subs = people.map(({ sub }) => sub)
  const stored = () => LtiIdentityModel.find({ issuer, sub: { $in: subs } }).lean()
  const before = await stored()
  const known = new Set(before.map(({ sub }) => sub))
  const missing = people.filter(({ sub }) => !known.has(sub))
  if (missing.length === 0) return before
  const [first, firstUser] = await Promise.all([
    nextIds('lti_identities', missing.length),
    nextIds('users', missing.length),
  ])
  const docs = missing.map(({ sub, test_user }, i): LtiIdentityDoc => {
    const ids = { _id: first + i, user_id: firstUser + i }
    return { ...ids, issuer, sub, test_user, created_at: now }
  })
  await LtiIdentityModel.insertMany(docs, { lean: true, ordered: false }).catch(ignoreDuplicateKey)
  return stored()
}

async function findOrCreateUsers(identities: LtiIdentityDoc[], people: Map<string, LmsPerson>, now: Date) {
  const ids = identities.map(({ user_id }) => user_id)
  let users = await usersById(ids)
  for (let round = 0; users.size < new Set(ids).size; round++) {
    if (round === MAX_ATTEMPTS) throw new Error('no free usernames were found')
    const missing = identities.filter(({ user_id }) => !users.has(user_id))
    const preferred = missing.map(({ sub }) => usernameFor(people.get(sub)))
    const names = await findFreeUsernames(preferred)
    const docs = missing.map((identity, i) =>
      newLmsUser(identity, names[i] ?? 'student', people.get(identity.sub), now),
    )
    await insertUsers(docs)
    users = await usersById(ids)
  }
  return users
}

function usernameFor(person: LmsPerson | undefined): string {
  if (person?.email?.includes('@')) return usernameFromEmail(person.email)
  const letters = person?.name
    ?.normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .trim()
    .replace(/\s+/g, '.')
    .toLowerCase()
  const name = letters ? usernameFromEmail(`${letters}@`) : ''
  // A name in another script leaves nothing.
  return name === '' || name === 'user-student' ? pseudonymOf(person) : name
}

function pseudonymOf(person: LmsPerson | undefined): string {
  const letters = hashOf(person?.sub ?? '').slice(0, 4)
  return `${person?.role ?? 'student'}-${letters}`
}

function newLmsUser({ _id, user_id }: LtiIdentityDoc, username: string, person: LmsPerson | undefined, now: Date) {
  const role = person?.role ?? 'student'
  const account = { role, full_name: person?.name ?? null, password_hash: null }
  return {
    ...newUserDoc(user_id, { username, email: person?.email ?? '', ...account }, now),
    // Nobody can sign in by mail, and the address stays free for its owner.
    email_key: `lti:${_id}`,
    from_lms: true,
    test_user: person?.test_user ?? false,
  }
}

/** Leaves joined accounts alone. Rights follow each launch's role. */
function changedFields(user: UserDoc, person: LmsPerson): Partial<UserDoc> | null {
  if (!user.from_lms) return null
  const changed: Partial<UserDoc> = {}
  const name = person.name?.trim()
  if (name && name !== user.full_name) changed.full_name = name
  const email = person.email?.trim()
  if (email && email !== user.email) changed.email = email
  if (person.role === 'instructor' && user.role === 'student') changed.role = 'instructor'
  if (person.test_user && !user.test_user) changed.test_user = true
  return Object.keys(changed).length > 0 ? changed : null
}
