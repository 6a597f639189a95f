import type { LineItem, Link } from '../data/lms-data.ts'
import { type Claims, MEDIA } from '../lti-constants.ts'
import type { Platform } from '../platform.ts'
import {
  pageOf,
  queryParameter,
  requireJsonBody,
  requireMediaType,
  type ServiceCall,
  ServiceRefusal,
  withQuery,
} from './service.ts'

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

function lineItemClaims(lms: Platform, item: LineItem): Claims {
  const { label, scoreMaximum, resourceId, tag, link, startDateTime, endDateTime, submissionReview } = item
  // Moodle shows both as '' where there is none; Canvas leaves them out.
  const empty = lms.kind.name === 'moodle'
  return {
    id: lms.lineItemUrl(item),
    label,
    scoreMaximum,
    ...(resourceId || empty ? { resourceId } : {}),
    ...(tag || empty ? { tag } : {}),
    ...(link ? { resourceLinkId: link.id } : {}),
    ...(startDateTime ? { startDateTime } : {}),
    ...(endDateTime ? { endDateTime } : {}),
    ...(submissionReview ? { submissionReview } : {}),
  }
}

export function requireLineItem(lms: Platform, { request, tool, course }: ServiceCall): LineItem {
  const id = String(request.params.itemId)
  const item = lms.lineItems.get(id)
  if (!item) throw new ServiceRefusal(404, `Not Found: Grade item ${id} doesn't exist`)
  if (item.course !== course || item.deployment.tool !== tool) throw new ServiceRefusal(404, 'Line item does not exist')
  return item
}

/** The body must have a label and a maximum. */
function fieldsOf(lms: Platform, call: ServiceCall) {
  const body = requireJsonBody(call.request)
  const label = textOf(body.label)
  const scoreMaximum = Number(body.scoreMaximum)
  if (!label || body.scoreMaximum === undefined) throw new ServiceRefusal(400, 'No label or Score Maximum')
  if (!(scoreMaximum > 0))
    throw new ServiceRefusal(lms.kind.name === 'moodle' ? 400 : 422, 'scoreMaximum is no number above 0')
  const review = body.submissionReview
  return {
    linkId: textOf(body.resourceLinkId),
    fields: {
      label,
      scoreMaximum,
      resourceId: textOf(body.resourceId) ?? '',
      tag: textOf(body.tag) ?? '',
      startDateTime: textOf(body.startDateTime) ?? null,
      endDateTime: textOf(body.endDateTime) ?? null,
      submissionReview: typeof review === 'object' && review !== null ? { ...review } : null,
    },
  }
}

function linkFor(lms: Platform, { tool, course }: ServiceCall, id: string | undefined): Link | null {
  if (id === undefined) return null
  const link = lms.links.get(id)
  if (!link || link.course !== course || link.deployment.tool !== tool)
    throw new ServiceRefusal(lms.kind.name === 'moodle' ? 403 : 404, 'Invalid LTI link id supplied')
  return link
}

export function listLineItems(lms: Platform, { request, response, tool, course }: ServiceCall): void {
  const filters = {
    resource_link_id: queryParameter(request, 'resource_link_id'),
    resource_id: queryParameter(request, 'resource_id'),
    tag: queryParameter(request, 'tag'),
  }
  const found = [...lms.lineItems.values()].filter(
    (item) =>
      item.course === course &&
      item.deployment.tool === tool &&
      (!filters.resource_link_id || item.link?.id === filters.resource_link_id) &&
      (!filters.resource_id || item.resourceId === filters.resource_id) &&
      (!filters.tag || item.tag === filters.tag),
  )
  const { rows, next } = pageOf(found, request, lms.settings.pageSize)
  if (next) {
    const address = withQuery(lms.lineItemsUrl(course, tool), { ...filters, ...next })
    // Moodle's own source has typographic quotes here, which reach the wire as UTF-8 bytes.
    const rel = lms.kind.name === 'moodle' ? Buffer.from('rel=“next”').toString('latin1') : 'rel="next"'
    response.setHeader('link', `<${address}>; ${rel}`)
  }
  response.type(MEDIA.lineItems).json(rows.map((item) => lineItemClaims(lms, item)))
}

export function createLineItem(lms: Platform, call: ServiceCall): void {
  requireMediaType(lms, call.request, MEDIA.lineItem)
  const { fields, linkId } = fieldsOf(lms, call)
  const link = linkFor(lms, call, linkId)
  const deployment = link?.deployment ?? lms.deploymentOf(call.tool)
  const item = lms.addLineItem(call.course, { ...fields, link, deployment })
  call.response.status(201).type(MEDIA.lineItem).json(lineItemClaims(lms, item))
}

export function showLineItem(lms: Platform, call: ServiceCall): void {
  call.response.type(MEDIA.lineItem).json(lineItemClaims(lms, requireLineItem(lms, call)))
}

export function changeLineItem(lms: Platform, call: ServiceCall): void {
  const item = requireLineItem(lms, call)
  const { fields, linkId } = fieldsOf(lms, call)
  const link = linkFor(lms, call, linkId)
  lms.changeMaximum(item, fields.scoreMaximum)
  Object.assign(item, fields, link ? { link } : {})
  call.response.type(MEDIA.lineItem).json(lineItemClaims(lms, item))
}

export function deleteLineItem(lms: Platform, call: ServiceCall): void {
  const item = requireLineItem(lms, call)
  if (item.coupled)
    throw new ServiceRefusal(lms.kind.name === 'moodle' ? 403 : 401, 'This line item goes with its link')
  lms.lineItems.delete(item.id)
  call.response.status(204).end()
}
