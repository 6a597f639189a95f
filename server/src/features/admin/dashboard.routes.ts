import { getAdminDashboard } from '@assay/shared/admin.ts'
import { getStorageUse } from '@assay/shared/settings.ts'
import { Router } from 'express'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { buildDashboard } from './dashboard.service.ts'
import { measureStorageUsage } from './storage-usage.ts'

export function dashboardRoutes(services: Services): Router {
  const router = Router()
  handle(router, getAdminDashboard, async ({ actor }) => {
    allow(canAdminister(actor))
    return buildDashboard(services)
  })
  handle(router, getStorageUse, async ({ actor }) => {
    allow(canAdminister(actor))
    return measureStorageUsage(services.config)
  })
  return router
}
