import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { changePlatform, createPlatform as createEndpoint } from '@assay/shared/lti/lti-platforms.ts'
import { recordAudit } from '../../../audit/audit.service.ts'
import { isDuplicateKeyError } from '../../../lib/database/database.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import type { Actor } from '../../../lib/http/handle.ts'
import { type Deployment, type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import { identityChangeByAdministrator } from './change-identity-provider.ts'
import { createPlatform } from './platform.service.ts'
import { requireValidAddresses } from './validate-addresses.ts'

type PlatformChanges = BodyOf<typeof changePlatform>

const duplicatePlatformError = (clientId: string) =>
  new AppError('duplicate', `This issuer with the client ID ${clientId} is already registered.`, {
    details: [
      {
        loc: ['body', 'client_id'],
        msg: 'This issuer and client ID are already registered',
        type: 'duplicate',
      },
    ],
  })

/** @throws {AppError} `validation_failed` at an address, `duplicate` */
export async function registerByValues(
  values: BodyOf<typeof createEndpoint>,
  actor: Actor,
  services: Pick<Services, 'config' | 'clock' | 'events'>,
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
    await recordAudit(actor, 'lms.registered', { platform_id: platform._id }, services.clock.now(), {
      after: { ...values },
    })
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
  values: PlatformChanges,
  actor: Actor,
  services: Pick<Services, 'config' | 'clock' | 'events'>,
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
  for (const other of sharing) {
    const { auth_endpoint, jwks_url } = changed
    await auditChange(
      other,
      await updatePlatform(other, { auth_endpoint, jwks_url }, services),
      { auth_endpoint, jwks_url },
      actor,
    )
  }
  return changed
}

async function auditChange(
  platform: LtiPlatformDoc,
  changed: LtiPlatformDoc,
  to: Partial<LtiPlatformDoc>,
  actor: Actor,
) {
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

/** Unless the platform has changed since, deployments apart. @throws {AppError} `conflict`, `duplicate` */
export async function updatePlatform(
  platform: LtiPlatformDoc,
  to: Partial<LtiPlatformDoc>,
  { clock, events }: Pick<Services, 'clock' | 'events'>,
): Promise<LtiPlatformDoc> {
  const unchanged = {
    _id: platform._id,
    updated_at: platform.updated_at,
    status: platform.status,
    kid: platform.kid,
  }
  try {
    const changed = await LtiPlatformModel.findOneAndUpdate(unchanged, {
      $set: { ...to, updated_at: clock.now() },
    }).lean()
    if (changed) {
      events.emit('lti_platforms_changed', {})
      return changed
    }
  } catch (cause) {
    if (isDuplicateKeyError(cause)) throw duplicatePlatformError(to.client_id ?? platform.client_id)
    throw cause
  }
  throw new AppError('conflict')
}
