import { AppError } from '../../../lib/app-error.ts'
import type { Actor } from '../../../lib/handle.ts'
import type { Services } from '../../../services.ts'
import { recordAudit } from '../../admin/audit.service.ts'
import { LtiDoorLogModel } from '../door/door-log.model.ts'
import { LtiContextModel } from '../launches/context.model.ts'
import { LtiIdentityModel } from '../launches/identity.model.ts'
import { LtiLaunchModel } from '../launches/launch.model.ts'
import { endSessionsOfPlatform } from '../launches/launch.service.ts'
import { LtiLinkModel } from '../launches/link.model.ts'
import { update } from './change-platform.ts'
import { LtiKeyModel } from './key.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from './platform.model.ts'
import { makeKey, retireKey } from './platform-keys.ts'
import { SelfTestModel } from './self-test/self-test.model.ts'

type Needs = Pick<Services, 'clock' | 'config' | 'events'>

/** Lets a waiting platform in, and takes over what it registered anew. */
export async function approve(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: Needs,
): Promise<LtiPlatformDoc> {
  const { proposed } = platform
  if (platform.status !== 'pending' && !proposed) return platform
  const values = proposed ? takeOver(platform, proposed) : {}
  const status = platform.status === 'pending' ? 'active' : platform.status
  const approved = await update(platform, { ...values, status, approved_by: actor.id }, services)
  await recordAudit(actor, 'lms.approved', { platform_id: platform._id }, approved.updated_at, {
    before: { status: platform.status },
    after: { status, issuer: approved.issuer, client_id: approved.client_id },
  })
  return approved
}

function takeOver(
  platform: LtiPlatformDoc,
  { at, deployments, ...values }: NonNullable<LtiPlatformDoc['proposed']>,
): Partial<LtiPlatformDoc> {
  const known = new Set(platform.deployments.map(({ id }) => id))
  const more = deployments.filter((id) => !known.has(id)).map((id) => ({ id, first_seen_at: null }))
  return { ...values, deployments: [...platform.deployments, ...more], proposed: null }
}

/** Its launches' sessions end at once. */
export async function switchOff(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: Needs,
): Promise<LtiPlatformDoc> {
  if (platform.status === 'off') return platform
  const off = await update(platform, { status: 'off' }, services)
  await endSessionsOfPlatform(platform._id, services)
  await recordAudit(actor, 'lms.switched_off', { platform_id: platform._id }, off.updated_at)
  return off
}

/** One that nobody has approved yet waits again. */
export async function switchOn(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: Needs,
): Promise<LtiPlatformDoc> {
  if (platform.status !== 'off') return platform
  const status = platform.approved_by === null ? 'pending' : 'active'
  const on = await update(platform, { status }, services)
  await recordAudit(actor, 'lms.switched_on', { platform_id: platform._id }, on.updated_at)
  return on
}

/** The new key is in use at once; what the old one signed can be checked for a week yet. */
export async function rotateKey(
  platform: LtiPlatformDoc,
  actor: Actor,
  services: Needs,
): Promise<LtiPlatformDoc> {
  const now = services.clock.now()
  const kid = await makeKey(platform._id, services.config.secretKey, now)
  try {
    const rotated = await update(platform, { kid }, services)
    await retireKey(platform.kid, now)
    const change = { before: { kid: platform.kid }, after: { kid } }
    await recordAudit(actor, 'lms.key_rotated', { platform_id: platform._id }, now, change)
    return rotated
  } catch (cause) {
    await LtiKeyModel.deleteOne({ _id: kid })
    throw cause
  }
}

const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/**
 * Deletes a platform that nothing hangs on.
 * @throws {AppError} `conflict`, saying what does
 */
export async function deletePlatform(platform: LtiPlatformDoc, actor: Actor, services: Needs): Promise<void> {
  const mine = { platform_id: platform._id }
  const [contexts, links, siblings, people] = await Promise.all([
    LtiContextModel.countDocuments(mine),
    LtiLinkModel.countDocuments(mine),
    LtiPlatformModel.countDocuments({ issuer: platform.issuer, _id: { $ne: platform._id } }),
    LtiIdentityModel.countDocuments({ issuer: platform.issuer }),
  ])
  const hanging = [
    ...counted(contexts, 'course', 'courses'),
    ...counted(links, 'link', 'links'),
    ...(siblings === 0 ? counted(people, 'person', 'people') : []),
  ]
  if (hanging.length > 0) {
    const what = new Intl.ListFormat('en').format(hanging)
    throw new AppError('conflict', `${what} came from ${platform.name}. Switch it off instead.`)
  }
  await update(platform, { status: 'off' }, services)
  await endSessionsOfPlatform(platform._id, services)
  await Promise.all([
    LtiKeyModel.deleteMany(mine),
    LtiLaunchModel.deleteMany(mine),
    LtiDoorLogModel.deleteMany(mine),
    SelfTestModel.deleteMany(mine),
  ])
  await LtiPlatformModel.deleteOne({ _id: platform._id })
  const { name, issuer, client_id } = platform
  const change = { before: { name, issuer, client_id } }
  await recordAudit(actor, 'lms.deleted', { platform_id: platform._id }, services.clock.now(), change)
}
