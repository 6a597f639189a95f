import { getPublicSettings } from '@assay/shared/settings.ts'
import { Router } from 'express'
import { handle } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'

export function settingsRoutes({ config }: Services): Router {
  const router = Router()
  handle(router, getPublicSettings, async () => ({
    support_email: config.supportEmail,
    instructor_registration: config.instructorRegistration,
  }))
  return router
}
