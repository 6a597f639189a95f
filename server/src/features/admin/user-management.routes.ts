import {
  approveUser,
  changeUserRole,
  createManagedUser,
  deactivateUser,
  listUsers,
  reactivateUser,
  sendUserLink,
} from '@assay/shared/admin.ts'
import { Router } from 'express'
import { allow } from '../../lib/http/allow.ts'
import { handle } from '../../lib/http/handle.ts'
import type { Services } from '../../services.ts'
import { canAdminister } from '../users/admin.policy.ts'
import { listUserPage, requireUser } from '../users/user.service.ts'
import {
  approveAccount,
  changeRole,
  createManagedAccount,
  deactivateAccount,
  presentManagedUser,
  presentManagedUsers,
  reactivateAccount,
  sendAccountLink,
} from './user-management.service.ts'

export function userManagementRoutes(services: Services): Router {
  const router = Router()

  handle(router, listUsers, async ({ query, actor, setTotal }) => {
    allow(canAdminister(actor))
    const { users, total } = await listUserPage(query)
    setTotal(total)
    return presentManagedUsers(users)
  })

  handle(router, createManagedUser, async ({ body, actor }) => {
    allow(canAdminister(actor))
    const { user, password } = await createManagedAccount(body, actor, services)
    return { user: await presentManagedUser(user), password }
  })

  handle(router, changeUserRole, async ({ params, body, actor }) => {
    allow(canAdminister(actor))
    const user = await requireUser(params.userId)
    return presentManagedUser(await changeRole(user, body.role, actor, services))
  })

  const decisions = [
    [approveUser, approveAccount],
    [deactivateUser, deactivateAccount],
    [reactivateUser, reactivateAccount],
  ] as const
  for (const [endpoint, decide] of decisions) {
    handle(router, endpoint, async ({ params, actor }) => {
      allow(canAdminister(actor))
      const user = await requireUser(params.userId)
      return presentManagedUser(await decide(user, actor, services))
    })
  }

  handle(router, sendUserLink, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const user = await requireUser(params.userId)
    return { message: await sendAccountLink(user, actor, services) }
  })

  return router
}
