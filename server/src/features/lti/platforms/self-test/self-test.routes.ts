import { getSelfTest, startSelfTest } from '@assay/shared/lti/lti-self-test.ts'
import type { Router } from 'express'
import { allow } from '../../../../lib/http/allow.ts'
import { handle } from '../../../../lib/http/handle.ts'
import type { Services } from '../../../../services.ts'
import { canAdminister } from '../../../users/admin.policy.ts'
import { requirePlatform } from '../platform.service.ts'
import { beginSelfTest, lastSelfTest, presentSelfTest } from './self-test.ts'

export function selfTestRoutes(router: Router, services: Services): void {
  handle(router, startSelfTest, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    return presentSelfTest(await beginSelfTest(platform, services))
  })

  handle(router, getSelfTest, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    const test = await lastSelfTest(platform._id)
    return { self_test: test && presentSelfTest(test) }
  })
}
