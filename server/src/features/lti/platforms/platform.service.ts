import { nextId } from '../../../lib/database/database.ts'
import { notFound } from '../../../lib/http/app-error.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { findOrCreateIdentityIssuer, separateIfProviderChanged } from './identity-issuer.ts'
import { createPlatformKey } from './platform-keys.ts'

type Provider = 'issuer' | 'client_id' | 'auth_endpoint' | 'token_endpoint' | 'token_audience' | 'jwks_url'
export type NewPlatform = Pick<LtiPlatformDoc, 'name' | 'lms' | 'status' | Provider> & Partial<LtiPlatformDoc>

/** The unique index rejects a duplicate. */
export async function createPlatform(
  platform: NewPlatform,
  { config, clock, events }: Pick<Services, 'config' | 'clock' | 'events'>,
): Promise<LtiPlatformDoc> {
  const now = clock.now()
  const _id = await nextId('lti_platforms')
  const doc: LtiPlatformDoc = {
    registered_by: 'values',
    origins: [],
    deployments: [],
    deployments_fixed: false,
    scopes: null,
    registration: null,
    proposed: null,
    created_by: null,
    approved_by: null,
    ...platform,
    _id,
    identity_issuer: await findOrCreateIdentityIssuer(platform, _id),
    kid: await createPlatformKey(_id, config.secretKey, now),
    created_at: now,
    updated_at: now,
  }
  await LtiPlatformModel.create(doc)
  events.emit('lti_platforms_changed', {})
  return separateIfProviderChanged(doc)
}

export async function requirePlatform(id: number): Promise<LtiPlatformDoc> {
  const platform = await LtiPlatformModel.findById(id).lean()
  if (!platform) throw notFound('This LMS does not exist.')
  return platform
}

/** Without a client id, the issuer's only client or only active one, so that another registration locks nobody out. */
export async function findPlatform(issuer: string, clientId: string | null): Promise<LtiPlatformDoc | null> {
  if (clientId !== null) return LtiPlatformModel.findOne({ issuer, client_id: clientId }).lean()
  const all = await LtiPlatformModel.find({ issuer }).lean()
  const active = all.filter(({ status }) => status === 'active')
  const [only, ...others] = active.length > 0 ? active : all
  return only && others.length === 0 ? only : null
}

/** Of its issuer, its authentication URL, and those an administrator or a launch named. */
export function platformOrigins(platform: Pick<LtiPlatformDoc, 'issuer' | 'auth_endpoint' | 'origins'>): string[] {
  const named = [platform.issuer, platform.auth_endpoint].flatMap((url) => URL.parse(url)?.origin ?? [])
  return [...new Set([...named, ...platform.origins])].filter((origin) => origin !== 'null')
}

export async function platformNamesById(ids: number[]): Promise<Map<number, string>> {
  const found = await LtiPlatformModel.find({ _id: { $in: ids } }, { name: 1 })
    .sort({ _id: 1 })
    .lean()
  return new Map(found.map(({ _id, name }) => [_id, name]))
}

export async function platformsById(ids: number[]): Promise<Map<number, LtiPlatformDoc>> {
  const found = await LtiPlatformModel.find({ _id: { $in: ids } }).lean()
  return new Map(found.map((platform) => [platform._id, platform]))
}

export async function countPlatforms(): Promise<{ total: number; waiting: number }> {
  const [total, waiting] = await Promise.all([
    LtiPlatformModel.countDocuments({}),
    LtiPlatformModel.countDocuments({ $or: [{ status: 'pending' }, { proposed: { $ne: null } }] }),
  ])
  return { total, waiting }
}
