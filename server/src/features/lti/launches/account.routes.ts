import { joinAccount } from '@assay/shared/lti.ts'
import { Router } from 'express'
import { allow } from '../../../lib/allow.ts'
import { AppError } from '../../../lib/app-error.ts'
import { handle } from '../../../lib/handle.ts'
import type { Services } from '../../../services.ts'
import { type CheckPassword, refuseUnusable } from '../../auth/check-password.ts'
import { requireUser } from '../../users/user.service.ts'
import { canJoinAccount, joinAccounts, refuseJoining } from './join-account.ts'
import { presentEntered } from './launch.present.ts'
import { requireLaunch } from './launch.service.ts'

export function accountRoutes(services: Services, checkPassword: CheckPassword): Router {
  const router = Router()

  handle(router, joinAccount, async ({ body, actor, address }) => {
    const at = await requireLaunch(actor)
    const user = await requireUser(actor.id)
    allow(canJoinAccount(user))
    const target = await checkPassword(address, body)
    if (!target) throw wrongPassword()
    refuseUnusable(target)
    await refuseJoining(user, target, at)
    return presentEntered(await joinAccounts(user, target, at, actor, services))
  })

  return router
}

/** At its field: the caller's own session goes on. */
function wrongPassword(): AppError {
  const msg = 'Username or password is wrong.'
  return new AppError('validation_failed', msg, {
    details: [{ loc: ['body', 'password'], msg, type: 'wrong_password' }],
  })
}
