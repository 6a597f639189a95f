import { randomBytes, randomUUID } from 'node:crypto'
import { answerDeepLink, getLinkChoice } from '@assay/shared/lti/lti-deep-linking.ts'
import { type Request, type Response, Router } from 'express'
import { importPKCS8, SignJWT } from 'jose'
import { recordAudits } from '../../../audit/audit.service.ts'
import { isDuplicateKeyError } from '../../../lib/database/database.ts'
import { AppError, notFound } from '../../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../../lib/http/handle.ts'
import { html } from '../../../lib/http/html.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { ANYONE, type FrameAncestors } from '../../../lib/security/security-headers.ts'
import type { StaleWhileRevalidate } from '../../../lib/stale-while-revalidate.ts'
import { type LtiDeepLinkResponseDoc, LtiDeepLinkResponseModel } from '../../../records/lti/deep-link-response.model.ts'
import type { Services } from '../../../services.ts'
import { type AssignmentWithPoints, findAssignmentsWithPoints } from '../../assignments/assignment-queries.ts'
import { canTeach } from '../../courses/course.service.ts'
import { readPageScript, sendPage } from '../launch-endpoints/pages/send-page.ts'
import { findLaunch } from '../launches/launch.service.ts'
import type { AddressPolicy } from '../platform-client/platform-request.ts'
import { getPrivateKey } from '../platforms/platform-keys.ts'
import {
  acceptsLinks,
  contentItemOf,
  type DeepLinkRequest,
  deepLinkRequestOf,
  presentLinkChoice,
  requireDeepLinkRequest,
} from './deep-link.service.ts'

const script = readPageScript(new URL('./deep-link-return-page.js', import.meta.url))

/** The page's URL is its only protection and works once. */
export function deepLinkReturnRoutes(services: Services, framing: StaleWhileRevalidate<FrameAncestors>): Router {
  const { config, clock, log } = services
  const router = Router()

  const sayWhy = (response: Response, status: number, title: string, words: string) =>
    sendPage(response.status(status), {
      title,
      body: html`<h1>${title}</h1><p>${words}</p>`,
      framing: ANYONE,
    })

  async function findToSend(
    token: string,
  ): Promise<{ found: LtiDeepLinkResponseDoc; deepLink: DeepLinkRequest } | null> {
    const found = await findDeepLinkResponse(token, clock.now())
    const launch = found && (await findLaunch(found._id))
    const deepLink = launch && (await deepLinkRequestOf(launch))
    return found && deepLink && isAllowedReturnUrl(deepLink.settings.return_url, config) ? { found, deepLink } : null
  }

  async function answer(token: string, response: Response): Promise<void> {
    const toSend = await findToSend(token)
    const jwt = toSend && (await signChosenAssignments(toSend, services))
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
      const noKey = error instanceof SigningKeyUnavailable
      log.error({ err: error, requestId: response.locals.requestId }, 'a deep link could not be answered')
      sayWhy(
        response,
        500,
        'Your choice could not be sent',
        noKey
          ? 'Assay’s key for this LMS cannot be decrypted. Ask your Assay administrator to create a new one on the LMS’s page.'
          : 'Something went wrong in Assay. Reload this page, or open Assay from the course again.',
      )
    }
  })
  return router
}

async function signChosenAssignments(
  { found, deepLink }: { found: LtiDeepLinkResponseDoc; deepLink: DeepLinkRequest },
  services: Services,
): Promise<string> {
  const { course } = deepLink
  const there = course ? await findAssignmentsWithPoints(course._id, found.assignment_ids) : []
  const chosen = found.assignment_ids.flatMap((id) => there.find(({ _id }) => _id === id) ?? [])
  return signDeepLinkResponse(deepLink, chosen, services)
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

const LTI = 'https://purl.imsglobal.org/spec/lti/claim'
const DEEP_LINK = 'https://purl.imsglobal.org/spec/lti-dl/claim'

/** Our key for this LMS is gone, or was encrypted with another SECRET_KEY. */
export class SigningKeyUnavailable extends Error {
  override name = 'KeyMissing'
}

/** The browser posts there, so only the protocol matters. */
export function isAllowedReturnUrl(address: string, { ltiPlainHttp }: Pick<AddressPolicy, 'ltiPlainHttp'>): boolean {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && ltiPlainHttp)
}

/** Deep linking 2.0, 4.5. ltijs signs only for launches it has stored. @throws {SigningKeyUnavailable} */
export async function signDeepLinkResponse(
  { launch, settings, platform }: DeepLinkRequest,
  assignments: AssignmentWithPoints[],
  { config }: Pick<Services, 'config'>,
): Promise<string> {
  const key = await getPrivateKey(platform.kid, config.secretKey)
  if (!key) throw new SigningKeyUnavailable('the key for this LMS cannot be decrypted')
  const claims = {
    [`${LTI}/message_type`]: 'LtiDeepLinkingResponse',
    [`${LTI}/version`]: '1.3.0',
    [`${LTI}/deployment_id`]: launch.deployment_id,
    [`${DEEP_LINK}/content_items`]: assignments.map((assignment) =>
      contentItemOf(assignment, settings, config.publicUrl),
    ),
    [`${DEEP_LINK}/msg`]: messageFor(assignments),
    [`${DEEP_LINK}/log`]: `assignments: ${assignments.map(({ _id }) => _id).join(', ') || 'none'}`,
    ...(settings.data === null ? {} : { [`${DEEP_LINK}/data`]: settings.data }),
  }
  return (
    new SignJWT({ ...claims, nonce: randomUUID() })
      .setProtectedHeader({ alg: 'RS256', kid: platform.kid, typ: 'JWT' })
      .setIssuer(platform.client_id)
      .setAudience(platform.issuer)
      // The system clock, as the platform compares it with its own.
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(await importPKCS8(key, 'RS256'))
  )
}

function messageFor(assignments: AssignmentWithPoints[]): string {
  const [first, ...others] = assignments
  if (!first) return 'No assignment was chosen in Assay.'
  return others.length === 0
    ? `“${first.title}” was chosen in Assay.`
    : `${assignments.length} assignments were chosen in Assay.`
}

const RETURN_PAGE_TTL_MS = 5 * 60 * 1000
const ALREADY_SENT = 'This choice has already been sent to the LMS. To add more, open Assay from the course again.'

/** @returns the URL of a page that signs when opened. @throws {AppError} if the LMS takes none, or has had one */
export async function prepareDeepLinkResponse(
  deepLink: DeepLinkRequest,
  assignmentIds: number[],
  actor: Actor,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
): Promise<string> {
  const { launch, settings, platform, course } = deepLink
  if (!isAllowedReturnUrl(settings.return_url, config))
    throw new AppError(
      'bad_request',
      `${platform.name} expects the answer at an address that does not use https. Contact its administrator.`,
    )
  if (assignmentIds.length > 0) await requireAcceptableChoice(deepLink, assignmentIds)

  const token = randomBytes(32).toString('base64url')
  const now = clock.now()
  await storeDeepLinkResponse({
    _id: launch._id,
    context: launch.context,
    assignment_ids: assignmentIds,
    token_hash: hashOf(token),
    token_expires_at: new Date(now.getTime() + RETURN_PAGE_TTL_MS),
    sent_at: null,
  })
  if (course) {
    const subjects = assignmentIds.map((assignment_id) => ({ assignment_id, course_id: course._id }))
    await recordAudits(actor, 'assignment.linked', subjects, now, {
      after: { lms: platform.name, course: deepLink.context?.title ?? null },
    })
  }
  return `/lti/return/${token}`
}

async function requireAcceptableChoice({ settings, platform, course }: DeepLinkRequest, ids: number[]): Promise<void> {
  const name = platform.name
  if (!acceptsLinks(settings))
    throw new AppError(
      'bad_request',
      `${name} did not ask for a link to a tool, which is all Assay can add. Go back and add Assay as an external tool.`,
    )
  if (!course) throw new AppError('conflict', 'Choose a course first.')
  if (ids.length > 1 && !settings.accept_multiple)
    throw new AppError('bad_request', `${name} accepts only one assignment at a time here.`)
  const found = await findAssignmentsWithPoints(course._id, ids)
  if (found.length < ids.length) throw notFound('One of these assignments is not in this course. Reload the page.')
}

async function storeDeepLinkResponse({ _id, ...answer }: LtiDeepLinkResponseDoc): Promise<void> {
  try {
    await LtiDeepLinkResponseModel.updateOne({ _id, sent_at: null }, { $set: answer }, { upsert: true })
  } catch (error) {
    if (isDuplicateKeyError(error)) throw new AppError('conflict', ALREADY_SENT, { cause: error })
    throw error
  }
}

export function findDeepLinkResponse(token: string, now: Date): Promise<LtiDeepLinkResponseDoc | null> {
  return LtiDeepLinkResponseModel.findOne({
    token_hash: hashOf(token),
    sent_at: null,
    token_expires_at: { $gt: now },
  }).lean()
}

/** @returns false for the later of two pages opened at once */
export async function consumeDeepLinkResponse(
  { _id, token_hash }: LtiDeepLinkResponseDoc,
  now: Date,
): Promise<boolean> {
  const spent = await LtiDeepLinkResponseModel.updateOne({ _id, token_hash, sent_at: null }, { $set: { sent_at: now } })
  return spent.modifiedCount === 1
}
