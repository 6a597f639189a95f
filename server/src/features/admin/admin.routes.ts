import { getAdminDashboard, listAudit, listAuditActions } from '@assay/shared/admin.ts'
import { getStorageUsage } from '@assay/shared/settings.ts'
import type { Router } from 'express'
import { distinctAuditActions, findAuditEntries } from '../../audit/audit.service.ts'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { idsOfAssignmentsHidingNames } from '../assignments/assignment-queries.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { searchUserIds } from '../users/user.service.ts'
import { presentAuditEntries } from './audit.present.ts'
import { buildDashboard, measureStorageUsage } from './dashboard.service.ts'

export function adminRoutes(router: Router, services: Services): void {
  handle(router, getAdminDashboard, async ({ actor }) => {
    allow(canAdminister(actor))
    return buildDashboard(services)
  })

  handle(router, getStorageUsage, async ({ actor }) => {
    allow(canAdminister(actor))
    return measureStorageUsage(services.config)
  })

  handle(router, listAudit, async ({ query, actor, setTotal }) => {
    allow(canAdminister(actor))
    const who = query.person ? await searchUserIds(query.person) : null
    const { entries, total } = await findAuditEntries(query, who, who ? await idsOfAssignmentsHidingNames() : [])
    setTotal(total)
    return presentAuditEntries(entries, services)
  })

  handle(router, listAuditActions, async ({ actor }) => {
    allow(canAdminister(actor))
    return distinctAuditActions()
  })
}
