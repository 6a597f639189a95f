import {
  createRegistrationLink,
  getToolValues,
  listRegistrationLinks,
  revokeRegistrationLink,
  updateRegistration,
} from '@assay/shared/lti/lti-registration.ts'
import type { Router } from 'express'
import { allow, handle } from '../../../../lib/http/handle.ts'
import type { Services } from '../../../../services.ts'
import { canAdminister } from '../../../users/admin.policy.ts'
import { presentPlatform, requirePlatform } from '../platform.service.ts'
import {
  deleteRegistrationLink,
  findRecentRegistrationLinks,
  issueRegistrationLink,
  presentRegistrationLinks,
} from './registration-link.service.ts'
import { updateRegistrationAtLms } from './send-registration.ts'
import { toolValues } from './tool-registration.ts'

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
