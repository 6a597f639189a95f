import { listAudit, listAuditActions } from '@assay/shared/admin.ts'
import { Router } from 'express'
import { distinctAuditActions, findAuditEntries } from '../../audit/audit.service.ts'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { searchUserIds } from '../users/user.service.ts'
import { presentAuditEntries } from './audit.present.ts'

export function auditRoutes(): Router {
  const router = Router()

  handle(router, listAudit, async ({ query, actor, setTotal }) => {
    allow(canAdminister(actor))
    const who = query.person ? await searchUserIds(query.person) : null
    const { entries, total } = await findAuditEntries(query, who)
    setTotal(total)
    return presentAuditEntries(entries)
  })

  handle(router, listAuditActions, async ({ actor }) => {
    allow(canAdminister(actor))
    return distinctAuditActions()
  })

  return router
}
