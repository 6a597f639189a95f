import { createHash, randomBytes } from 'node:crypto'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { isDuplicateKey } from '../../../lib/db.ts'
import type { Actor } from '../../../lib/handle.ts'
import type { Services } from '../../../services.ts'
import { recordAudits } from '../../admin/audit.service.ts'
import { type LtiAnswerDoc, LtiAnswerModel } from './answer.model.ts'
import { type DeepLink, takesLinks } from './deep-link.service.ts'
import { linkableAssignments } from './linkable-assignments.ts'
import { mayReturnTo } from './signed-answer.ts'

/** How long the page that takes an answer to the LMS waits to be opened. */
const PAGE_MS = 5 * 60 * 1000

const ALREADY = 'This choice was sent to the LMS already. To add more, open Assay from the course again.'

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * Keeps what was chosen, to be signed as its page is opened.
 * @returns the page's address
 * @throws {AppError} when the LMS takes no such answer, or has had one
 */
export async function prepareAnswer(
  deepLink: DeepLink,
  assignmentIds: number[],
  actor: Actor,
  { config, clock }: Pick<Services, 'config' | 'clock'>,
): Promise<string> {
  const { launch, settings, platform, course } = deepLink
  if (!mayReturnTo(settings.return_url, config))
    throw new AppError(
      'bad_request',
      `${platform.name} wants the answer at an address that is not https. Ask whoever looks after it.`,
    )
  if (assignmentIds.length > 0) await refuseUntaken(deepLink, assignmentIds)

  const token = randomBytes(32).toString('base64url')
  const now = clock.now()
  await storeAnswer({
    _id: launch._id,
    context: launch.context,
    assignment_ids: assignmentIds,
    token_hash: hashOf(token),
    token_expires_at: new Date(now.getTime() + PAGE_MS),
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

async function refuseUntaken({ settings, platform, course }: DeepLink, ids: number[]): Promise<void> {
  const name = platform.name
  if (!takesLinks(settings))
    throw new AppError(
      'bad_request',
      `${name} asked for something that is no link to a tool, and links are what Assay has. Go back and add Assay as an external tool.`,
    )
  if (!course) throw new AppError('conflict', 'Choose first which course this is.')
  if (ids.length > 1 && !settings.accept_multiple)
    throw new AppError('bad_request', `${name} takes one assignment at a time here.`)
  const found = await linkableAssignments(course._id, ids)
  if (found.length < ids.length)
    throw notFound('One of these assignments is not in this course. Reload the page.')
}

/** In place of one that was not sent yet; the launch's id decides between two at once. */
async function storeAnswer({ _id, ...answer }: LtiAnswerDoc): Promise<void> {
  try {
    await LtiAnswerModel.updateOne({ _id, sent_at: null }, { $set: answer }, { upsert: true })
  } catch (error) {
    if (isDuplicateKey(error)) throw new AppError('conflict', ALREADY, { cause: error })
    throw error
  }
}

/** What the address of a page names, while it may still be opened. */
export function findAnswer(token: string, now: Date): Promise<LtiAnswerDoc | null> {
  return LtiAnswerModel.findOne({
    token_hash: hashOf(token),
    sent_at: null,
    token_expires_at: { $gt: now },
  }).lean()
}

/** @returns whether it was ours to send: of two pages opened at once one is. */
export async function spendAnswer({ _id, token_hash }: LtiAnswerDoc, now: Date): Promise<boolean> {
  const spent = await LtiAnswerModel.updateOne({ _id, token_hash, sent_at: null }, { $set: { sent_at: now } })
  return spent.modifiedCount === 1
}
