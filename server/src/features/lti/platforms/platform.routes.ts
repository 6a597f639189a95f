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
import { getSelfTest, startSelfTest } from '@assay/shared/lti/lti-self-test.ts'
import type { Router } from 'express'
import { recordAudit } from '../../../audit/audit.service.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../../lib/http/handle.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { LtiLaunchLogModel, newestFirst } from '../../../records/lti/launch-log.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../records/lti/platform-key.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { SelfTestModel } from '../../../records/lti/self-test.model.ts'
import type { Services } from '../../../services.ts'
import { canAdminister } from '../../users/admin.policy.ts'
import { endSessionsOfPlatform } from '../launches/launch.service.ts'
import { identityChangeByProposal } from './change-identity-provider.ts'
import {
  changePlatformValues,
  type PlatformServices,
  presentLaunchLogEntry,
  presentPlatform,
  registerByValues,
  requirePlatform,
  updatePlatform,
} from './platform.service.ts'
import { createPlatformKey, retirePlatformKey } from './platform-keys.ts'
import { beginSelfTest, presentSelfTest } from './self-test/self-test.ts'

export function platformRoutes(router: Router, services: Services): void {
  handle(router, listPlatforms, async ({ actor }) => {
    allow(canAdminister(actor))
    return Promise.all((await LtiPlatformModel.find().sort({ _id: 1 }).lean()).map(presentPlatform))
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
    await deletePlatformIfUnused(platform, actor, services)
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

async function approveRegistration(platform: LtiPlatformDoc, actor: Actor, services: PlatformServices) {
  const { proposed } = platform
  if (platform.status !== 'pending' && !proposed) return platform
  const proposals = proposed ? proposedChanges(platform, proposed) : {}
  const values = { ...proposals, ...(await identityChangeByProposal(platform, proposals)) }
  const status = platform.status === 'pending' ? 'active' : platform.status
  const approved = await updatePlatform(platform, { ...values, status, approved_by: actor.id }, services)
  await recordAudit(actor, 'lms.approved', { platform_id: platform._id }, approved.updated_at, {
    before: { status: platform.status },
    after: { status, issuer: approved.issuer, client_id: approved.client_id },
  })
  return approved
}

function proposedChanges(
  platform: LtiPlatformDoc,
  { at, deployments, ...values }: NonNullable<LtiPlatformDoc['proposed']>,
): Partial<LtiPlatformDoc> {
  const known = new Set(platform.deployments.map(({ id }) => id))
  const more = deployments.filter((id) => !known.has(id)).map((id) => ({ id, first_seen_at: null }))
  return { ...values, deployments: [...platform.deployments, ...more], proposed: null }
}

async function disablePlatform(platform: LtiPlatformDoc, actor: Actor, services: PlatformServices) {
  if (platform.status === 'off') return platform
  const off = await updatePlatform(platform, { status: 'off' }, services)
  await endSessionsOfPlatform(platform._id, services)
  await recordAudit(actor, 'lms.switched_off', { platform_id: platform._id }, off.updated_at)
  return off
}

/** One never approved becomes pending again. */
async function enablePlatform(platform: LtiPlatformDoc, actor: Actor, services: PlatformServices) {
  if (platform.status !== 'off') return platform
  const status = platform.approved_by === null ? 'pending' : 'active'
  const on = await updatePlatform(platform, { status }, services)
  await recordAudit(actor, 'lms.switched_on', { platform_id: platform._id }, on.updated_at)
  return on
}

export async function rotateSigningKey(platform: LtiPlatformDoc, actor: Actor, services: PlatformServices) {
  const now = services.clock.now()
  const kid = await createPlatformKey(platform._id, services.config.secretKey, now)
  try {
    const rotated = await updatePlatform(platform, { kid }, services)
    await retirePlatformKey(platform.kid, now)
    const change = { before: { kid: platform.kid }, after: { kid } }
    await recordAudit(actor, 'lms.key_rotated', { platform_id: platform._id }, now, change)
    return rotated
  } catch (cause) {
    await LtiPlatformKeyModel.deleteOne({ _id: kid })
    throw cause
  }
}

const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** @throws {AppError} `conflict`, naming what refers to it */
async function deletePlatformIfUnused(platform: LtiPlatformDoc, actor: Actor, services: PlatformServices) {
  const ofPlatform = { platform_id: platform._id }
  const [contexts, links, siblings, people] = await Promise.all([
    LtiContextModel.countDocuments(ofPlatform),
    LtiResourceLinkModel.countDocuments(ofPlatform),
    LtiPlatformModel.countDocuments({ identity_issuer: platform.identity_issuer, _id: { $ne: platform._id } }),
    LtiIdentityModel.countDocuments({ issuer: platform.identity_issuer }),
  ])
  const references = [
    ...counted(contexts, 'course', 'courses'),
    ...counted(links, 'link', 'links'),
    ...(siblings === 0 ? counted(people, 'person', 'people') : []),
  ]
  if (references.length > 0) {
    const what = new Intl.ListFormat('en').format(references)
    throw new AppError('conflict', `${what} came from ${platform.name}. Deactivate it instead.`)
  }
  await updatePlatform(platform, { status: 'off' }, services)
  await endSessionsOfPlatform(platform._id, services)
  await Promise.all([
    LtiPlatformKeyModel.deleteMany(ofPlatform),
    LtiLaunchModel.deleteMany(ofPlatform),
    LtiLaunchLogModel.deleteMany(ofPlatform),
    SelfTestModel.deleteMany(ofPlatform),
  ])
  await LtiPlatformModel.deleteOne({ _id: platform._id })
  const { name, issuer, client_id } = platform
  const change = { before: { name, issuer, client_id } }
  await recordAudit(actor, 'lms.deleted', { platform_id: platform._id }, services.clock.now(), change)
}

export function selfTestRoutes(router: Router, services: Services): void {
  handle(router, startSelfTest, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    return presentSelfTest(await beginSelfTest(platform, services))
  })

  handle(router, getSelfTest, async ({ params, actor }) => {
    allow(canAdminister(actor))
    const platform = await requirePlatform(params.platformId)
    const test = await SelfTestModel.findOne({ platform_id: platform._id }).sort({ _id: -1 }).lean()
    return { self_test: test && presentSelfTest(test) }
  })
}
