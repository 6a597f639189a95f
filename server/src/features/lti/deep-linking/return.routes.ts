import { fileURLToPath } from 'node:url'
import { type Request, type Response, Router } from 'express'
import { html } from '../../../lib/html.ts'
import type { Kept } from '../../../lib/kept.ts'
import type { Framing } from '../../../lib/security-headers.ts'
import type { Services } from '../../../services.ts'
import { sendPage } from '../door/pages.ts'
import { findLaunch } from '../launches/launch.service.ts'
import type { LtiAnswerDoc } from './answer.model.ts'
import { findAnswer, spendAnswer } from './answer.service.ts'
import { type DeepLink, deepLinkOf } from './deep-link.service.ts'
import { linkableAssignments } from './linkable-assignments.ts'
import { KeyMissing, mayReturnTo, signAnswer } from './signed-answer.ts'

const script = fileURLToPath(new URL('./return-page.js', import.meta.url))

/**
 * The page, outside the API, that takes a signed answer to the LMS: only there does the browser leave for it. Opened once; its address
 * is what it takes to open it.
 */
export function returnPages(services: Services, framing: Kept<Framing>): Router {
  const { config, clock, log } = services
  const router = Router()

  const sayWhy = (response: Response, status: number, title: string, words: string) =>
    sendPage(response.status(status), {
      title,
      body: html`<h1>${title}</h1><p>${words}</p>`,
      framing: framing.current(),
    })

  /** What is to be sent, or null when there is nothing, or nothing any more. */
  async function findToSend(token: string): Promise<{ found: LtiAnswerDoc; deepLink: DeepLink } | null> {
    const found = await findAnswer(token, clock.now())
    const launch = found && (await findLaunch(found._id))
    const deepLink = launch && (await deepLinkOf(launch))
    return found && deepLink && mayReturnTo(deepLink.settings.return_url, config) ? { found, deepLink } : null
  }

  async function answer(token: string, response: Response): Promise<void> {
    const toSend = await findToSend(token)
    const jwt = toSend && (await signChosen(toSend, services))
    // Signed first, spent then: what could not be signed may be tried again.
    if (!toSend || !jwt || !(await spendAnswer(toSend.found, clock.now())))
      return sayWhy(
        response,
        410,
        'This answer is used up',
        'It was sent to your LMS already, or waited too long. Open Assay from the course again to choose assignments.',
      )
    const { platform, settings } = toSend.deepLink
    sendPage(response, {
      title: `Back to ${platform.name}`,
      body: html`<h1>Back to ${platform.name}</h1>
<p>Your choice is on its way. If nothing happens, press the button.</p>
<form method="post" action="${settings.return_url}">
<input type="hidden" name="JWT" value="${jwt}">
<button type="submit" class="button">Go on to ${platform.name}</button>
</form>`,
      framing: framing.current(),
      script: '/lti/return.js',
      formsTo: new URL(settings.return_url).origin,
    })
  }

  router.get('/return.js', (_request, response) => {
    response.set('Cache-Control', 'public, max-age=300').sendFile(script)
  })
  router.get('/return/:token', async (request: Request<{ token: string }>, response) => {
    // A look ahead (HEAD comes here too) must not use it up.
    if (request.method !== 'GET') return void response.status(405).set('Allow', 'GET').end()
    try {
      await answer(request.params.token, response)
    } catch (error) {
      const noKey = error instanceof KeyMissing
      log.error({ err: error, requestId: response.locals.requestId }, 'a deep link could not be answered')
      sayWhy(
        response,
        500,
        'The answer could not be sent',
        noKey
          ? 'Assay’s key for this LMS cannot be opened. Ask your Assay administrator to make a new one on the LMS’s page.'
          : 'Something went wrong in Assay. Reload this page, or open Assay from the course again.',
      )
    }
  })
  return router
}

/** What was deleted since it was chosen, seconds ago, is left out; the order is the one it was chosen in. */
async function signChosen(
  { found, deepLink }: { found: LtiAnswerDoc; deepLink: DeepLink },
  services: Services,
): Promise<string> {
  const { course } = deepLink
  const there = course ? await linkableAssignments(course._id, found.assignment_ids) : []
  const chosen = found.assignment_ids.flatMap((id) => there.find(({ _id }) => _id === id) ?? [])
  return signAnswer(deepLink, chosen, services)
}
