import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { recordAudit } from '../../../../audit/audit.service.ts'
import { AppError } from '../../../../lib/http/app-error.ts'
import type { Actor } from '../../../../lib/http/handle.ts'
import { decryptSecret, encryptSecret } from '../../../../lib/security/secret-encryption.ts'
import type { LtiPlatformDoc, Registration } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'
import { optional } from '../../lms-text.ts'
import { getAccessToken, TokenRequestError } from '../../platform-client/access-token.ts'
import {
  type AddressPolicy,
  PlatformRequestError,
  type PlatformResponse,
  requestPlatform,
} from '../../platform-client/platform-request.ts'
import { LtiRefusal } from '../../refusals.ts'
import { updatePlatform } from '../platform.service.ts'
import { REGISTRATION_SCOPE, TOOL_CONFIGURATION, toolRegistration, toolValues } from './tool-registration.ts'

export const REGISTRATION_PURPOSE = 'lti-registration'
const MAX_BYTES = 200_000

const Text = z.union([z.string(), z.number()]).transform(String)

/** LTI Dynamic Registration 1.0, 3.3; RFC 7592 for the last two. */
const RegistrationResponse = z.object({
  client_id: Text.pipe(z.string().regex(/^[\x21-\x7e]{1,255}$/)),
  scope: optional(z.string().max(10_000)),
  registration_client_uri: optional(z.url({ protocol: /^https?$/ }).max(2000)),
  registration_access_token: optional(z.string().min(1).max(8000)),
  [TOOL_CONFIGURATION]: optional(
    z.object({ deployment_id: optional(Text.pipe(z.string().regex(/^[\x21-\x7e]{1,255}$/))) }),
  ),
})

export interface RegistrationReply {
  clientId: string
  deploymentId: string | null
  scopes: string[] | null
  registrationUrl: string | null
  registrationToken: string | null
}

/** @throws {LtiRefusal} `registration_rejected` with the LMS's reason */
export async function sendRegistration(
  method: 'POST' | 'PUT',
  url: string,
  token: string | null,
  body: object,
  allowed: AddressPolicy,
): Promise<RegistrationReply> {
  const reply = await requestPlatform(
    url,
    {
      method,
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
      maxBytes: MAX_BYTES,
    },
    allowed,
  ).catch((cause: unknown) => {
    if (cause instanceof PlatformRequestError) throw new LtiRefusal('registration_rejected', cause.message, { cause })
    throw cause
  })
  if (reply.status >= 300) throw new LtiRefusal('registration_rejected', registrationErrorMessage(reply))
  const read = RegistrationResponse.safeParse(parseJson(reply.body))
  if (!read.success) throw new LtiRefusal('registration_rejected', 'its answer has no client_id that Assay can use')
  const { data } = read
  return {
    clientId: data.client_id,
    deploymentId: data[TOOL_CONFIGURATION]?.deployment_id ?? null,
    scopes: data.scope?.split(/\s+/).filter(Boolean) ?? null,
    registrationUrl: data.registration_client_uri ?? null,
    registrationToken: data.registration_access_token ?? null,
  }
}

/** Canvas returns `errors`, the others an OAuth error. */
const RegistrationErrorBody = z.object({
  error: optional(z.string()),
  error_description: optional(z.string()),
  message: optional(z.string()),
  errors: optional(z.array(z.union([z.string(), z.object({ message: z.string() }).transform((e) => e.message)]))),
})

function registrationErrorMessage({ status, statusText, body }: PlatformResponse): string {
  const errorBody = RegistrationErrorBody.safeParse(parseJson(body)).data
  const message =
    errorBody?.errors?.join('; ') ??
    errorBody?.error_description ??
    errorBody?.error ??
    errorBody?.message ??
    statusText
  return `status ${status} ${message.slice(0, 300)}`.trim()
}

export function sealRegistration(registration: Omit<Registration, 'token'>, token: string | null, secretKey: string) {
  return { ...registration, token: token === null ? null : encryptSecret(token, secretKey, REGISTRATION_PURPOSE) }
}

/** Null where there is none, or it was encrypted with another SECRET_KEY. */
export const unsealRegistrationToken = ({ token }: Registration, secretKey: string): string | null =>
  token === null ? null : decryptSecret(token, secretKey, REGISTRATION_PURPOSE)

/** @throws {AppError} `conflict` where it did not register itself, `lms_failed` with the LMS's reason */
export async function updateRegistrationAtLms(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: Pick<Services, 'config' | 'clock' | 'settings' | 'events'>,
): Promise<LtiPlatformDoc> {
  const { config, settings } = services
  const { registration } = platform
  if (!registration) throw new AppError('conflict', `${platform.name} does not let Assay change its registration.`)
  const { support_email } = await settings.current()
  const body = toolRegistration(toolValues(config.publicUrl), { ...registration, lms: platform.lms }, support_email)
  try {
    const token =
      unsealRegistrationToken(registration, config.secretKey) ??
      (await getAccessToken(platform, [REGISTRATION_SCOPE], services))
    const sent = { ...body, client_id: platform.client_id }
    const reply = await sendRegistration('PUT', registration.url, token, sent, config)
    // A new token replaces ours (RFC 7592).
    const current = reply.registrationToken
      ? sealRegistration(registration, reply.registrationToken, config.secretKey)
      : registration
    const to = { registration: current, scopes: reply.scopes ?? platform.scopes }
    const updated = await updatePlatform(platform, to, services)
    const change = { before: { scopes: platform.scopes }, after: { scopes: updated.scopes } }
    await recordAudit(actor, 'lms.registration_updated', { platform_id: platform._id }, updated.updated_at, change)
    return updated
  } catch (cause) {
    const known =
      cause instanceof LtiRefusal || cause instanceof TokenRequestError || cause instanceof PlatformRequestError
    if (!known) throw cause
    const why = cause instanceof LtiRefusal ? cause.detail : cause.message
    throw new AppError('lms_failed', `${platform.name} rejected the update: ${why}`, { cause })
  }
}
