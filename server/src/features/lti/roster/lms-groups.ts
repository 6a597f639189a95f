import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import { z } from 'zod'
import { AppError } from '../../../lib/http/app-error.ts'
import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { contextsOfCourse } from '../contexts/resource-link.service.ts'
import { SingleLineFromLms } from '../lms-text.ts'
import { callPlatform, GROUPS_SCOPE, type LmsServices } from '../platform-client/access-token.ts'
import { platformsById } from '../platforms/platform.service.ts'
import { type ListedMember, RosterError, toRosterError } from './nrps/parse-members-page.ts'
import { fetchRosterPage, firstPageUrl, sameOriginNextPage } from './nrps/roster-page-reader.ts'

const MAX_PAGES = 200
const MAX_GROUPS = 5000
const Accept = 'application/vnd.ims.lti-gs.v1.contextgroupcontainer+json'

const Id = z.union([z.string(), z.number().transform(String)]).pipe(z.string().min(1).max(255))
/** Course Groups Service 1.0, 3.1. */
const Container = z.object({ groups: z.array(z.object({ id: Id, name: SingleLineFromLms(100) })).max(MAX_GROUPS) })

interface Place {
  context: LtiContextDoc
  platform: LtiPlatformDoc
}

/** The LMS's courses of ours that tell their groups, and who is in them. */
async function placesWithGroups(courseId: number): Promise<Place[]> {
  const contexts = (await contextsOfCourse(courseId)).filter((one) => one.groups_url && one.memberships_url)
  const platforms = await platformsById(contexts.map(({ platform_id }) => platform_id))
  return contexts.flatMap((context) => {
    const platform = platforms.get(context.platform_id)
    return platform?.status === 'active' ? [{ context, platform }] : []
  })
}

/** Null where none does. */
export async function lmsWithGroups(courseId: number | null): Promise<string | null> {
  return courseId === null ? null : ((await placesWithGroups(courseId))[0]?.platform.name ?? null)
}

/** @throws {AppError} `conflict`, with the LMS's reason */
export async function readLmsGroups(
  courseId: number,
  roster: Pick<UserDoc, '_id' | 'username' | 'full_name'>[],
  services: LmsServices,
  signal: AbortSignal,
): Promise<{ wanted: { name: string; ids: number[] }[]; failures: string[] }> {
  const namesOf = new Map<number, Set<string>>()
  for (const place of await placesWithGroups(courseId)) {
    try {
      const [names, members] = [await readNames(place, services, signal), await readMembers(place, services, signal)]
      const known = await LtiMemberModel.find({ context: place.context._id, status: 'active' }).lean()
      const users = new Map(known.map(({ sub, user_id }) => [sub, user_id]))
      for (const { sub, group_ids } of members)
        for (const name of group_ids.flatMap((id) => names.get(id) ?? [])) {
          const user = users.get(sub) ?? 0
          namesOf.set(user, (namesOf.get(user) ?? new Set()).add(name))
        }
    } catch (cause) {
      const error = toRosterError(cause, 1)
      if (!(error instanceof RosterError)) throw error
      throw new AppError('conflict', `${place.platform.name} did not tell its groups. ${error.message}`, { cause })
    }
  }
  const sole = roster.flatMap(({ _id }) => {
    const [name, another] = namesOf.get(_id) ?? []
    return name === undefined || another !== undefined ? [] : [{ id: _id, name }]
  })
  const several = roster.filter(({ _id }) => (namesOf.get(_id)?.size ?? 0) > 1)
  return {
    wanted: [...Map.groupBy(sole, ({ name }) => name)].map(([name, all]) => ({ name, ids: all.map(({ id }) => id) })),
    failures: several.map((student) => `${nameOf(student)} is in several groups there.`),
  }
}

async function readNames({ context, platform }: Place, services: LmsServices, signal: AbortSignal) {
  const names = new Map<string, string>()
  let next: string | null = context.groups_url ?? null
  for (let page = 0; next !== null && page < MAX_PAGES && names.size < MAX_GROUPS; page++) {
    const reply = await callPlatform(platform, [GROUPS_SCOPE], next, { headers: { Accept }, signal }, services)
    if (reply.status !== 200) throw new RosterError(`It answered ${reply.status} when asked for its groups.`)
    const read = Container.safeParse(parseJson(reply.body))
    if (!read.success) throw new RosterError('It did not return a list of groups.')
    for (const { id, name } of read.data.groups) if (name !== null) names.set(id, name)
    next = sameOriginNextPage(reply, next)
  }
  return names
}

async function readMembers({ context, platform }: Place, services: LmsServices, signal: AbortSignal) {
  const all: ListedMember[] = []
  let next: string | null = context.memberships_url && firstPageUrl(context.memberships_url)
  for (let page = 0; next !== null && page < MAX_PAGES; page++) {
    const read = await fetchRosterPage(platform, next, services, { signal, also: [GROUPS_SCOPE] })
    all.push(...read.members.filter(({ inactive }) => !inactive))
    next = read.next
  }
  return all
}
