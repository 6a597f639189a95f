import {
  createRegistrationLink,
  getToolValues,
  listRegistrationLinks,
  revokeRegistrationLink,
  updateRegistration,
} from '@assay/shared/lti/lti-registration.ts'
import type { Router } from 'express'
import { recordAudit } from '../../../../audit/audit.service.ts'
import { allow } from '../../../../lib/http/allow.ts'
import { AppError } from '../../../../lib/http/app-error.ts'
import { type Actor, handle } from '../../../../lib/http/handle.ts'
import type { LtiPlatformDoc, Registration } from '../../../../records/lti/platform.model.ts'
import type { Services } from '../../../../services.ts'
import { canAdminister } from '../../../users/admin.policy.ts'
import { getAccessToken, TokenRequestError } from '../../platform-client/access-token.ts'
import { PlatformRequestError } from '../../platform-client/platform-request.ts'
import { LtiRefusal } from '../../refusals.ts'
import { presentPlatform, requirePlatform, updatePlatform } from '../platform.service.ts'
import {
  deleteRegistrationLink,
  findRecentRegistrationLinks,
  issueRegistrationLink,
  presentRegistrationLinks,
} from './registration-links.ts'
import { sealRegistration, sendRegistration, unsealRegistrationToken } from './send-registration.ts'
import { REGISTRATION_SCOPE, toolRegistration, toolValues } from './tool-registration.ts'

export function registrationLinkRoutes(router: Router, services: Services): void {
  const { config, clock } = services

  handle(router, getToolValues, async ({ actor }) => {
    allow(canAdminister(actor))
    return toolValues(config.publicUrl)
  })

  handle(router, listRegistrationLinks, async ({ actor }) => {
    allow(canAdminister(actor))
    return presentRegistrationLinks(await findRecentRegistrationLinks(), clock.now())
  })

  handle(router, createRegistrationLink, async ({ actor }) => {
    allow(canAdminister(actor))
    const { link, token } = await issueRegistrationLink(actor, services)
    const [presented] = await presentRegistrationLinks([link], clock.now())
    if (!presented) throw new Error('the new link was not presented')
    return { link: presented, url: `${toolValues(config.publicUrl).public_url}/lti/register/${token}` }
  })

  handle(router, revokeRegistrationLink, async ({ params, actor }) => {
    allow(canAdminister(actor))
    await deleteRegistrationLink(params.linkId, actor, services)
    return { message: 'The link has been revoked.' }
  })

  handle(router, updateRegistration, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    return presentPlatform(await updateRegistrationAtLms(platform, actor, services))
  })
}

/** @throws {AppError} `conflict` where it did not register itself, `lms_failed` with the LMS's reason */
async function updateRegistrationAtLms(
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
    // A new token replaces ours (RFC 7592).
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
