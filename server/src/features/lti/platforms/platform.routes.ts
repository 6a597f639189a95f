import {
  approvePlatform,
  changePlatform,
  createPlatform,
  deactivatePlatform,
  deletePlatform,
  getPlatform,
  listLaunchLog,
  listPlatforms,
  reactivatePlatform,
  rotatePlatformKey,
} from '@assay/shared/lti/lti-platforms.ts'
import type { Router } from 'express'
import { allow } from '../../../lib/http/allow.ts'
import { handle } from '../../../lib/http/handle.ts'
import { LtiLaunchLogModel, newestFirst } from '../../../records/lti/launch-log.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { canAdminister } from '../../users/admin.policy.ts'
import { presentLaunchLogEntry } from '../launch-endpoints/launch-log.present.ts'
import { presentPlatform, presentPlatforms } from './platform.present.ts'
import { requirePlatform } from './platform.service.ts'
import {
  approveRegistration,
  disablePlatform,
  enablePlatform,
  deletePlatformIfUnused as remove,
  rotateSigningKey,
} from './platform-lifecycle.ts'
import { changePlatformValues, registerByValues } from './update-platform.ts'

export function platformRoutes(router: Router, services: Services): void {
  handle(router, listPlatforms, async ({ actor }) => {
    allow(canAdminister(actor))
    return presentPlatforms(await LtiPlatformModel.find().sort({ _id: 1 }).lean())
  })

  handle(router, createPlatform, async ({ body, actor }) => {
    allow(canAdminister(actor))
    return presentPlatform(await registerByValues(body, actor, services))
  })

  handle(router, getPlatform, async ({ params, actor }) => {
    allow(canAdminister(actor))
    return presentPlatform(await requirePlatform(params.platformId))
  })

  handle(router, changePlatform, async ({ params, body, actor }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    return presentPlatform(await changePlatformValues(platform, body, actor, services))
  })

  const decisions = [
    [approvePlatform, approveRegistration],
    [deactivatePlatform, disablePlatform],
    [reactivatePlatform, enablePlatform],
    [rotatePlatformKey, rotateSigningKey],
  ] as const
  for (const [endpoint, decide] of decisions) {
    handle(router, endpoint, async ({ params, actor }) => {
      allow(canAdminister(actor))
      const platform = await requirePlatform(params.platformId)
      return presentPlatform(await decide(platform, actor, services))
    })
  }

  handle(router, deletePlatform, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    await remove(platform, actor, services)
    return { message: `${platform.name} has been deleted.` }
  })

  handle(router, listLaunchLog, async ({ params, query, actor, setTotal }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    const mine = { platform_id: platform._id }
    const [entries, total] = await Promise.all([
      LtiLaunchLogModel.find(mine).sort(newestFirst).skip(query.skip).limit(query.limit).lean(),
      LtiLaunchLogModel.countDocuments(mine),
    ])
    setTotal(total)
    return entries.map(presentLaunchLogEntry)
  })
}
