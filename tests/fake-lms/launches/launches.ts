import { randomUUID } from 'node:crypto'
import type { Request, Response } from 'express'
import type { Tool } from '../data/records.ts'
import type { Signing } from '../keys.ts'
import type { Claims } from '../lms-kinds.ts'
import { failedPage, selfPosting } from '../pages/html.ts'
import type { Platform } from '../platform.ts'
import { noteReason } from '../request-log.ts'
import { claimsOf, type LaunchRequest, targetLinkUriOf } from './claims.ts'

export interface Tampering {
  mutate?: ((claims: Claims) => void) | undefined
  header?: Record<string, unknown> | undefined
  signing?: Signing | undefined
}

export interface Launch extends Tampering {
  hint: string
  opening: LaunchRequest
  data: string
  asked: number
  nonce: string | null
  returned: boolean
}

/** By the hint the tool asks with. */
export class Launches {
  readonly #begun = new Map<string, Launch>()
  #count = 0

  begin(opening: LaunchRequest, tampering: Tampering = {}): Launch {
    this.#count += 1
    const launch: Launch = {
      hint: `${this.#count}-${randomUUID()}`,
      data: randomUUID(),
      opening,
      asked: 0,
      nonce: null,
      returned: false,
      ...tampering,
    }
    this.#begun.set(launch.hint, launch)
    return launch
  }

  find(hint: string | null): Launch | null {
    return (hint && this.#begun.get(hint)) || null
  }

  byData(data: string): Launch | null {
    return [...this.#begun.values()].find((launch) => launch.data === data) ?? null
  }
}

export function loginParameters(lms: Platform, { opening, hint }: Launch): Record<string, string> {
  const { deployment, as } = opening
  const storage = lms.settings.storageTarget
  return {
    iss: lms.issuer,
    client_id: deployment.tool.clientId,
    lti_deployment_id: deployment.id,
    target_link_uri: targetLinkUriOf(opening),
    login_hint: as.id,
    lti_message_hint: hint,
    ...(storage ? { lti_storage_target: storage } : {}),
  }
}

/** OpenID Connect's name; null if nothing is wrong. */
function authenticationRequestError(
  lms: Platform,
  tool: Tool,
  fields: URLSearchParams,
  launch: Launch | null,
): { error: string; description: string } | null {
  const problem = (error: string, description: string) => ({ error, description })
  for (const name of ['scope', 'response_type', 'login_hint', 'nonce', 'response_mode'])
    if (!fields.get(name)) return problem('invalid_request', `Missing ${name}`)
  if (fields.get('scope') !== 'openid') return problem('invalid_scope', 'scope must be openid')
  if (fields.get('response_type') !== 'id_token')
    return problem('unsupported_response_type', 'response_type must be id_token')
  if (fields.get('response_mode') !== 'form_post') return problem('invalid_request', 'Invalid response_mode')
  if (fields.get('prompt') !== 'none') return problem('invalid_request', 'Invalid prompt')
  if (!launch) return problem('invalid_request', 'No launch has this lti_message_hint')
  if (launch.opening.deployment.tool !== tool) return problem('unauthorized_client', 'This launch is another tool’s')
  if (lms.kind.hintOnce && launch.asked > 0) return problem('invalid_request', 'This lti_message_hint was used before')
  if (fields.get('login_hint') !== launch.opening.as.id)
    return problem('access_denied', 'The login_hint is not who is signed in')
  return null
}

async function idTokenOf(lms: Platform, launch: Launch, nonce: string): Promise<string> {
  const claims = claimsOf(lms, launch.opening, nonce, launch.data)
  launch.mutate?.(claims)
  return lms.keys.sign(claims, launch.signing, launch.header)
}

export async function authorize(
  lms: Platform & { launches: Launches },
  request: Request,
  response: Response,
): Promise<void> {
  const fields =
    request.method === 'POST'
      ? new URLSearchParams(String(request.body))
      : new URL(request.originalUrl, lms.url).searchParams
  const tool = lms.tools.get(fields.get('client_id') ?? '')
  const redirectUri = fields.get('redirect_uri') ?? ''
  // An untrusted tool gets no response; the person sees a page.
  if (!tool?.redirectUris.includes(redirectUri)) {
    const reason = tool
      ? `The redirect_uri ${redirectUri} is not registered`
      : `No tool has the client_id ${fields.get('client_id')}`
    noteReason(response, reason)
    response.status(400).send(failedPage(reason).text)
    return
  }
  const state = fields.get('state')
  const launch = lms.launches.find(fields.get('lti_message_hint'))
  const problem = authenticationRequestError(lms, tool, fields, launch)
  if (launch) launch.asked += 1
  if (problem || !launch) {
    const { error, description } = problem ?? { error: 'invalid_request', description: '' }
    noteReason(response, description)
    const answer = { error, error_description: description, ...(state === null ? {} : { state }) }
    response.send(selfPosting(redirectUri, answer).text)
    return
  }
  launch.nonce = fields.get('nonce') ?? ''
  const token = await idTokenOf(lms, launch, launch.nonce)
  const storage = lms.settings.storageTarget
  const answer = {
    ...(state === null ? {} : { state }),
    id_token: token,
    ...(storage ? { lti_storage_target: storage } : {}),
  }
  response.send(selfPosting(redirectUri, answer).text)
}
