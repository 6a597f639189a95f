import { recordAudit } from '../../../audit/audit.service.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { LtiLaunchLogModel } from '../../../records/lti/launch-log.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../records/lti/platform-key.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { SelfTestModel } from '../../../records/lti/self-test.model.ts'
import type { Services } from '../../../services.ts'
import { endSessionsOfPlatform } from '../launches/launch.service.ts'
import { identityChangeByProposal } from './change-identity-provider.ts'
import { createPlatformKey, retirePlatformKey } from './platform-keys.ts'
import { updatePlatform } from './update-platform.ts'

type LifecycleServices = Pick<Services, 'clock' | 'config' | 'events'>

/** Also applies the values of a later registration. */
export async function approveRegistration(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: LifecycleServices,
): Promise<LtiPlatformDoc> {
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

export async function disablePlatform(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: LifecycleServices,
): Promise<LtiPlatformDoc> {
  if (platform.status === 'off') return platform
  const off = await updatePlatform(platform, { status: 'off' }, services)
  await endSessionsOfPlatform(platform._id, services)
  await recordAudit(actor, 'lms.switched_off', { platform_id: platform._id }, off.updated_at)
  return off
}

/** One that was never approved becomes pending again. */
export async function enablePlatform(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: LifecycleServices,
): Promise<LtiPlatformDoc> {
  if (platform.status !== 'off') return platform
  const status = platform.approved_by === null ? 'pending' : 'active'
  const on = await updatePlatform(platform, { status }, services)
  await recordAudit(actor, 'lms.switched_on', { platform_id: platform._id }, on.updated_at)
  return on
}

/** The new key is used immediately; what the old one signed can be verified for another week. */
export async function rotateSigningKey(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: LifecycleServices,
): Promise<LtiPlatformDoc> {
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
export async function deletePlatformIfUnused(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: LifecycleServices,
): Promise<void> {
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
