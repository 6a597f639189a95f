import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'

export function findPlatformsOfSameIssuer({ _id, issuer }: Pick<LtiPlatformDoc, '_id' | 'issuer'>) {
  return LtiPlatformModel.find({ issuer, _id: { $ne: _id } })
    .sort({ _id: 1 })
    .lean()
}

/** LMSs with one issuer but separate people may be a mistake, or an attack. */
export async function logSharedIssuers({ log }: Pick<Services, 'log'>): Promise<void> {
  const platforms = await LtiPlatformModel.find().sort({ _id: 1 }).lean()
  for (const [issuer, sharing] of Map.groupBy(platforms, (one) => one.issuer)) {
    if (new Set(sharing.map(({ identity_issuer }) => identity_issuer)).size === 1) continue
    const named = sharing.map(({ _id, name, client_id, jwks_url }) => ({ id: _id, name, client_id, jwks_url }))
    log.warn(
      { issuer, platforms: named },
      'LMSs with one issuer but other addresses or keys: their people are kept apart',
    )
  }
}

/** A second tool of one LMS registers itself under the same name. */
export async function findFreePlatformName(wanted: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted.slice(0, 110)} (${n})`
    if (!(await LtiPlatformModel.exists({ name }))) return name
  }
}
