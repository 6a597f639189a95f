import {
  createRegistrationLink,
  getToolValues,
  listRegistrationLinks,
  takeBackRegistrationLink,
  updateRegistration,
} from '@assay/shared/lti-registration.ts'
import { Router } from 'express'
import { allow } from '../../../../lib/allow.ts'
import { handle } from '../../../../lib/handle.ts'
import type { Services } from '../../../../services.ts'
import { canAdminister } from '../../../admin/admin.policy.ts'
import { presentPlatform } from '../platform.present.ts'
import { requirePlatform } from '../platform.service.ts'
import { toolValues } from '../tool.ts'
import { listLinks, makeLink, presentLinks, takeBackLink } from './links.ts'
import { updateAtLms } from './update-registration.ts'

export function registrationLinkRoutes(services: Services): Router {
  const { config, clock } = services
  const router = Router()

  handle(router, getToolValues, async ({ actor }) => {
    allow(canAdminister(actor))
    return toolValues(config.publicUrl)
  })

  handle(router, listRegistrationLinks, async ({ actor }) => {
    allow(canAdminister(actor))
    return presentLinks(await listLinks(), clock.now())
  })

  handle(router, createRegistrationLink, async ({ actor }) => {
    allow(canAdminister(actor))
    const { link, token } = await makeLink(actor, services)
    const [presented] = await presentLinks([link], clock.now())
    if (!presented) throw new Error('a link that was made is presented')
    return { link: presented, url: `${toolValues(config.publicUrl).public_url}/lti/register/${token}` }
  })

  handle(router, takeBackRegistrationLink, async ({ params, actor }) => {
    allow(canAdminister(actor))
    await takeBackLink(params.linkId, actor, services)
    return { message: 'The link has been taken back.' }
  })

  handle(router, updateRegistration, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    return presentPlatform(await updateAtLms(platform, actor, services))
  })

  return router
}
