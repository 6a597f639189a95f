import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Course } from '../data/lms-data.ts'
import type { Tool } from '../data/records.ts'
import type { Scope } from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'
import { asciiLine, jsonObject, noteReason } from '../request-log.ts'

interface IssuedToken {
  tool: Tool
  scopes: string[]
  expires: Date
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** The code is for the tool, the message for its developer. */
class TokenRefusal extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export async function keysOfTool(tool: Tool) {
  const response = await fetch(tool.jwksUrl, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`the tool's key set answered ${response.status}`)
  return createLocalJWKSet((await response.json()) as JSONWebKeySet)
}

const TOKEN_SECONDS = 3600

export class Tokens {
  readonly #issued = new Map<string, IssuedToken>()
  readonly #usedIds = new Set<string>()

  revokeAll(): void {
    this.#issued.clear()
  }

  issue(tool: Tool, scopes: string[], now: Date, seconds: number): string {
    const token = randomBytes(24).toString('base64url')
    this.#issued.set(token, { tool, scopes, expires: new Date(now.getTime() + seconds * 1000) })
    return token
  }

  findHolder(request: Request, scopes: readonly Scope[], now: Date): { tool: Tool } | { refused: string } {
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const issued = token ? this.#issued.get(token) : undefined
    if (!issued) return { refused: token ? 'unknown access token' : 'no access token' }
    if (issued.expires <= now) return { refused: 'access token has expired' }
    if (!scopes.some((scope) => issued.scopes.includes(scope)))
      return { refused: `the token lacks the scope ${scopes.join(' or ')}` }
    return { tool: issued.tool }
  }

  async #checkAssertion(lms: Platform, assertion: string): Promise<Tool> {
    let claims: ReturnType<typeof decodeJwt>
    try {
      claims = decodeJwt(assertion)
    } catch {
      throw new TokenRefusal('invalid_request', 'the client assertion is not a JWT')
    }
    const tool = lms.tools.get(String(claims.sub))
    if (!tool) throw new TokenRefusal('invalid_client', `no tool has the client id ${claims.sub}`)
    try {
      await jwtVerify(assertion, await keysOfTool(tool), {
        algorithms: ['RS256'],
        issuer: tool.clientId,
        subject: tool.clientId,
        audience: lms.tokenUrl,
        requiredClaims: ['exp', 'iat', 'jti'],
        currentDate: lms.now(),
        clockTolerance: 5,
        maxTokenAge: 3600,
      })
    } catch (error) {
      throw new TokenRefusal('invalid_client', `the client assertion is not good: ${(error as Error).message}`)
    }
    const id = `${tool.clientId} ${claims.jti}`
    if (this.#usedIds.has(id)) throw new TokenRefusal('invalid_client', 'the client assertion was used before')
    this.#usedIds.add(id)
    return tool
  }

  /** Moodle grants the rest of the scopes, Canvas all or nothing. */
  #scopesFor(lms: Platform, tool: Tool, asked: string[]): string[] {
    const granted = asked.filter((scope) => (tool.scopes as string[]).includes(scope))
    const enough = lms.kind.name === 'moodle' ? granted.length > 0 : granted.length === asked.length
    if (!enough) throw new TokenRefusal('invalid_scope', `not granted: ${asked.join(' ')}`)
    return granted
  }

  async handleTokenRequest(lms: Platform, request: Request, response: Response): Promise<void> {
    try {
      const form = new URLSearchParams(request.is('application/x-www-form-urlencoded') ? String(request.body) : '')
      const [assertion, scope] = [form.get('client_assertion'), form.get('scope')]
      if (!assertion || !scope) throw new TokenRefusal('invalid_request', 'client_assertion and scope are needed')
      if (form.get('grant_type') !== 'client_credentials' || form.get('client_assertion_type') !== ASSERTION_TYPE)
        throw new TokenRefusal('unsupported_grant_type', 'only client_credentials with a JWT assertion')
      const tool = await this.#checkAssertion(lms, assertion)
      const scopes = this.#scopesFor(lms, tool, scope.split(' ').filter(Boolean))
      const seconds = TOKEN_SECONDS
      const token = this.issue(tool, scopes, lms.now(), seconds)
      response.json({ access_token: token, token_type: 'Bearer', expires_in: seconds, scope: scopes.join(' ') })
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error
      noteReason(response, error.message)
      const described = lms.kind.name === 'canvas' ? { error_description: error.message } : {}
      response.status(400).json({ error: error.code, ...described })
    }
  }
}

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

/** A thrown refusal becomes the response. */
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

/** Moodle takes a body only under its own media type. */
export function requireMediaType(lms: Platform, request: Request, type: string): void {
  const given = request.headers['content-type']?.split(';')[0]?.trim()
  if (lms.kind.name === 'moodle' && given !== type)
    throw new ServiceRefusal(400, `No context or unsupported content type ${given ?? ''}`)
}

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
