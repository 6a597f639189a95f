import { joinAccount } from '@assay/shared/lti/lti.ts'
import { Router } from 'express'
import { allow } from '../../../lib/http/allow.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { handle } from '../../../lib/http/handle.ts'
import type { Services } from '../../../services.ts'
import { assertAccountUsable, type CheckPassword } from '../../auth/check-password.ts'
import { requireUser } from '../../users/user.service.ts'
import { presentLaunchSession } from '../launches/launch.present.ts'
import { requireLaunch } from '../launches/launch.service.ts'
import { canJoinAccount, joinAccounts, requireJoinable } from './join-account.ts'

export function joinAccountRoutes(services: Services, checkPassword: CheckPassword): Router {
  const router = Router()

  handle(router, joinAccount, async ({ body, actor, address }) => {
    const launch = await requireLaunch(actor)
    const user = await requireUser(actor.id)
    allow(canJoinAccount(user))
    const target = await checkPassword({ address, device: null }, body)
    if (!target) throw wrongPassword()
    assertAccountUsable(target)
    await requireJoinable(user, target, launch)
    return presentLaunchSession(await joinAccounts(user, target, launch, actor, services), services)
  })

  return router
}

/** Not `auth_required`: the caller's session stays valid. */
function wrongPassword(): AppError {
  const msg = 'Incorrect username or password.'
  return new AppError('validation_failed', msg, {
    details: [{ loc: ['body', 'password'], msg, type: 'wrong_password' }],
  })
}
