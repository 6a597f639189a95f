import type { BodyOf } from '@assay/shared/endpoint.ts'
import type { changePlatform, createPlatform as createEndpoint } from '@assay/shared/lti-platforms.ts'
import { AppError } from '../../../lib/app-error.ts'
import { isDuplicateKey } from '../../../lib/db.ts'
import type { Actor } from '../../../lib/handle.ts'
import type { Services } from '../../../services.ts'
import { recordAudit } from '../../admin/audit.service.ts'
import { LtiIdentityModel } from '../launches/identity.model.ts'
import { requireGoodAddresses } from './check-addresses.ts'
import { type Deployment, type LtiPlatformDoc, LtiPlatformModel } from './platform.model.ts'
import { createPlatform } from './platform.service.ts'

type Values = BodyOf<typeof changePlatform>

const takenAt = (clientId: string) =>
  new AppError('duplicate', `This issuer with the client ID ${clientId} is registered already.`, {
    details: [
      {
        loc: ['body', 'client_id'],
        msg: 'This issuer and client ID are registered already',
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
  await requireGoodAddresses(values, services.config)
  const { deployments = [], token_audience = null, ...rest } = values
  try {
    const platform = await createPlatform(
      {
        ...rest,
        token_audience,
        deployments: withIds(deployments, []),
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
    if (isDuplicateKey(cause)) throw takenAt(values.client_id)
    throw cause
  }
}

/** The list an administrator wants, with what is known of those that were in it. */
const withIds = (wanted: string[], known: Deployment[]): Deployment[] =>
  [...new Set(wanted)].map((id) => known.find((one) => one.id === id) ?? { id, first_seen_at: null })

/** @throws {AppError} `validation_failed`, `duplicate`, `conflict` when somebody else changed it meanwhile */
export async function changeValues(
  platform: LtiPlatformDoc,
  values: Values,
  actor: Actor,
  services: Pick<Services, 'config' | 'clock' | 'events'>,
): Promise<LtiPlatformDoc> {
  await requireGoodAddresses(values, services.config)
  if (values.issuer !== undefined) await refuseLosingPeople(platform, values.issuer)
  const { deployments, ...rest } = values
  const to: Partial<LtiPlatformDoc> = {
    ...rest,
    ...(deployments ? { deployments: withIds(deployments, platform.deployments) } : {}),
  }
  const changed = await update(platform, to, services)
  const fields = (Object.keys(to) as (keyof Values)[]).filter(
    (field) => JSON.stringify(platform[field]) !== JSON.stringify(changed[field]),
  )
  if (fields.length > 0) {
    const told = (doc: LtiPlatformDoc) => Object.fromEntries(fields.map((field) => [field, doc[field]]))
    await recordAudit(actor, 'lms.changed', { platform_id: platform._id }, changed.updated_at, {
      before: told(platform),
      after: told(changed),
    })
  }
  return changed
}

/** People are known by issuer and subject: under another issuer everybody would be a stranger to their own work. */
async function refuseLosingPeople(platform: LtiPlatformDoc, issuer: string): Promise<void> {
  if (issuer === platform.issuer) return
  const people = await LtiIdentityModel.countDocuments({ issuer: platform.issuer })
  if (people === 0) return
  const msg = `${people} ${people === 1 ? 'person is' : 'people are'} known to Assay by this issuer. Register the new issuer as another LMS.`
  throw new AppError('validation_failed', undefined, {
    details: [{ loc: ['body', 'issuer'], msg, type: 'in_use' }],
  })
}

/**
 * Writes unless the platform was changed since it was loaded. A launch that adds its deployment is no such change.
 * @throws {AppError} `conflict`, `duplicate`
 */
export async function update(
  platform: LtiPlatformDoc,
  to: Partial<LtiPlatformDoc>,
  { clock, events }: Pick<Services, 'clock' | 'events'>,
): Promise<LtiPlatformDoc> {
  const as_it_was = {
    _id: platform._id,
    updated_at: platform.updated_at,
    status: platform.status,
    kid: platform.kid,
  }
  try {
    const changed = await LtiPlatformModel.findOneAndUpdate(
      as_it_was,
      { $set: { ...to, updated_at: clock.now() } },
      { returnDocument: 'after' },
    ).lean()
    if (changed) {
      events.emit('lti_platforms_changed', {})
      return changed
    }
  } catch (cause) {
    if (isDuplicateKey(cause)) throw takenAt(to.client_id ?? platform.client_id)
    throw cause
  }
  throw new AppError('conflict')
}
