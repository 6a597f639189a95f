import { z } from 'zod'
import { lineItemIdentifiers } from '../deep-linking/content-items.ts'
import { parseJson } from '../platform-client/access-token.ts'
import type { PlatformResponse } from '../platform-client/platform-request.ts'
import { resolveSameOrigin } from '../platform-client/resolve-same-origin.ts'
import { scopes } from '../scopes.ts'
import { type AgsClient, callAgs, errorMessageOf, grantedScopes } from './ags-request.ts'
import type { ScoreTarget } from './score-targets.ts'

const LINE_ITEM_TYPE = 'application/vnd.ims.lis.v2.lineitem+json'
const LINE_ITEMS_TYPE = 'application/vnd.ims.lis.v2.lineitemcontainer+json'
const WebUrl = z.url({ protocol: /^https?$/ }).max(2000)

const text = z.union([z.string(), z.number()]).transform(String).nullish().catch(null)
const LineItem = z.object({
  id: WebUrl,
  scoreMaximum: z.coerce.number().positive().catch(100),
  resourceId: text,
  resourceLinkId: text,
})
type LineItem = z.infer<typeof LineItem>

/** The column scores go to, and how many points it has now. */
export interface LineItemRef {
  url: string
  maximum: number
}

/** There is nowhere to send scores; the message says why, and what to do. */
export class NoLineItemError extends Error {
  override name = 'NoColumn'
}

export interface NewLineItem {
  assignmentId: number
  title: string
  /** Points of the assignment; null before its rubric is known. */
  points: number | null
}

/**
 * The link's column: the one known, else found, else made.
 * @throws {NoLineItemError | TryLater | Stopped}
 */
export async function findOrCreateLineItem(
  target: ScoreTarget,
  wanted: NewLineItem,
  ags: AgsClient,
): Promise<LineItemRef> {
  const { link, context, platform } = target
  const granted = grantedScopes(target)
  if (!granted.includes(scopes.scores))
    throw new NoLineItemError(
      `${platform.name} does not let Assay send scores for this course. Switch grades on for Assay there, then open the assignment from ${platform.name} once.`,
    )
  const mayRead = granted.includes(scopes.lineItems) || granted.includes(scopes.lineItemsReadonly)
  if (link.lineitem_url !== null) {
    // Points of 100 are rescaled by the LMS, where we may not ask for its own.
    if (!mayRead) return { url: link.lineitem_url, maximum: 100 }
    const known = await readLineItem(target, link.lineitem_url, ags)
    if (known) return known
  }
  const found =
    mayRead && context.lineitems_url ? await searchLineItem(target, context.lineitems_url, wanted, ags) : null
  return found ?? createLineItem(target, wanted, ags)
}

/** Null when it is gone, or no longer ours. */
async function readLineItem(target: ScoreTarget, url: string, ags: AgsClient): Promise<LineItemRef | null> {
  const reply = await callAgs(target, url, { headers: { Accept: LINE_ITEM_TYPE } }, ags)
  // Moodle says 403 of a line item that is not there for us.
  if ([403, 404, 410, 412].includes(reply.status)) return null
  // Its own address stays the one we know: what it calls itself may lack the query.
  return { url, maximum: parseLineItem(reply, target).scoreMaximum }
}

function parseLineItem(reply: PlatformResponse, target: ScoreTarget): LineItem {
  const { name } = target.platform
  if (reply.status >= 400)
    throw new NoLineItemError(refusalMessage(reply, `${name} does not show Assay the column for this assignment`))
  const item = LineItem.safeParse(parseJson(reply.body))
  if (!item.success) throw new NoLineItemError(`${name} answered with something that is no column of a gradebook.`)
  return item.data
}

const refusalMessage = (reply: PlatformResponse, words: string) => {
  const said = errorMessageOf(reply)
  return said ? `${words}: “${said}”.` : `${words} (${reply.status}).`
}

/** By the link, else by our own name for the assignment; what another link has is not for this one. */
async function searchLineItem(
  target: ScoreTarget,
  lineItems: string,
  { assignmentId }: NewLineItem,
  ags: AgsClient,
): Promise<LineItemRef | null> {
  const ours = lineItemIdentifiers(assignmentId).resourceId
  const ofLink = await listLineItems(target, lineItems, { resource_link_id: target.link.resource_link_id }, ags)
  const bound = ofLink.filter(({ resourceLinkId }) => resourceLinkId === target.link.resource_link_id)
  const known = bound.find(({ resourceId }) => resourceId === ours) ?? bound[0]
  if (known) return { url: known.id, maximum: known.scoreMaximum }
  const named = await listLineItems(target, lineItems, { resource_id: ours }, ags)
  const loose = named.find(({ resourceId, resourceLinkId }) => resourceId === ours && !resourceLinkId)
  return loose ? { url: loose.id, maximum: loose.scoreMaximum } : null
}

async function listLineItems(
  target: ScoreTarget,
  address: string,
  filter: Record<string, string>,
  ags: AgsClient,
): Promise<LineItem[]> {
  const url = new URL(address)
  for (const [name, value] of Object.entries(filter)) url.searchParams.set(name, value)
  const reply = await callAgs(target, url.href, { headers: { Accept: LINE_ITEMS_TYPE } }, ags)
  if (reply.status >= 400) return []
  const rows = z.array(z.unknown()).safeParse(parseJson(reply.body)).data ?? []
  return rows.flatMap((row) => {
    const item = LineItem.safeParse(row).data
    const id = item && resolveSameOrigin(address, item.id)
    return item && id ? { ...item, id } : []
  })
}

async function createLineItem(
  target: ScoreTarget,
  { assignmentId, title, points }: NewLineItem,
  ags: AgsClient,
): Promise<LineItemRef> {
  const { link, context, platform } = target
  const { name } = platform
  if (!context.lineitems_url)
    throw new NoLineItemError(
      `${name} has not shown Assay a gradebook for this course. Switch grades on for Assay there, then open the assignment from ${name} once.`,
    )
  if (!grantedScopes(target).includes(scopes.lineItems))
    throw new NoLineItemError(
      `${name} has no column for this assignment and does not let Assay make one. Let the activity accept grades in ${name}, then open it from there once.`,
    )
  const body = JSON.stringify({
    label: title,
    scoreMaximum: points ?? 100,
    ...lineItemIdentifiers(assignmentId),
    resourceLinkId: link.resource_link_id,
  })
  const headers = { Accept: LINE_ITEM_TYPE, 'Content-Type': LINE_ITEM_TYPE }
  const reply = await callAgs(target, context.lineitems_url, { method: 'POST', headers, body }, ags)
  if (reply.status >= 400)
    throw new NoLineItemError(refusalMessage(reply, `${name} has no column for this assignment and would not make one`))
  const made = parseLineItem(reply, target)
  const url = resolveSameOrigin(context.lineitems_url, made.id)
  if (!url)
    throw new NoLineItemError(
      `${name} has made a column at ${new URL(made.id).host} and not at ${new URL(context.lineitems_url).host}, where Assay sends no scores.`,
    )
  return { url, maximum: made.scoreMaximum }
}
