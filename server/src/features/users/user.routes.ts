import { approveUser } from '@assay/shared/users.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { handle } from '../../lib/handle.ts'
import type { Services } from '../../services.ts'
import { recordAudit } from '../admin/audit.service.ts'
import { approve, presentUser, requireUser } from './user.service.ts'

export function userRoutes({ clock }: Services): Router {
  const router = Router()
  handle(router, approveUser, async ({ params, actor }) => {
    allow(actor.role === 'admin' ? 'yes' : 'forbidden')
    const user = await requireUser(params.userId)
    const approved = await approve(user, clock.now())
    await recordAudit(actor, 'user.approved', { user_id: user._id }, clock.now())
    return presentUser(approved)
  })
  return router
}
