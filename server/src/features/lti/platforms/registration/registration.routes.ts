import { type Response, Router } from 'express'
import { z } from 'zod'
import { html } from '../../../../lib/http/html.ts'
import { ANYONE, type FrameAncestors } from '../../../../lib/security/security-headers.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import type { RegistrationLinkDoc } from '../../../../records/lti/registration-link.model.ts'
import type { Services } from '../../../../services.ts'
import { type LaunchAttempt, logLaunchAttempt, newLaunchAttempt } from '../../launch-endpoints/launch-attempt.ts'
import { pageScript, sendPage } from '../../launch-endpoints/pages/send-page.ts'
import { addressError } from '../../platform-client/platform-request.ts'
import { LtiRefusal } from '../../refusals.ts'
import { findFreePlatformName } from '../change-identity-provider.ts'
import { createPlatform } from '../platform.service.ts'
import { fetchOpenIdConfiguration, type LmsConfiguration } from './openid-configuration.ts'
import {
  findRegistrationLink,
  lockRegistrationLink,
  markRegistrationLinkUsed,
  unlockRegistrationLink,
} from './registration-link.service.ts'
import { sealRegistration, sendRegistration } from './send-registration.ts'
import { canvasConfiguration, toolRegistration, toolValues } from './tool-registration.ts'

export function registrationRoutes(services: Services): Router {
  const { config } = services
  const router = Router()

  router.get('/canvas.json', (_request, response) => {
    response.set({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    response.json(canvasConfiguration(toolValues(config.publicUrl)))
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

/** Lets the LMS close the frame or window (LTI Dynamic Registration 1.0, 3.4). */
const closeScript = pageScript(
  "(window.opener || window.parent).postMessage({ subject: 'org.imsglobal.lti.close' }, '*')",
)

/** The LMS's window waits for our message. */
const keepWindowOpener = (response: Response) => response.set('Cross-Origin-Opener-Policy', 'unsafe-none')

/** Anyone may frame it: its only control is a link that opens elsewhere. */
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
    script: closeScript,
    body: html`<h1>${title}</h1>
<p>${next}</p>
<p><a class="button" href="${approve}" target="_blank" rel="noopener">Open it in Assay</a></p>`,
  })
}

/** An LMS that is not registered yet frames it. */
function sendRegistrationRefusedPage(response: Response, { code, detail, words }: LtiRefusal): void {
  const { status, message, todo, fix } = words
  sendPage(keepWindowOpener(response).status(status), {
    title: message,
    framing: ANYONE,
    body: html`<h1>${message}</h1>
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

const RegistrationQuery = z.object({
  openid_configuration: z.string().min(1).max(4000),
  registration_token: z.string().min(1).max(8000).nullish(),
})

interface RegistrationResult {
  platform: LtiPlatformDoc
  isUpdate: boolean
}

type RegistrationServices = Pick<Services, 'config' | 'clock' | 'settings' | 'log' | 'metrics' | 'events'>

/** A failure stores nothing, and the link works again. @param framedBy the framing origin. @throws {LtiRefusal} */
async function registerByLink(
  link: RegistrationLinkDoc,
  query: unknown,
  framedBy: string | null,
  requestId: string,
  services: RegistrationServices,
): Promise<RegistrationResult> {
  const { clock } = services
  try {
    const opened = RegistrationQuery.safeParse(query)
    if (!opened.success) throw new LtiRefusal('registration_opened')
    await lockRegistrationLink(link, clock.now())
    const registered = await registerWithLms(opened.data, link, framedBy, services)
    await markRegistrationLinkUsed(link, registered.platform._id, clock.now())
    await logLaunchAttempt(registrationAttempt(registered.platform, requestId), null, services)
    return registered
  } catch (cause) {
    const why = cause instanceof LtiRefusal ? cause : null
    // A link that another request has locked or used is not ours to unlock.
    if (!why || !['registration_busy', 'registration_link', 'registration_opened'].includes(why.code))
      await unlockRegistrationLink(link, why, clock.now())
    if (why) await logLaunchAttempt(registrationAttempt(null, requestId), why, services)
    throw cause
  }
}

const registrationAttempt = (platform: LtiPlatformDoc | null, requestId: string): LaunchAttempt => ({
  ...newLaunchAttempt('registration', requestId),
  platform,
  issuer: platform?.issuer ?? null,
  client_id: platform?.client_id ?? null,
})

async function registerWithLms(
  opened: z.output<typeof RegistrationQuery>,
  link: RegistrationLinkDoc,
  framedBy: string | null,
  services: RegistrationServices,
): Promise<RegistrationResult> {
  const { config, settings } = services
  const token = opened.registration_token ?? null
  const lms = await fetchOpenIdConfiguration(opened.openid_configuration, token, config)
  const { support_email } = await settings.current()
  const body = toolRegistration(toolValues(config.publicUrl), lms, support_email)
  const reply = await sendRegistration('POST', lms.registration_endpoint, token, body, config)
  const origins = additionalOrigins(lms, [new URL(opened.openid_configuration).origin, framedBy])
  const { issuer, auth_endpoint, token_endpoint, token_audience, jwks_url } = lms
  const { clientId: client_id, deploymentId, scopes } = reply
  const { registrationUrl: url, registrationToken } = reply
  const mayCall = url !== null && (await addressError(url, true, config)) === null
  const { messages } = lms
  const registration = mayCall
    ? sealRegistration({ url, messages, scopes: lms.scopes }, registrationToken, config.secretKey)
    : null
  const values = { issuer, auth_endpoint, token_endpoint, token_audience, jwks_url, client_id, scopes, registration }
  const deployments = deploymentId === null ? [] : [deploymentId]
  const known = await LtiPlatformModel.findOne({ issuer, client_id }).lean()
  if (known) {
    const now = services.clock.now()
    const proposed = { ...values, deployments, at: now }
    const platform = await LtiPlatformModel.findOneAndUpdate(
      { _id: known._id },
      { $set: { proposed, updated_at: now } },
    ).lean()
    return { platform: platform ?? known, isUpdate: true }
  }
  const platform = await createPlatform(
    {
      ...values,
      name: await findFreePlatformName(lms.name),
      lms: lms.lms,
      status: 'pending',
      registered_by: 'link',
      deployments: deployments.map((id) => ({ id, first_seen_at: null })),
      origins,
      created_by: link.created_by,
    },
    services,
  )
  return { platform, isUpdate: false }
}

function additionalOrigins({ issuer, auth_endpoint }: LmsConfiguration, seen: (string | null)[]): string[] {
  const implied = [issuer, auth_endpoint].map((url) => new URL(url).origin)
  return [...new Set(seen.filter((origin) => origin !== null))].filter((origin) => !implied.includes(origin))
}
