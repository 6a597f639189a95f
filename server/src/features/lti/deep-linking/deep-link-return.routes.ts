import { answerDeepLink, getLinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import { type Request, type Response, Router } from 'express'
import { AppError } from '../../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../../lib/http/handle.ts'
import { html } from '../../../lib/http/html.ts'
import { ANYONE, type FrameAncestors } from '../../../lib/security/security-headers.ts'
import type { StaleWhileRevalidate } from '../../../lib/stale-while-revalidate.ts'
import type { Services } from '../../../services.ts'
import { canTeach } from '../../courses/course.service.ts'
import { readPageScript, sendPage } from '../launch-endpoints/pages/send-page.ts'
import { findLaunch } from '../launches/launch.service.ts'
import {
  type DeepLinkRequest,
  deepLinkRequestOf,
  presentLinkChoice,
  requireDeepLinkRequest,
} from './deep-link.service.ts'
import {
  consumeDeepLinkResponse,
  findDeepLinkResponse,
  isAllowedReturnUrl,
  prepareDeepLinkResponse,
  signDeepLinkResponse,
} from './deep-link-response.service.ts'

const script = readPageScript(new URL('./deep-link-return-page.js', import.meta.url))

/** The page's URL is its only protection and works once. */
export function deepLinkReturnRoutes(services: Services, framing: StaleWhileRevalidate<FrameAncestors>): Router {
  const { config, clock, log } = services
  const router = Router()

  const sayWhy = (response: Response, status: number, title: string, words: string) =>
    sendPage(response.status(status), { title, body: html`<h1>${title}</h1><p>${words}</p>`, framing: ANYONE })

  async function findToSend(token: string) {
    const found = await findDeepLinkResponse(token, clock.now())
    const launch = found && (await findLaunch(found._id))
    const deepLink = launch && (await deepLinkRequestOf(launch))
    return found && deepLink && isAllowedReturnUrl(deepLink.settings.return_url, config) ? { found, deepLink } : null
  }

  async function answer(token: string, response: Response): Promise<void> {
    const toSend = await findToSend(token)
    const jwt = toSend && (await signDeepLinkResponse(toSend.deepLink, toSend.found, services))
    // Signed first, so that a failed signature may be tried again.
    if (!toSend || !jwt || !(await consumeDeepLinkResponse(toSend.found, clock.now())))
      return sayWhy(
        response,
        410,
        'This choice has expired',
        'It was already sent to your LMS, or too much time has passed. Open Assay from the course again to choose assignments.',
      )
    const { platform, settings } = toSend.deepLink
    sendPage(response, {
      title: `Back to ${platform.name}`,
      body: html`<h1>Back to ${platform.name}</h1>
<p>Your choice is being sent. If nothing happens, press the button.</p>
<form method="post" action="${settings.return_url}">
<input type="hidden" name="JWT" value="${jwt}">
<button type="submit" class="button">Continue to ${platform.name}</button>
</form>`,
      framing: framing.current(),
      script,
      formsTo: new URL(settings.return_url).origin,
    })
  }

  router.get('/return/:token', async (request: Request<{ token: string }>, response) => {
    // A prefetch or HEAD must not use it up.
    if (request.method !== 'GET') return void response.status(405).set('Allow', 'GET').end()
    try {
      await answer(request.params.token, response)
    } catch (error) {
      log.error({ err: error, requestId: response.locals.requestId }, 'a deep link could not be answered')
      sayWhy(
        response,
        500,
        'Your choice could not be sent',
        error instanceof AppError
          ? error.message
          : 'Something went wrong in Assay. Reload this page, or open Assay from the course again.',
      )
    }
  })
  return router
}

const canChoose = async (actor: Actor, { course }: DeepLinkRequest) => (course ? canTeach(actor, course) : 'yes')

export function deepLinkRoutes(router: Router, services: Services): void {
  handle(router, getLinkChoice, async ({ actor }) => {
    const deepLink = await requireDeepLinkRequest(actor)
    allow(await canChoose(actor, deepLink))
    return presentLinkChoice(deepLink)
  })

  handle(router, answerDeepLink, async ({ body, actor }) => {
    const deepLink = await requireDeepLinkRequest(actor)
    allow(await canChoose(actor, deepLink))
    return { page: await prepareDeepLinkResponse(deepLink, body.assignment_ids, actor, services) }
  })
}
