import {
  approvePlatform,
  changePlatform,
  createPlatform,
  deletePlatform,
  getPlatform,
  listDoorLog,
  listPlatforms,
  rotatePlatformKey,
  switchPlatformOff,
  switchPlatformOn,
} from '@assay/shared/lti-platforms.ts'
import { Router } from 'express'
import { allow } from '../../../lib/allow.ts'
import { handle } from '../../../lib/handle.ts'
import type { Services } from '../../../services.ts'
import { canAdminister } from '../../admin/admin.policy.ts'
import { LtiDoorLogModel, newestFirst } from '../door/door-log.model.ts'
import { presentDoorEntry } from '../door/door-log.present.ts'
import { changeValues, registerByValues } from './change-platform.ts'
import { LtiPlatformModel } from './platform.model.ts'
import { presentPlatform, presentPlatforms } from './platform.present.ts'
import { requirePlatform } from './platform.service.ts'
import { approve, deletePlatform as remove, rotateKey, switchOff, switchOn } from './platform-life.ts'

export function platformRoutes(services: Services): Router {
  const router = Router()

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
    return presentPlatform(await changeValues(platform, body, actor, services))
  })

  const decisions = [
    [approvePlatform, approve],
    [switchPlatformOff, switchOff],
    [switchPlatformOn, switchOn],
    [rotatePlatformKey, rotateKey],
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

  handle(router, listDoorLog, async ({ params, query, actor, setTotal }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    const mine = { platform_id: platform._id }
    const [entries, total] = await Promise.all([
      LtiDoorLogModel.find(mine).sort(newestFirst).skip(query.skip).limit(query.limit).lean(),
      LtiDoorLogModel.countDocuments(mine),
    ])
    setTotal(total)
    return entries.map(presentDoorEntry)
  })

  return router
}
