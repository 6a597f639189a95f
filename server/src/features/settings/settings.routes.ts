import { changeSystemSettings, getPublicSettings, getSystemSettings, sendTestMail } from '@assay/shared/settings.ts'
import { Router } from 'express'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canUseTestPages } from '../test-pages/test-page.policy.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { requireUser } from '../users/user.service.ts'
import { changeSettings } from './change-settings.ts'
import { presentSettings } from './settings.present.ts'
import { deliverTestMail } from './test-mail.ts'

/** What follows from a change; the app passes it in. */
interface SettingsHooks {
  /** The school has another rule for how long student work is kept. */
  retentionChanged(): Promise<void>
}

export function settingsRoutes(services: Services, hooks: SettingsHooks): Router {
  const { settings } = services
  const router = Router()

  handle(router, getPublicSettings, async ({ bearer }) => {
    const { support_email, instructor_registration } = await settings.current()
    const test_pages = (await canUseTestPages(bearer, services)) === 'yes'
    return { support_email, instructor_registration, test_pages }
  })

  handle(router, getSystemSettings, async ({ actor }) => {
    allow(canAdminister(actor))
    return presentSettings(await settings.resolved(), services)
  })

  handle(router, changeSystemSettings, async ({ body, actor }) => {
    allow(canAdminister(actor))
    const changed = await changeSettings(body, actor, services)
    if (body.retention_months !== undefined) await hooks.retentionChanged()
    return presentSettings(changed, services)
  })

  handle(router, sendTestMail, async ({ actor }) => {
    allow(canAdminister(actor))
    return deliverTestMail(await requireUser(actor.id), services)
  })

  return router
}
