import type { Request, RequestHandler, Response } from 'express'
import type { Course, Tool } from '../data/lms-data.ts'
import type { Scope } from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'
import { asciiLine, jsonObject, noteReason } from '../request-log.ts'
import type { Tokens } from './tokens.ts'

export class ServiceRefusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Moodle says why in the status text, Canvas in the body. */
function sendRefusal(lms: Platform, request: Request, response: Response, { status, message }: ServiceRefusal): void {
  noteReason(response, message)
  if (lms.kind.name === 'moodle') {
    response.statusMessage = asciiLine(message)
    const about = { method: request.method, url: request.originalUrl }
    response.status(status).json({ status, reason: message, request: about })
    return
  }
  const type = { 401: 'unauthorized', 404: 'not_found', 422: 'unprocessable_entity' }[status] ?? 'bad_request'
  response.status(status).json({ errors: { type, message } })
}

export interface ServiceCall {
  request: Request
  response: Response
  tool: Tool
  course: Course
}

/** Requires a token of one of these scopes. A thrown refusal becomes the response. */
export function serviceHandler(
  lms: Platform & { tokens: Tokens },
  scopes: readonly Scope[],
  handle: (call: ServiceCall) => void | Promise<void>,
): RequestHandler {
  return async (request, response) => {
    try {
      const holder = lms.tokens.findHolder(request, scopes, lms.now())
      if ('refused' in holder) throw new ServiceRefusal(401, holder.refused)
      const { tool } = holder
      if (lms.kind.toolInQuery && request.query.type_id !== undefined && request.query.type_id !== String(tool.number))
        throw new ServiceRefusal(401, 'This type_id is another tool’s')
      const course = lms.courses.get(String(request.params.courseId))
      if (!course) throw new ServiceRefusal(404, `Not Found: Course ${request.params.courseId} doesn't exist`)
      await handle({ request, response, tool, course })
    } catch (error) {
      if (!(error instanceof ServiceRefusal)) throw error
      sendRefusal(lms, request, response, error)
    }
  }
}

export function requireJsonBody(request: Request): Record<string, unknown> {
  const body = jsonObject(request.body)
  if (!body) throw new ServiceRefusal(400, 'The body is not a JSON object')
  return body
}

/** Moodle takes a body under its own media type only. */
export function requireMediaType(lms: Platform, request: Request, type: string): void {
  const given = request.headers['content-type']?.split(';')[0]?.trim()
  if (lms.kind.name === 'moodle' && given !== type)
    throw new ServiceRefusal(400, `No context or unsupported content type ${given ?? ''}`)
}

/** '' counts as not given. */
export function queryParameter(request: Request, name: string): string | undefined {
  const value = request.query[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function pageOf<T>(
  list: readonly T[],
  request: Request,
  size: number,
): { rows: T[]; next: { from: number; limit: number } | null } {
  const limit = Math.min(Number(queryParameter(request, 'limit') ?? size), size)
  const from = Number(queryParameter(request, 'from') ?? 0)
  if (!(limit > 0) || !Number.isFinite(limit)) return { rows: list.slice(from), next: null }
  const rows = list.slice(from, from + limit)
  return { rows, next: from + limit < list.length ? { from: from + limit, limit } : null }
}

export function withQuery(address: string, query: Record<string, string | number | undefined>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, String(value))
  return url.href
}
