import type { ErrorCode } from '@assay/shared/http/errors.ts'
import { type FailureKind, failOnPurpose, fireTestCompletion } from '@assay/shared/test-pages.ts'
import type { Router } from 'express'
import { AppError, tooManyRequests } from '../../../lib/http/app-error.ts'
import { allow, handle, RawReply } from '../../../lib/http/handle.ts'
import type { Services } from '../../../services.ts'
import { canUseTestPages } from './test-page.policy.ts'

export function testPageRoutes(router: Router, services: Services): void {
  handle(router, fireTestCompletion, async ({ params, query, actor, bearer }) => {
    allow(await canUseTestPages(bearer, services))
    allow(actor.id === params.userId || actor.role === 'admin' ? 'yes' : 'hidden')
    services.events.emit('completion_for_user', {
      userId: params.userId,
      payload: {
        assignment_id: query.assignment_id,
        run_id: null,
        message: `${query.assignment_title}: 1 graded.`,
        total: 1,
        graded: 1,
        failed: 0,
      },
    })
    return { message: `Test notification sent to user ${params.userId}.` }
  })

  handle(router, failOnPurpose, async ({ params, bearer }) => {
    allow(await canUseTestPages(bearer, services))
    return simulateFailure(params.kind)
  })
}

/** Longer than any client's timeout. */
const NO_REPLY_MS = 120_000

const ERROR_CODES = {
  '400': 'bad_request',
  '401': 'invalid_credentials',
  '403': 'auth_insufficient_permissions',
  '404': 'resource_not_found',
  '409': 'conflict',
  '413': 'payload_too_large',
  '415': 'unsupported_media_type',
  '503': 'starting_up',
} as const satisfies Partial<Record<FailureKind, ErrorCode>>

/** A wrong password's 401: the other kind would sign the developer out. */
function simulateFailure(kind: FailureKind): RawReply {
  if (kind === 'timeout') return neverReply()
  if (kind === 'html_page') return htmlReply()
  if (kind === 'crash') throw new Error('Test error: crash')
  if (kind === '429') throw tooManyRequests(30)
  if (kind === '422')
    throw new AppError('validation_failed', undefined, {
      details: [
        { loc: ['body', 'name'], msg: 'Course name is required', type: 'too_small' },
        { loc: ['body', 'course_code'], msg: 'At most 50 characters', type: 'too_big' },
      ],
    })
  throw new AppError(ERROR_CODES[kind])
}

function neverReply(): RawReply {
  return new RawReply(
    (response) =>
      new Promise((over) => {
        const timer = setTimeout(() => response.destroy(), NO_REPLY_MS)
        response.once('close', () => {
          clearTimeout(timer)
          over()
        })
      }),
  )
}

function htmlReply(): RawReply {
  return new RawReply((response) => {
    response.status(502).type('html').send('<h1>502 Bad Gateway</h1>')
  })
}
