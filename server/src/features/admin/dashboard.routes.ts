import { getAdminDashboard } from '@assay/shared/admin.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { handle } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { canAdminister } from './admin.policy.ts'
import { gatherDashboard } from './dashboard.service.ts'

export function dashboardRoutes(services: Services): Router {
  const router = Router()
  handle(router, getAdminDashboard, async ({ actor }) => {
    allow(canAdminister(actor))
    return gatherDashboard(services)
  })
  return router
}
