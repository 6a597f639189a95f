import type { Grade, Person } from '../data/lms-data.ts'
import type { LineItem, Link } from '../data/records.ts'
import { type Claims, MEDIA } from '../lms-kinds.ts'
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

function requireLineItem(lms: Platform, { request, tool, course }: ServiceCall): LineItem {
  const id = String(request.params.itemId)
  const item = lms.lineItems.get(id)
  if (!item) throw new ServiceRefusal(404, `Not Found: Grade item ${id} doesn't exist`)
  if (item.course !== course || item.deployment.tool !== tool) throw new ServiceRefusal(404, 'Line item does not exist')
  return item
}

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
    // Moodle's source has typographic quotes here, sent as UTF-8 bytes.
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

interface Score {
  body: Record<string, unknown>
  person: Person
  timestamp: Date
  activityProgress: string
  gradingProgress: string
  scoreGiven: number | null
  scoreMaximum: number | null
  comment: string | null
}

const numberIn = (value: unknown): number | null =>
  value === undefined || value === null || value === '' ? null : Number(value)

const wholeSeconds = (date: Date) => Math.floor(date.getTime() / 1000)

/** Moodle answers any mistake with the same 400, the body in its status text. */
function readAsMoodle(lms: Platform, call: ServiceCall): Score {
  requireMediaType(lms, call.request, MEDIA.score)
  const wrong = () => new ServiceRefusal(400, `Incorrect score received${String(call.request.body)}`)
  const body = requireJsonBody(call.request)
  const person = lms.gradable(call.course, String(body.userId))
  const score = parseScore(body, person)
  const numbers = [score.scoreGiven, score.scoreMaximum]
  if (!person || !score.activityProgress || !score.gradingProgress) throw wrong()
  if (Number.isNaN(score.timestamp.getTime()) || numbers.some((n) => Number.isNaN(n))) throw wrong()
  return { ...score, person, scoreMaximum: score.scoreMaximum ?? 1 }
}

function parseScore(body: Record<string, unknown>, person: Person | null) {
  return {
    body,
    person,
    timestamp: new Date(typeof body.timestamp === 'string' ? body.timestamp : Number.NaN),
    activityProgress: String(body.activityProgress ?? ''),
    gradingProgress: String(body.gradingProgress ?? ''),
    scoreGiven: numberIn(body.scoreGiven),
    scoreMaximum: numberIn(body.scoreMaximum),
    comment: typeof body.comment === 'string' && body.comment !== '' ? body.comment : null,
  }
}

function gradeAsMoodle(lms: Platform, item: LineItem, score: Score): Grade {
  const { person, timestamp, scoreGiven, scoreMaximum } = score
  const before = item.grades.get(person.id)
  // Times are whole seconds: two grades within one conflict.
  if (before?.timestamp && wholeSeconds(before.timestamp) >= wholeSeconds(timestamp))
    throw new ServiceRefusal(409, `Refusing score with an earlier timestamp for item ${item.id} and user ${person.id}`)
  // Taken with 200 all the same.
  if (before?.overridden) return before
  const counts = scoreGiven !== null && score.gradingProgress === 'FullyGraded'
  const points = counts ? (scoreMaximum ? (scoreGiven * item.scoreMaximum) / scoreMaximum : scoreGiven) : null
  return {
    points,
    firstMaximum: before?.firstMaximum ?? item.scoreMaximum,
    comment: score.comment,
    activityProgress: score.activityProgress,
    gradingProgress: score.gradingProgress,
    // Only a column of its own keeps a time then, the LMS's.
    timestamp: counts ? timestamp : item.coupled ? null : lms.now(),
  }
}

function readAsCanvas(lms: Platform, call: ServiceCall): Score {
  const body = requireJsonBody(call.request)
  const person = lms.gradable(call.course, String(body.userId))
  if (!person) throw new ServiceRefusal(422, 'User not found in course or is not a student')
  const score = parseScore(body, person)
  for (const name of ['userId', 'activityProgress', 'gradingProgress', 'timestamp'])
    if (body[name] === undefined || body[name] === '')
      throw new ServiceRefusal(400, `param is missing or the value is empty: ${name}`)
  if (Number.isNaN(score.timestamp.getTime()))
    throw new ServiceRefusal(400, `Provided timestamp of ${body.timestamp} not a valid timestamp`)
  if (score.scoreGiven !== null && score.scoreMaximum === null)
    throw new ServiceRefusal(422, 'ScoreMaximum not supplied when ScoreGiven present.')
  if (score.scoreMaximum !== null && !(score.scoreMaximum >= 0))
    throw new ServiceRefusal(422, 'ScoreMaximum must be greater than or equal to 0')
  return { ...score, person }
}

function gradeAsCanvas(_lms: Platform, item: LineItem, score: Score): Grade {
  const { person, timestamp, scoreGiven, scoreMaximum, gradingProgress } = score
  const before = item.grades.get(person.id)
  if (before?.timestamp && before.timestamp > timestamp)
    throw new ServiceRefusal(
      400,
      `Provided timestamp of ${timestamp.toISOString()} before last updated timestamp of ${before.timestamp.toISOString()}`,
    )
  const counts = scoreGiven !== null && ['FullyGraded', 'PendingManual'].includes(gradingProgress)
  return {
    points: counts ? (scoreMaximum ? (scoreGiven * item.scoreMaximum) / scoreMaximum : scoreGiven) : null,
    // Comments are added; none takes nothing away.
    comment: score.comment ?? before?.comment ?? null,
    activityProgress: score.activityProgress,
    gradingProgress,
    timestamp,
  }
}

export function receiveScore(lms: Platform, call: ServiceCall): void {
  const item = requireLineItem(lms, call)
  if (item.locked) throw new ServiceRefusal(500, '')
  const moodle = lms.kind.name === 'moodle'
  const score = moodle ? readAsMoodle(lms, call) : readAsCanvas(lms, call)
  const grade = moodle ? gradeAsMoodle(lms, item, score) : gradeAsCanvas(lms, item, score)
  item.grades.set(score.person.id, grade)
  item.accepted.push({ person: score.person, body: score.body, at: lms.now() })
  if (moodle) call.response.type(MEDIA.score).end()
  else call.response.type(MEDIA.score).json({ resultUrl: resultUrl(lms, item, score.person.id) })
}

function resultUrl(lms: Platform, item: LineItem, personId: string): string {
  return lms.kind.name === 'moodle'
    ? withQuery(lms.resultsUrl(item), { user_id: personId })
    : `${lms.resultsUrl(item)}/${personId}`
}

export function listResults(lms: Platform, call: ServiceCall): void {
  const item = requireLineItem(lms, call)
  const wanted = queryParameter(call.request, 'user_id')
  const grades = [...item.grades].filter(([id]) => !wanted || id === wanted)
  const { rows, next } = pageOf(grades, call.request, lms.settings.pageSize)
  if (next) call.response.setHeader('link', `<${withQuery(lms.resultsUrl(item), next)}>; rel="next"`)
  call.response.type(MEDIA.results).json(
    rows.map(([userId, { points, firstMaximum, comment, timestamp }]) => ({
      id: resultUrl(lms, item, userId),
      userId,
      scoreOf: lms.lineItemUrl(item),
      ...(points === null ? {} : { resultScore: points, resultMaximum: firstMaximum ?? item.scoreMaximum }),
      ...(comment && points !== null ? { comment } : {}),
      // Canvas tells no time.
      ...(lms.kind.name === 'moodle' && timestamp && points !== null ? { timestamp: timestamp.toISOString() } : {}),
    })),
  )
}
