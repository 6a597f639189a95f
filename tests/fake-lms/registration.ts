import { randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Tool } from './data/records.ts'
import { allScopes, type Claims, type Scope } from './lms-kinds.ts'
import type { Platform } from './platform.ts'
import { isObject, jsonObject, noteReason } from './request-log.ts'

const PLATFORM = 'https://purl.imsglobal.org/spec/lti-platform-configuration'
const TOOL = 'https://purl.imsglobal.org/spec/lti-tool-configuration'

class RegistrationError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

const invalid = (message: string) => new RegistrationError(400, 'invalid_client_metadata', message)

/** LTI dynamic registration 1.0, 3.1. */
export function openIdConfiguration(lms: Platform): Claims {
  const placements = { canvas: ['assignment_selection', 'link_selection'], moodle: ['ContentArea'] }
  return {
    issuer: lms.issuer,
    authorization_endpoint: lms.authorizationUrl,
    token_endpoint: lms.tokenUrl,
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256'],
    jwks_uri: lms.jwksUrl,
    registration_endpoint: lms.registrationUrl,
    scopes_supported: ['openid', ...allScopes],
    response_types_supported: ['id_token'],
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['sub', 'iss', 'name', 'given_name', 'family_name', 'email', 'locale'],
    [PLATFORM]: {
      product_family_code: lms.kind.product,
      version: lms.kind.version,
      messages_supported: [
        { type: 'LtiResourceLinkRequest' },
        { type: 'LtiDeepLinkingRequest', placements: placements[lms.kind.name] },
      ],
      variables: ['Context.id.history', 'ResourceLink.id.history', 'User.username', 'Person.email.primary'],
    },
  }
}

interface Client {
  tool: Tool
  accessToken: string
  metadata: Claims
}

const bearer = (request: Request) => /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

function toolFields(body: Claims) {
  const required = (name: string): string => {
    const value = body[name]
    if (typeof value !== 'string' || value === '') throw invalid(`${name} is needed`)
    return value
  }
  const redirectUris = texts(body.redirect_uris)
  if (redirectUris.length === 0) throw new RegistrationError(400, 'invalid_redirect_uri', 'redirect_uris is needed')
  if (!texts(body.response_types).includes('id_token')) throw invalid('response_types must have id_token')
  for (const type of ['implicit', 'client_credentials'])
    if (!texts(body.grant_types).includes(type)) throw invalid(`grant_types must have ${type}`)
  if (body.token_endpoint_auth_method !== 'private_key_jwt')
    throw invalid('token_endpoint_auth_method must be private_key_jwt')
  const config = body[TOOL]
  if (!isObject(config) || typeof config.target_link_uri !== 'string' || typeof config.domain !== 'string')
    throw invalid(`${TOOL} needs domain and target_link_uri`)
  const messages = Array.isArray(config.messages) ? config.messages.filter(isObject) : []
  const deepLinking = messages.find(({ type }) => type === 'LtiDeepLinkingRequest')
  const custom = isObject(config.custom_parameters) ? config.custom_parameters : {}
  const wanted = String(body.scope ?? '').split(' ')
  return {
    name: required('client_name'),
    loginUrl: required('initiate_login_uri'),
    jwksUrl: required('jwks_uri'),
    launchUrl: config.target_link_uri,
    deepLinkingUrl: String(deepLinking?.target_link_uri ?? config.target_link_uri),
    redirectUris,
    scopes: allScopes.filter((scope): scope is Scope => wanted.includes(scope)),
    custom: Object.fromEntries(Object.entries(custom).map(([name, value]) => [name, String(value)])),
  }
}

export class Registrations {
  readonly #open = new Set<string>()
  readonly #clients = new Map<string, Client>()

  link(lms: Platform, initiationUrl: string): string {
    const url = new URL(initiationUrl)
    url.searchParams.set('openid_configuration', lms.configurationUrl)
    url.searchParams.set('registration_token', this.token())
    return url.href
  }

  token(): string {
    const token = randomBytes(24).toString('base64url')
    this.#open.add(token)
    return token
  }

  metadataOf(clientId: string): Claims | null {
    return this.#clients.get(clientId)?.metadata ?? null
  }

  #answer(lms: Platform, { tool, accessToken, metadata }: Client): Claims {
    const config = metadata[TOOL]
    return {
      ...metadata,
      scope: tool.scopes.join(' '),
      client_id: tool.clientId,
      ...(lms.kind.letsToolsUpdate
        ? { registration_client_uri: `${lms.registrationUrl}/${tool.clientId}`, registration_access_token: accessToken }
        : {}),
      [TOOL]: { ...(isObject(config) ? config : {}), deployment_id: tool.deployments[0] },
    }
  }

  #guarded(response: Response, answer: () => Claims): void {
    try {
      response.json(answer())
    } catch (error) {
      if (!(error instanceof RegistrationError)) throw error
      noteReason(response, error.message)
      response.status(error.status).json({ error: error.code, error_description: error.message })
    }
  }

  #bodyOf(request: Request): Claims {
    const body = jsonObject(request.body)
    if (!body) throw invalid('The body is not a JSON object')
    return body
  }

  register(lms: Platform, request: Request, response: Response): void {
    this.#guarded(response, () => {
      const token = bearer(request)
      if (!this.#open.has(token))
        throw new RegistrationError(401, 'invalid_token', 'registration token unknown or used')
      const metadata = this.#bodyOf(request)
      const tool = lms.registerTool(toolFields(metadata))
      this.#open.delete(token)
      const client = { tool, accessToken: randomBytes(24).toString('base64url'), metadata }
      this.#clients.set(tool.clientId, client)
      return this.#answer(lms, client)
    })
  }

  #client(request: Request): Client {
    const client = this.#clients.get(String(request.params.clientId))
    if (!client || bearer(request) !== client.accessToken)
      throw new RegistrationError(401, 'invalid_token', 'the registration access token is not this client’s')
    return client
  }

  show(lms: Platform, request: Request, response: Response): void {
    this.#guarded(response, () => this.#answer(lms, this.#client(request)))
  }

  change(lms: Platform, request: Request, response: Response): void {
    this.#guarded(response, () => {
      const client = this.#client(request)
      const metadata = this.#bodyOf(request)
      if (metadata.client_id !== client.tool.clientId) throw invalid('client_id must be the one given')
      Object.assign(client.tool, toolFields(metadata))
      client.metadata = metadata
      return this.#answer(lms, client)
    })
  }
}
