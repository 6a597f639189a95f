import { listAudit, listAuditActions } from '@assay/shared/admin.ts'
import { Router } from 'express'
import { allow } from '../../lib/allow.ts'
import { handle } from '../../lib/handle.ts'
import { canAdminister } from './admin.policy.ts'
import { presentAudit } from './audit.present.ts'
import { findAudit, knownActions } from './audit.service.ts'

export function auditRoutes(): Router {
  const router = Router()

  handle(router, listAudit, async ({ query, actor, setTotal }) => {
    allow(canAdminister(actor))
    const { entries, total } = await findAudit(query)
    setTotal(total)
    return presentAudit(entries)
  })

  handle(router, listAuditActions, async ({ actor }) => {
    allow(canAdminister(actor))
    return knownActions()
  })

  return router
}
