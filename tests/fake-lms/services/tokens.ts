import { randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Tool } from '../data/lms-data.ts'
import type { Scope } from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'
import { noteReason } from '../request-log.ts'

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

  /** Moodle gives what is left of the scopes asked for, Canvas all or nothing. */
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
      response.json({
        access_token: token,
        token_type: 'Bearer',
        expires_in: seconds,
        scope: scopes.join(' '),
      })
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error
      noteReason(response, error.message)
      const described = lms.kind.name === 'canvas' ? { error_description: error.message } : {}
      response.status(400).json({ error: error.code, ...described })
    }
  }
}
