import { randomBytes, randomUUID } from 'node:crypto'
import { recordAudits } from '../../../audit/audit.service.ts'
import { isDuplicateKeyError } from '../../../lib/database/database.ts'
import { AppError, notFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { type LtiDeepLinkResponseDoc, LtiDeepLinkResponseModel } from '../../../records/lti/deep-link-response.model.ts'
import type { Services } from '../../../services.ts'
import { type AssignmentWithPoints, findAssignmentsWithPoints } from '../../assignments/assignment-queries.ts'
import type { AddressPolicy } from '../platform-client/platform-request.ts'
import { signForPlatform } from '../platforms/platform-keys.ts'
import { acceptsLinks, contentItemOf, type DeepLinkRequest } from './deep-link.service.ts'

const LTI = 'https://purl.imsglobal.org/spec/lti/claim'
const DEEP_LINK = 'https://purl.imsglobal.org/spec/lti-dl/claim'

/** The browser posts there, so only the protocol matters. */
export function isAllowedReturnUrl(address: string, { ltiPlainHttp }: Pick<AddressPolicy, 'ltiPlainHttp'>): boolean {
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && ltiPlainHttp)
}

/** Deep linking 2.0, 4.5. ltijs signs only for launches it stored. @throws {AppError} without our key for the LMS */
export async function signDeepLinkResponse(
  { launch, settings, platform, course }: DeepLinkRequest,
  { assignment_ids }: LtiDeepLinkResponseDoc,
  { config }: Pick<Services, 'config'>,
): Promise<string> {
  const there = course ? await findAssignmentsWithPoints(course._id, assignment_ids) : []
  const chosen = assignment_ids.flatMap((id) => there.find(({ _id }) => _id === id) ?? [])
  const claims = {
    nonce: randomUUID(),
    [`${LTI}/message_type`]: 'LtiDeepLinkingResponse',
    [`${LTI}/version`]: '1.3.0',
    [`${LTI}/deployment_id`]: launch.deployment_id,
    [`${DEEP_LINK}/content_items`]: chosen.map((one) => contentItemOf(one, settings, config.publicUrl)),
    [`${DEEP_LINK}/msg`]: messageFor(chosen),
    [`${DEEP_LINK}/log`]: `assignments: ${chosen.map(({ _id }) => _id).join(', ') || 'none'}`,
    ...(settings.data === null ? {} : { [`${DEEP_LINK}/data`]: settings.data }),
  }
  const how = { audience: platform.issuer, expiresIn: '5m', secretKey: config.secretKey }
  const jwt = await signForPlatform(platform, claims, how)
  if (jwt) return jwt
  throw new AppError(
    'service_unavailable',
    'Assay’s key for this LMS cannot be decrypted. Ask your Assay administrator to create a new one on the LMS’s page.',
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
export async function consumeDeepLinkResponse({ _id, token_hash }: LtiDeepLinkResponseDoc, now: Date) {
  const spent = await LtiDeepLinkResponseModel.updateOne({ _id, token_hash, sent_at: null }, { $set: { sent_at: now } })
  return spent.modifiedCount === 1
}
