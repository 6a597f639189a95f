import { failOnPurpose, fireTestCompletion } from '@assay/shared/test-pages.ts'
import { Router } from 'express'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { simulateFailure } from './simulate-failure.ts'
import { canNotify, canUseTestPages } from './test-page.policy.ts'

/** Only where the test pages are turned on. */
export function testPageRoutes(services: Services): Router {
  const router = Router()

  handle(router, fireTestCompletion, async ({ params, query, actor, bearer }) => {
    allow(await canUseTestPages(bearer, services))
    allow(canNotify(actor, params.userId))
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

  return router
}
