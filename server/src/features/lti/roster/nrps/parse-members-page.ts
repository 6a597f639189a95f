import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { createYielder } from '../../../../lib/yielder.ts'
import type { LmsPerson } from '../../accounts/lms-account.service.ts'
import { fullNameOf, nameClaims, optional, SingleLineFromLms } from '../../lms-text.ts'
import { TokenRequestError } from '../../platform-client/access-token.ts'
import { hasTooManyValues, MAX_ENTRIES, PlatformRequestError } from '../../platform-client/platform-request.ts'
import { isTestUser, roleInContext } from '../../roles.ts'

export class RosterError extends Error {
  override name = 'RosterError'
  readonly transient: boolean
  readonly status: number
  constructor(message: string, { transient = false, status = 0 }: { transient?: boolean; status?: number } = {}) {
    super(message)
    this.transient = transient
    this.status = status
  }
}

const transientProblems = new Set(['timed_out', 'unreachable', 'stopped'])

/** Other errors are our bugs and pass unchanged. */
export function toRosterError(error: unknown, page: number): unknown {
  const where = (message: string) => `Page ${page} of the roster could not be read: ${message}`
  if (error instanceof PlatformRequestError)
    return new RosterError(where(error.message), { transient: transientProblems.has(error.problem) })
  if (error instanceof TokenRequestError) {
    const { status } = error
    // The token's status, not the roster's.
    return new RosterError(where(error.message), { transient: status === 429 || status >= 500 })
  }
  return error instanceof RosterError ? new RosterError(where(error.message), error) : error
}

export interface ListedMember extends LmsPerson {
  /** Of the LMS's groups; empty where it tells none. */
  group_ids: string[]
  inactive: boolean
  sis_id: string | null
}

export interface UnreadableEntry {
  sub: string | null
  message: string
}

/** Tolerated on a page; on a long page the share is. */
const MAX_UNREADABLE = 100
const MAX_UNREADABLE_SHARE = 0.1

/** Not trimmed, as in launches: a trimmed one might be somebody else's. */
const Sub = z.union([z.string(), z.number().transform(String)]).pipe(z.string().min(1).max(255))
/** Checks the length before the items. */
const shortList = <T extends z.ZodType>(item: T) =>
  z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= 100).pipe(z.array(item))
const Lis = z.object({ person_sourcedid: optional(SingleLineFromLms(100)) })

/** NRPS 2.0, 2.2; `message` 2.4: the claims of a launch of the link (`rlid`). */
const Member = z.object({
  user_id: Sub,
  roles: z.union([shortList(z.string().max(500)), z.string().transform((role) => [role])]),
  status: optional(z.string()),
  ...nameClaims,
  lis_person_sourcedid: optional(SingleLineFromLms(100)),
  /** Course Groups Service 1.0, 3.2. */
  group_enrollments: optional(shortList(z.object({ group_id: Sub }))),
  message: optional(shortList(z.object({ 'https://purl.imsglobal.org/spec/lti/claim/lis': optional(Lis) }))),
})

const Container = z.object({ members: z.custom<unknown[]>(Array.isArray) })

/** Yields between entries. @throws {RosterError} when it is not a roster page, or implausibly long */
export async function parseMembersPage(body: string, signal?: AbortSignal) {
  const page = hasTooManyValues(body) ? null : Container.safeParse(parseJson(body))
  if (page?.success === false) throw new RosterError('the LMS did not return a list of members.')
  const entries = page?.data.members
  if (!entries || entries.length > MAX_ENTRIES)
    throw new RosterError(`the LMS listed more than ${MAX_ENTRIES.toLocaleString('en')} entries on one page.`)
  const maxUnreadable = Math.max(MAX_UNREADABLE, entries.length * MAX_UNREADABLE_SHARE)
  const members: ListedMember[] = []
  const unreadable: UnreadableEntry[] = []
  const yieldTurn = createYielder()
  for (const [i, entry] of entries.entries()) {
    await yieldTurn()
    if (signal?.aborted) throw new RosterError('it could not be read in time.', { transient: true })
    const read = Member.safeParse(entry)
    if (read.success) members.push(toListedMember(read.data))
    else unreadable.push(toUnreadableEntry(entry, i + 1, read.error))
    if (unreadable.length > maxUnreadable)
      throw new RosterError(`too many of its entries are unreadable. ${unreadable[0]?.message}`)
  }
  return { members, unreadable }
}

function toListedMember(member: z.output<typeof Member>): ListedMember {
  const { user_id, roles, status, message } = member
  const lis = message?.map((one) => one['https://purl.imsglobal.org/spec/lti/claim/lis'])
  return {
    sub: user_id,
    group_ids: member.group_enrollments?.map(({ group_id }) => group_id) ?? [],
    inactive: /^(inactive|deleted)$/i.test(status ?? ''),
    role: roleInContext(roles),
    name: fullNameOf(member),
    email: member.email ?? null,
    test_user: isTestUser(roles),
    sis_id: member.lis_person_sourcedid ?? lis?.find((one) => one?.person_sourcedid)?.person_sourcedid ?? null,
  }
}

const Named = z.object({ user_id: optional(Sub), name: optional(SingleLineFromLms(200)) })

function toUnreadableEntry(entry: unknown, place: number, { issues }: z.ZodError): UnreadableEntry {
  const named = Named.safeParse(entry).data
  const field = issues[0]?.path[0]
  const who = named?.name ?? named?.user_id ?? `Entry ${place}`
  return {
    sub: named?.user_id ?? null,
    message: field ? `${who}: “${String(field)}” is missing or wrong.` : `${who} is not a roster entry.`,
  }
}
