import type { Period } from '../data/lms-data.ts'
import { isObject } from '../json-object.ts'
import type { Claims } from '../lti-constants.ts'

interface LinkItem {
  title: string
  description: string
  /** Empty for the tool's own launch address. */
  url: string
  custom: Record<string, string>
  target: 'iframe' | 'window'
  available: Period
  submission: Period
  lineItem: { label: string; scoreMaximum: number; resourceId: string; tag: string } | null
}

export class DeepLinkError extends Error {}

function textIn(from: Claims, name: string, where: string): string {
  const value = from[name]
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') throw new DeepLinkError(`${where}.${name} must be text`)
  return value
}

function periodIn(item: Claims, name: string, where: string): Period {
  const value = item[name]
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw new DeepLinkError(`${where}.${name} must be an object`)
  const period: Period = {}
  for (const end of ['startDateTime', 'endDateTime'] as const) {
    const time = textIn(value, end, `${where}.${name}`)
    if (time === '') continue
    if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(time) || Number.isNaN(Date.parse(time)))
      throw new DeepLinkError(`${where}.${name}.${end} must be a time of ISO 8601 with a zone, not ${time}`)
    period[end] = time
  }
  return period
}

function customIn(item: Claims, where: string): Record<string, string> {
  const { custom } = item
  if (custom === undefined) return {}
  if (!isObject(custom)) throw new DeepLinkError(`${where}.custom must be an object`)
  for (const [name, value] of Object.entries(custom))
    if (typeof value !== 'string') throw new DeepLinkError(`${where}.custom.${name} must be text`)
  return custom as Record<string, string>
}

function lineItemIn(item: Claims, title: string, where: string): LinkItem['lineItem'] {
  const { lineItem } = item
  if (lineItem === undefined) return null
  if (!isObject(lineItem)) throw new DeepLinkError(`${where}.lineItem must be an object`)
  const { scoreMaximum } = lineItem
  if (typeof scoreMaximum !== 'number' || !(scoreMaximum > 0))
    throw new DeepLinkError(`${where}.lineItem.scoreMaximum must be a number above 0`)
  const text = (name: string) => textIn(lineItem, name, `${where}.lineItem`)
  return { label: text('label') || title, scoreMaximum, resourceId: text('resourceId'), tag: text('tag') }
}

/** Deep linking 2.0, 3. `acceptTypes` is what the LMS said it takes. @throws {DeepLinkError} */
export function parseContentItem(item: unknown, where: string, acceptTypes: readonly string[]): LinkItem {
  if (!isObject(item)) throw new DeepLinkError(`${where} must be an object`)
  if (typeof item.type !== 'string' || !acceptTypes.includes(item.type))
    throw new DeepLinkError(`${where}.type must be one of ${acceptTypes.join(', ')}, not ${item.type}`)
  const url = textIn(item, 'url', where)
  if (url && !URL.canParse(url)) throw new DeepLinkError(`${where}.url must be an address, not ${url}`)
  const title = textIn(item, 'title', where) || 'Untitled'
  return {
    title,
    description: textIn(item, 'text', where),
    url,
    custom: customIn(item, where),
    target: item.window !== undefined && item.iframe === undefined ? 'window' : 'iframe',
    available: periodIn(item, 'available', where),
    submission: periodIn(item, 'submission', where),
    lineItem: lineItemIn(item, title, where),
  }
}
