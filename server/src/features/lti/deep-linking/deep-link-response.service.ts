import { randomBytes } from 'node:crypto'
import { recordAudits } from '../../../audit/audit.service.ts'
import { isDuplicateKeyError } from '../../../lib/database/database.ts'
import { AppError, notFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { type LtiDeepLinkResponseDoc, LtiDeepLinkResponseModel } from '../../../records/lti/deep-link-response.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignmentsWithPoints } from '../../assignments/assignment-queries.ts'
import { acceptsLinks, type DeepLinkRequest } from './deep-link.service.ts'
import { isAllowedReturnUrl } from './sign-deep-link-response.ts'

const RETURN_PAGE_TTL_MS = 5 * 60 * 1000

const ALREADY_SENT = 'This choice has already been sent to the LMS. To add more, open Assay from the course again.'

/** Signed when its page is opened. @returns the page's URL. @throws {AppError} if the LMS takes none, or has had one */
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

/** Replaces one not sent yet; the launch's id decides between two at once. */
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
