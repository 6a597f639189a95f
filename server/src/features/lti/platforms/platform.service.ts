import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type {
  changePlatform,
  createPlatform as createEndpoint,
  LaunchLogEntry,
  Platform,
} from '@assay/shared/lti/lti-platforms.ts'
import { recordAudit } from '../../../audit/audit.service.ts'
import { isDuplicateKeyError, nextId } from '../../../lib/database/database.ts'
import { AppError, orNotFound } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { type LtiLaunchLogDoc, LtiLaunchLogModel, newestFirst } from '../../../records/lti/launch-log.model.ts'
import { type Deployment, type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../records/lti/platform-key.model.ts'
import type { Services } from '../../../services.ts'
import { requireValidAddresses } from '../platform-client/platform-request.ts'
import { explainRefusal } from '../refusals.ts'
import {
  findOrCreateIdentityIssuer,
  findPlatformsOfSameIssuer,
  identityChangeByAdministrator,
  separateIfProviderChanged,
} from './change-identity-provider.ts'
import { createPlatformKey } from './platform-keys.ts'

type Provider = 'issuer' | 'client_id' | 'auth_endpoint' | 'token_endpoint' | 'token_audience' | 'jwks_url'
export type NewPlatform = Pick<LtiPlatformDoc, 'name' | 'lms' | 'status' | Provider> & Partial<LtiPlatformDoc>

export type PlatformServices = Pick<Services, 'config' | 'clock' | 'events'>

export async function createPlatform(platform: NewPlatform, { config, clock, events }: PlatformServices) {
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

export const requirePlatform = (id: number): Promise<LtiPlatformDoc> =>
  orNotFound(LtiPlatformModel.findById(id).lean(), 'This LMS does not exist.')

/** Without a client id the issuer's only or only active client, so that another registration locks nobody out. */
export async function findPlatform(issuer: string, clientId: string | null): Promise<LtiPlatformDoc | null> {
  if (clientId !== null) return LtiPlatformModel.findOne({ issuer, client_id: clientId }).lean()
  const all = await LtiPlatformModel.find({ issuer }).lean()
  const active = all.filter(({ status }) => status === 'active')
  const [only, ...others] = active.length > 0 ? active : all
  return only && others.length === 0 ? only : null
}

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

const duplicatePlatformError = (clientId: string) =>
  new AppError('duplicate', `This issuer with the client ID ${clientId} is already registered.`, {
    details: [
      { loc: ['body', 'client_id'], msg: 'This issuer and client ID are already registered', type: 'duplicate' },
    ],
  })

/** @throws {AppError} `validation_failed` at an address, `duplicate` */
export async function registerByValues(
  values: BodyOf<typeof createEndpoint>,
  actor: Actor,
  services: PlatformServices,
): Promise<LtiPlatformDoc> {
  await requireValidAddresses(values, services.config)
  const { deployments = [], token_audience = null, ...rest } = values
  try {
    const platform = await createPlatform(
      {
        ...rest,
        token_audience,
        deployments: mergeDeployments(deployments, []),
        status: 'active',
        created_by: actor.id,
        approved_by: actor.id,
      },
      services,
    )
    const subject = { platform_id: platform._id }
    await recordAudit(actor, 'lms.registered', subject, services.clock.now(), { after: { ...values } })
    return platform
  } catch (cause) {
    if (isDuplicateKeyError(cause)) throw duplicatePlatformError(values.client_id)
    throw cause
  }
}

const mergeDeployments = (wanted: string[], known: Deployment[]): Deployment[] =>
  [...new Set(wanted)].map((id) => known.find((one) => one.id === id) ?? { id, first_seen_at: null })

/** @throws {AppError} `validation_failed`, `duplicate`, `conflict` when somebody else has changed it */
export async function changePlatformValues(
  platform: LtiPlatformDoc,
  values: BodyOf<typeof changePlatform>,
  actor: Actor,
  services: PlatformServices,
): Promise<LtiPlatformDoc> {
  await requireValidAddresses(values, services.config)
  const { deployments, ...rest } = values
  const to: Partial<LtiPlatformDoc> = {
    ...rest,
    ...(deployments ? { deployments: mergeDeployments(deployments, platform.deployments) } : {}),
  }
  const { identity_issuer, sharing } = await identityChangeByAdministrator(platform, to)
  const changed = await updatePlatform(platform, { ...to, identity_issuer }, services)
  await auditChange(platform, changed, to, actor)
  const { auth_endpoint, jwks_url } = changed
  const addresses = { auth_endpoint, jwks_url }
  for (const other of sharing)
    await auditChange(other, await updatePlatform(other, addresses, services), addresses, actor)
  return changed
}

/** Of the fields of `to`. */
async function auditChange(platform: LtiPlatformDoc, changed: LtiPlatformDoc, to: object, actor: Actor) {
  const fields = (Object.keys(to) as (keyof LtiPlatformDoc)[]).filter(
    (field) => JSON.stringify(platform[field]) !== JSON.stringify(changed[field]),
  )
  if (fields.length > 0) {
    const changes = (doc: LtiPlatformDoc) => Object.fromEntries(fields.map((field) => [field, doc[field]]))
    await recordAudit(actor, 'lms.changed', { platform_id: platform._id }, changed.updated_at, {
      before: changes(platform),
      after: changes(changed),
    })
  }
}

/** Deployments may have changed meanwhile. @throws {AppError} `conflict`, `duplicate` */
export async function updatePlatform(
  platform: LtiPlatformDoc,
  to: Partial<LtiPlatformDoc>,
  services: PlatformServices,
) {
  const { _id, updated_at, status, kid } = platform
  const $set = { ...to, updated_at: services.clock.now() }
  try {
    const changed = await LtiPlatformModel.findOneAndUpdate({ _id, updated_at, status, kid }, { $set }).lean()
    if (changed) {
      services.events.emit('lti_platforms_changed', {})
      return changed
    }
  } catch (cause) {
    if (isDuplicateKeyError(cause)) throw duplicatePlatformError(to.client_id ?? platform.client_id)
    throw cause
  }
  throw new AppError('conflict')
}

/** Without keys, tokens, or the registration URL. */
export async function presentPlatform(platform: LtiPlatformDoc): Promise<Platform> {
  const [keys, last, sameIssuer] = await Promise.all([
    LtiPlatformKeyModel.find({ platform_id: platform._id }, { private_key: 0, public_key: 0 })
      .sort({ created_at: -1 })
      .lean(),
    LtiLaunchLogModel.findOne({ platform_id: platform._id, step: 'launch' }).sort(newestFirst).lean(),
    findPlatformsOfSameIssuer(platform),
  ])
  const current = keys.find((key) => key._id === platform.kid)
  const { _id, kid, registration, proposed, created_by, approved_by, identity_issuer, last_login_at, ...values } =
    platform
  return {
    ...values,
    id: _id,
    deployments: platform.deployments.map(({ id, first_seen_at }) => ({
      id,
      first_seen_at: first_seen_at?.toISOString() ?? null,
    })),
    can_update_registration: registration !== null,
    proposed: proposed && presentProposal(proposed),
    same_issuer: sameIssuer.map((other) => ({
      id: other._id,
      name: other.name,
      client_id: other.client_id,
      same_people: other.identity_issuer === identity_issuer,
    })),
    key: { kid, created_at: (current?.created_at ?? platform.created_at).toISOString() },
    earlier_keys: keys.flatMap(({ _id: kid, created_at, gone_at }) =>
      gone_at ? [{ kid, created_at: created_at.toISOString(), gone_at: gone_at.toISOString() }] : [],
    ),
    last_launch: last && presentLaunchLogEntry(last),
    created_at: platform.created_at.toISOString(),
    updated_at: platform.updated_at.toISOString(),
  }
}

function presentProposal({ registration, scopes, at, ...values }: NonNullable<LtiPlatformDoc['proposed']>) {
  return { ...values, at: at.toISOString() }
}

export function presentLaunchLogEntry(entry: LtiLaunchLogDoc): LaunchLogEntry {
  const { _id, at, clock_offset, scopes, platform_id, ...rest } = entry
  const { message = null, fix = null } = explainRefusal(entry.code) ?? {}
  return { ...rest, id: String(_id), at: at.toISOString(), message, fix }
}
