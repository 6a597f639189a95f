import { type Response, Router } from 'express'
import { html } from '../../../../lib/http/html.ts'
import { ANYONE, type FrameAncestors } from '../../../../lib/security/security-headers.ts'
import type { Services } from '../../../../services.ts'
import { sendPage } from '../../launch-endpoints/pages/send-page.ts'
import { LtiRefusal } from '../../refusals.ts'
import { canvasConfiguration } from '../canvas-configuration.ts'
import { toolValues } from '../tool-values.ts'
import { addressError } from '../validate-addresses.ts'
import { type RegistrationResult, registerByLink } from './register-by-link.ts'
import { findRegistrationLink } from './registration-links.ts'

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

/** Null unless it may be an LMS's. Canvas schools share a configuration; `Referer` names the school. */
async function lmsOriginOf(address: unknown, { config }: Pick<Services, 'config'>): Promise<string | null> {
  const url = typeof address === 'string' ? URL.parse(address) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.origin === new URL(config.publicUrl).origin) return null
  return (await addressError(url.href, false, config)) === null ? url.origin : null
}

/** So that the LMS can close the frame or window (LTI Dynamic Registration 1.0, 3.4). */
const CLOSE_SCRIPT = "(window.opener || window.parent).postMessage({ subject: 'org.imsglobal.lti.close' }, '*')\n"

/** The LMS that opened the window waits for its message. */
const keepWindowOpener = (response: Response) => response.set('Cross-Origin-Opener-Policy', 'unsafe-none')

/** The only control on these pages is a link that opens elsewhere, so framing them gains an attacker nothing. */
function sendRegisteredPage(
  response: Response,
  framing: FrameAncestors,
  { platform, isUpdate }: RegistrationResult,
  publicUrl: string,
): void {
  const title = 'Registered. An Assay administrator must now approve it.'
  const next = isUpdate
    ? `${platform.name} was already registered. Its new values take effect once they are approved.`
    : `${platform.name} can open Assay once it is approved.`
  const approve = `${toolValues(publicUrl).public_url}/admin/lms/${platform._id}`
  sendPage(keepWindowOpener(response), {
    title,
    framing,
    script: '/lti/registered.js',
    body: html`<h1>${title}</h1>
<p>${next}</p>
<p><a class="button" href="${approve}" target="_blank" rel="noopener">Open it in Assay</a></p>`,
  })
}

/** Shown in the frame of an LMS that is not registered yet. */
function sendRegistrationRefusedPage(response: Response, refusal: LtiRefusal): void {
  const { userMessage, todo, fix, detail, code } = refusal
  sendPage(keepWindowOpener(response).status(refusal.status), {
    title: userMessage,
    framing: ANYONE,
    body: html`<h1>${userMessage}</h1>
<p>Nothing was registered in Assay.</p>
<p>${todo}</p>
<p>${fix}</p>
<details open>
<summary>What went wrong</summary>
<dl>
<dt>Reason</dt><dd>${code}</dd>
${detail && html`<dt>Detail</dt><dd>${detail}</dd>`}
</dl>
</details>`,
  })
}
