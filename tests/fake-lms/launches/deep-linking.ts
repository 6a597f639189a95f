import type { Request, Response } from 'express'
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose'
import type { Link, Period } from '../data/records.ts'
import { CLAIM, type Claims, DL_CLAIM } from '../lms-kinds.ts'
import { leaveFrame } from '../pages/course-pages.ts'
import { failedPage } from '../pages/html.ts'
import type { Platform } from '../platform.ts'
import { isObject, noteReason } from '../request-log.ts'
import { keysOfTool } from '../services/service.ts'
import type { Launch, Launches } from './launches.ts'

interface LinkItem {
  title: string
  description: string
  url: string
  custom: Record<string, string>
  target: 'iframe' | 'window'
  available: Period
  submission: Period
  lineItem: { label: string; scoreMaximum: number; resourceId: string; tag: string } | null
}

class DeepLinkError extends Error {}

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

/** Deep linking 2.0, 3. `acceptTypes`: of the LMS. @throws {DeepLinkError} */
function parseContentItem(item: unknown, where: string, acceptTypes: readonly string[]): LinkItem {
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

export interface DeepLinkResponse {
  claims: Claims
  launch: Launch | null
  links: Link[]
  problem: string | null
}

type DeepLinkingPlatform = Platform & { launches: Launches; deepLinked: DeepLinkResponse[] }

function acceptedBy({ opening }: Launch): { types: readonly string[]; multiple: boolean; lineItem: boolean } {
  const { accept_types, accept_multiple, accept_lineitem } = opening.deepLinking
  return {
    types: Array.isArray(accept_types) ? accept_types.map(String) : ['ltiResourceLink'],
    multiple: accept_multiple !== false,
    lineItem: accept_lineitem !== false,
  }
}

async function verify(lms: Platform, jwt: string): Promise<JWTPayload> {
  let said: JWTPayload
  try {
    said = decodeJwt(jwt)
  } catch {
    throw new DeepLinkError(jwt ? 'The field JWT is not a JWT' : 'The field JWT is missing')
  }
  const tool = lms.tools.get(String(said.iss))
  if (!tool) throw new DeepLinkError(`iss must be the tool’s client id; no tool has ${said.iss}`)
  try {
    const { payload } = await jwtVerify(jwt, await keysOfTool(tool), {
      algorithms: ['RS256'],
      audience: lms.issuer,
      issuer: tool.clientId,
      requiredClaims: ['exp', 'iat', 'nonce'],
      currentDate: lms.now(),
      maxTokenAge: 3600,
      clockTolerance: 5,
    })
    return payload
  } catch (error) {
    throw new DeepLinkError(`The response’s token is not good: ${(error as Error).message}`)
  }
}

function launchOf(lms: { launches: Launches }, claims: Claims): Launch {
  if (claims[`${CLAIM}/message_type`] !== 'LtiDeepLinkingResponse')
    throw new DeepLinkError(`message_type must be LtiDeepLinkingResponse, not ${claims[`${CLAIM}/message_type`]}`)
  if (claims[`${CLAIM}/version`] !== '1.3.0') throw new DeepLinkError('version must be 1.3.0')
  const data = claims[`${DL_CLAIM}/data`]
  const launch = typeof data === 'string' ? lms.launches.byData(data) : null
  if (!launch) throw new DeepLinkError('data must be what the launch’s deep_linking_settings had')
  const { deployment } = launch.opening
  if (deployment.tool.clientId !== claims.iss) throw new DeepLinkError('data is of another tool’s launch')
  if (claims[`${CLAIM}/deployment_id`] !== deployment.id)
    throw new DeepLinkError(`deployment_id must be ${deployment.id}, not ${claims[`${CLAIM}/deployment_id`]}`)
  if (launch.returned) throw new DeepLinkError('This launch was answered before')
  return launch
}

function createLinks(lms: Platform, claims: Claims, launch: Launch): Link[] {
  const accepted = acceptedBy(launch)
  const items = claims[`${DL_CLAIM}/content_items`] ?? []
  if (!Array.isArray(items)) throw new DeepLinkError('content_items must be a list')
  if (items.length > 1 && !accepted.multiple) throw new DeepLinkError('accept_multiple was false: one item at most')
  const { course, deployment } = launch.opening
  // One mistake, and none is made.
  const read = items.map((item, i) => parseContentItem(item, `content_items[${i}]`, accepted.types))
  return read.map(({ lineItem, ...fields }) => {
    const link = lms.addLink(course, { ...fields, deployment, url: fields.url || deployment.tool.launchUrl })
    if (lineItem && accepted.lineItem) lms.addLineItem(course, { ...lineItem, deployment, link, coupled: true })
    return link
  })
}

export async function receiveDeepLinkResponse(
  lms: DeepLinkingPlatform,
  request: Request,
  response: Response,
): Promise<void> {
  const returned: DeepLinkResponse = { claims: {}, launch: null, links: [], problem: null }
  lms.deepLinked.push(returned)
  try {
    const jwt = new URLSearchParams(String(request.body)).get('JWT') ?? ''
    returned.claims = await verify(lms, jwt)
    const { nonce } = returned.claims
    if (lms.deepLinked.some((before) => before !== returned && before.claims.nonce === nonce))
      throw new DeepLinkError('This nonce was used before')
    returned.launch = launchOf(lms, returned.claims)
    returned.links = createLinks(lms, returned.claims, returned.launch)
    returned.launch.returned = true
  } catch (error) {
    if (!(error instanceof DeepLinkError)) throw error
    returned.problem = error.message
    noteReason(response, error.message)
  }
  response.status(returned.problem === null ? 200 : 400).send(deepLinkedPage(returned))
}

function deepLinkedPage({ links, launch, problem, claims }: DeepLinkResponse): string {
  if (problem !== null || !launch) return failedPage(problem ?? 'Nothing came back').text
  const { course } = launch.opening
  const said = claims['https://purl.imsglobal.org/spec/lti-dl/claim/msg']
  const titles = links.map(({ title }) => title).join(', ')
  const text = typeof said === 'string' ? said : links.length > 0 ? `Added: ${titles}` : 'Nothing was added.'
  return leaveFrame(`/courses/${course.id}?said=${encodeURIComponent(text)}`).text
}
