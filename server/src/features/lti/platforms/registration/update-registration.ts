import { recordAudit } from '../../../../audit/audit.service.ts'
import { AppError } from '../../../../lib/http/app-error.ts'
import type { Actor } from '../../../../lib/http/handle.ts'
import type { LtiPlatformDoc, Registration } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'
import { getAccessToken, TokenRequestError } from '../../platform-client/access-token.ts'
import { PlatformRequestError } from '../../platform-client/platform-request.ts'
import { LtiRefusal } from '../../refusals.ts'
import { toolValues } from '../tool-values.ts'
import { updatePlatform } from '../update-platform.ts'
import { sealRegistration, sendRegistration, unsealRegistrationToken } from './send-registration.ts'
import { REGISTRATION_SCOPE, toolRegistration } from './tool-registration.ts'

/**
 * Replaces our registration in the LMS, after PUBLIC_URL has changed or when a newer Assay needs more.
 * @throws {AppError} `conflict` where it did not register itself, `lms_failed` with the LMS's reason
 */
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
    const token = await registrationAccessToken(platform, registration, services)
    const sent = { ...body, client_id: platform.client_id }
    const reply = await sendRegistration('PUT', registration.url, token, sent, config)
    // By RFC 7592 it may answer with a new token, which replaces ours.
    const current = reply.registrationToken
      ? sealRegistration(registration, reply.registrationToken, config)
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

function registrationAccessToken(
  platform: LtiPlatformDoc,
  registration: Registration,
  services: Pick<Services, 'config' | 'clock'>,
): Promise<string> {
  const stored = unsealRegistrationToken(registration, services.config.secretKey)
  return stored === null ? getAccessToken(platform, [REGISTRATION_SCOPE], services) : Promise.resolve(stored)
}
