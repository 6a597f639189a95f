import { Router } from 'express'
import type { Services } from '../../../../services.ts'
import { LtiRefusal } from '../../refusals.ts'
import { canvasConfiguration } from '../canvas-configuration.ts'
import { toolValues } from '../tool-values.ts'
import { addressError } from '../validate-addresses.ts'
import { registerByLink } from './register-by-link.ts'
import { findRegistrationLink } from './registration-links.ts'
import { CLOSE_SCRIPT, sendRegisteredPage, sendRegistrationRefusedPage } from './registration-page.ts'

/** What an LMS opens, below `/lti`, before it is registered. */
export function registrationRoutes(services: Services): Router {
  const { config } = services
  const router = Router()

  router.get('/canvas.json', (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    response.json(canvasConfiguration(toolValues(config.publicUrl)))
  })

  router.get('/registered.js', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=300').type('js').send(CLOSE_SCRIPT)
  })

  router.get('/register/:token', async (request, response) => {
    const requestId = String(response.locals.requestId)
    const link = await findRegistrationLink(request.params.token)
    if (!link) return sendRegistrationRefusedPage(response, new LtiRefusal('registration_link'))
    const referer = await lmsOriginOf(request.headers.referer, services)
    const framedBy = [await lmsOriginOf(request.query.openid_configuration, services), referer]
    const frames = [...new Set(framedBy.filter((origin) => origin !== null))]
    try {
      const registered = await registerByLink(link, request.query, referer, requestId, services)
      sendRegisteredPage(response, frames, registered, config.publicUrl)
    } catch (cause) {
      if (!(cause instanceof LtiRefusal)) throw cause
      sendRegistrationRefusedPage(response, cause)
    }
  })

  return router
}

/**
 * The origin of an address that may be an LMS's, or null. The page that shows ours is often not where the configuration is: all
 * schools of Canvas share one, and the browser names the school's in `Referer`.
 */
async function lmsOriginOf(address: unknown, { config }: Pick<Services, 'config'>): Promise<string | null> {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.origin === new URL(config.publicUrl).origin) return null
  return (await addressError(url.href, false, config)) === null ? url.origin : null
}
