import type { LtiContextDoc } from '../launches/context.model.ts'
import { LtiLinkModel } from '../launches/link.model.ts'

/** What we ask for; an LMS gives as many as it likes (Canvas 50, Moodle what is asked). */
const LIMIT = 500
/** Links whose members are put together where there is no list of the whole course. */
const MOST_LINKS = 50

function address(url: string, rlid: string | null): string {
  const first = new URL(url)
  first.searchParams.delete('rlid')
  if (rlid !== null) first.searchParams.set('rlid', rlid)
  if (!first.searchParams.has('limit')) first.searchParams.set('limit', String(LIMIT))
  return first.href
}

/** Where the list of everybody in the course begins. */
export function firstPage(membershipsUrl: string): string {
  return address(membershipsUrl, null)
}

/** Where the lists of those who may open one link begin (`rlid`), for an LMS that has no other; the latest link first. */
export async function firstPagesByLink({
  _id,
  memberships_url,
}: Pick<LtiContextDoc, '_id' | 'memberships_url'>): Promise<string[]> {
  if (memberships_url === null) return []
  const links = await LtiLinkModel.find({ context: _id }, { resource_link_id: 1 })
    .sort({ launched_at: -1, _id: -1 })
    .limit(MOST_LINKS)
    .lean()
  const named = new URL(memberships_url).searchParams.get('rlid')
  const ids = new Set([...(named ? [named] : []), ...links.map((link) => link.resource_link_id)])
  return [...ids].map((rlid) => address(memberships_url, rlid))
}
