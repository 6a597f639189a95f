import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { lineItemIdentifiers } from '../deep-linking/deep-link.service.ts'
import { WebUrl } from '../lms-text.ts'
import { scopes } from '../platform-client/access-token.ts'
import { type PlatformResponse, resolveSameOrigin } from '../platform-client/platform-request.ts'
import { type AgsClient, callAgs, errorMessageOf, grantedScopes } from './ags-request.ts'
import type { ScoreTarget } from './score-targets.ts'

const LINE_ITEM_TYPE = 'application/vnd.ims.lis.v2.lineitem+json'
const LINE_ITEMS_TYPE = 'application/vnd.ims.lis.v2.lineitemcontainer+json'

const text = z.union([z.string(), z.number()]).transform(String).nullish().catch(null)
const LineItem = z.object({
  id: WebUrl,
  scoreMaximum: z.coerce.number().positive().nullable().catch(null),
  resourceId: text,
  resourceLinkId: text,
})
type LineItem = z.infer<typeof LineItem>

export interface LineItemRef {
  url: string
  maximum: number | null
}

export class NoLineItemError extends Error {
  override name = 'NoLineItemError'
}

/** The activity was deleted, or its grades turned off, and no other line item is possible. */
export class LinkGoneError extends NoLineItemError {
  override name = 'LinkGoneError'
}

interface NewLineItem {
  assignmentId: number
  title: string
  points: number | null
}

/** @throws {NoLineItemError | AgsRetryableError | AgsAborted} */
export async function findOrCreateLineItem(target: ScoreTarget, lineItem: NewLineItem, ags: AgsClient) {
  const { link, context, platform } = target
  if (!grantedScopes(target).includes(scopes.scores))
    throw new NoLineItemError(
      `${platform.name} does not let Assay send scores for this course. Turn on grades for Assay there, then open the assignment from ${platform.name} once.`,
    )
  const mayRead = mayReadLineItems(target)
  let gone = false
  if (link.lineitem_url !== null) {
    if (!mayRead) return { url: link.lineitem_url, maximum: null }
    const known = await readLineItem(target, link.lineitem_url, ags)
    if (known !== 'gone' && known !== 'not_ours') return known
    gone = known === 'gone'
  }
  const found =
    mayRead && context.lineitems_url ? await searchLineItem(target, context.lineitems_url, lineItem, ags) : null
  return found ?? createLineItem(target, lineItem, gone, ags)
}

/** Its maximum may have changed. @throws {AgsRetryableError | AgsAborted} */
export async function readKnownLineItem(
  target: ScoreTarget,
  url: string,
  ags: AgsClient,
): Promise<LineItemRef | 'gone'> {
  const unknown = { url, maximum: null }
  if (!mayReadLineItems(target)) return unknown
  try {
    const read = await readLineItem(target, url, ags)
    return read === 'not_ours' ? unknown : read
  } catch (error) {
    if (error instanceof NoLineItemError) return unknown
    throw error
  }
}

export function mayReadLineItems(target: ScoreTarget): boolean {
  const granted = grantedScopes(target)
  return granted.includes(scopes.lineItems) || granted.includes(scopes.lineItemsReadonly)
}

async function readLineItem(
  target: ScoreTarget,
  url: string,
  ags: AgsClient,
): Promise<LineItemRef | 'gone' | 'not_ours'> {
  const reply = await callAgs(target, url, { headers: { Accept: LINE_ITEM_TYPE } }, ags)
  if (reply.status === 404 || reply.status === 410) return 'gone'
  // Moodle answers 403 for a line item that does not exist for us.
  if (reply.status === 403 || reply.status === 412) return 'not_ours'
  // The id in the reply may lack the query.
  return { url, maximum: parseLineItem(reply, target).scoreMaximum }
}

function parseLineItem(reply: PlatformResponse, target: ScoreTarget): LineItem {
  const { name } = target.platform
  if (reply.status >= 400)
    throw new NoLineItemError(
      refusalMessage(reply, `${name} does not give Assay access to the gradebook column for this assignment`),
    )
  const item = LineItem.safeParse(parseJson(reply.body))
  if (!item.success) throw new NoLineItemError(`${name} did not return a gradebook column.`)
  return item.data
}

const refusalMessage = (reply: PlatformResponse, message: string) => {
  const reason = errorMessageOf(reply)
  return reason ? `${message}: “${reason}”.` : `${message} (${reply.status}).`
}

/** By the link, else by our resource id; never one bound to another link. */
async function searchLineItem(target: ScoreTarget, lineItems: string, { assignmentId }: NewLineItem, ags: AgsClient) {
  const ours = lineItemIdentifiers(assignmentId).resourceId
  const ofLink = await listLineItems(target, lineItems, { resource_link_id: target.link.resource_link_id }, ags)
  const bound = ofLink.filter(({ resourceLinkId }) => resourceLinkId === target.link.resource_link_id)
  const known = bound.find(({ resourceId }) => resourceId === ours) ?? bound[0]
  if (known) return { url: known.id, maximum: known.scoreMaximum }
  const named = await listLineItems(target, lineItems, { resource_id: ours }, ags)
  const unbound = named.find(({ resourceId, resourceLinkId }) => resourceId === ours && !resourceLinkId)
  return unbound ? { url: unbound.id, maximum: unbound.scoreMaximum } : null
}

async function listLineItems(target: ScoreTarget, address: string, filter: Record<string, string>, ags: AgsClient) {
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
  gone: boolean,
  ags: AgsClient,
): Promise<LineItemRef> {
  const { link, context, platform } = target
  const { name } = platform
  const noLonger = `${name} no longer has a column for this activity`
  if (!context.lineitems_url)
    throw new NoLineItemError(
      `${name} has not given Assay access to a gradebook for this course. Turn on grades for Assay there, then open the assignment from ${name} once.`,
    )
  if (gone && !grantedScopes(target).includes(scopes.lineItems))
    throw new LinkGoneError(`${noLonger}, and Assay may not make one.`)
  if (!grantedScopes(target).includes(scopes.lineItems))
    throw new NoLineItemError(
      `${name} has no gradebook column for this assignment, and Assay may not create one. Allow grades for the activity in ${name}, then open it from there once.`,
    )
  const body = JSON.stringify({
    label: title,
    scoreMaximum: points ?? 100,
    ...lineItemIdentifiers(assignmentId),
    resourceLinkId: link.resource_link_id,
  })
  const headers = { Accept: LINE_ITEM_TYPE, 'Content-Type': LINE_ITEM_TYPE }
  const reply = await callAgs(target, context.lineitems_url, { method: 'POST', headers, body }, ags)
  if (gone && [400, 403, 404, 410, 422].includes(reply.status))
    throw new LinkGoneError(refusalMessage(reply, `${noLonger}, and refuses a new one`))
  if (reply.status >= 400)
    throw new NoLineItemError(
      refusalMessage(reply, `${name} has no gradebook column for this assignment and refused to create one`),
    )
  const made = parseLineItem(reply, target)
  const url = resolveSameOrigin(context.lineitems_url, made.id)
  if (!url)
    throw new NoLineItemError(
      `${name} created the column at ${new URL(made.id).host} instead of ${new URL(context.lineitems_url).host}, so Assay does not send scores there.`,
    )
  return { url, maximum: made.scoreMaximum }
}
