import type { LtiContextDoc } from '../../../../records/lti/context.model.ts'
import { LtiResourceLinkModel } from '../../../../records/lti/resource-link.model.ts'

/** Requested; the LMS decides (Canvas 50, Moodle as requested). */
const PAGE_LIMIT = 500
/** Links whose members are combined where there is no list of the whole course. */
const MAX_LINKS = 50

function pageUrl(url: string, rlid: string | null): string {
  const first = new URL(url)
  first.searchParams.delete('rlid')
  if (rlid !== null) first.searchParams.set('rlid', rlid)
  if (!first.searchParams.has('limit')) first.searchParams.set('limit', String(PAGE_LIMIT))
  return first.href
}

export const firstPageUrl = (membershipsUrl: string): string => pageUrl(membershipsUrl, null)

/** Lists per link (`rlid`), for an LMS without a list of the course; the latest link first. */
export async function firstPageUrlsByLink({
  _id,
  memberships_url,
}: Pick<LtiContextDoc, '_id' | 'memberships_url'>): Promise<string[]> {
  if (memberships_url === null) return []
  const links = await LtiResourceLinkModel.find({ context: _id }, { resource_link_id: 1 })
    .sort({ launched_at: -1, _id: -1 })
    .limit(MAX_LINKS)
    .lean()
  const named = new URL(memberships_url).searchParams.get('rlid')
  const ids = new Set([...(named ? [named] : []), ...links.map((link) => link.resource_link_id)])
  return [...ids].map((rlid) => pageUrl(memberships_url, rlid))
}
