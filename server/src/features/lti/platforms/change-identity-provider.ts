import { nextId } from '../../../lib/database/database.ts'
import { AppError, invalidField } from '../../../lib/http/app-error.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'

/** All three: every Canvas signs the same issuer, and anybody can claim one (docs/decisions/0017). */
type IdentityProvider = Pick<LtiPlatformDoc, 'issuer' | 'auth_endpoint' | 'jwks_url'>

const isSameProvider = (one: IdentityProvider, other: IdentityProvider): boolean =>
  one.issuer === other.issuer && one.auth_endpoint === other.auth_endpoint && one.jwks_url === other.jwks_url

/** Shared with the LMS's other tools, else an issuer with a number, which no real one has. */
export async function findOrCreateIdentityIssuer(
  { issuer, auth_endpoint, jwks_url }: IdentityProvider,
  platformId: number,
): Promise<string> {
  const [sameLms] = await findOthers({ _id: platformId }, { issuer, auth_endpoint, jwks_url })
  return sameLms?.identity_issuer ?? newIdentityIssuer(issuer)
}

const newIdentityIssuer = async (issuer: string) => `${issuer} ${await nextId('lti_identity_issuers')}`

/** The other tool of its LMS may have got other keys meanwhile. */
export async function separateIfProviderChanged(platform: LtiPlatformDoc): Promise<LtiPlatformDoc> {
  const sharing = await findPlatformsOfSamePeople(platform)
  if (sharing.every((other) => isSameProvider(platform, other))) return platform
  const identity_issuer = await newIdentityIssuer(platform.issuer)
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { identity_issuer } })
  return { ...platform, identity_issuer }
}

const findOthers = ({ _id }: Pick<LtiPlatformDoc, '_id'>, same: Partial<LtiPlatformDoc>): Promise<LtiPlatformDoc[]> =>
  LtiPlatformModel.find({ ...same, _id: { $ne: _id } })
    .sort({ _id: 1 })
    .lean()

const findPlatformsOfSamePeople = (platform: LtiPlatformDoc) =>
  findOthers(platform, { identity_issuer: platform.identity_issuer })

export const findPlatformsOfSameIssuer = (platform: LtiPlatformDoc) => findOthers(platform, { issuer: platform.issuer })

/** Separate people under one issuer may be a mistake, or an attack. */
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

/** A second tool of one LMS registers under the same name. */
export async function findFreePlatformName(wanted: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted.slice(0, 110)} (${n})`
    if (!(await LtiPlatformModel.exists({ name }))) return name
  }
}

const wasNeverActive = ({ status, approved_by }: LtiPlatformDoc) => status !== 'active' && approved_by === null

const countPeople = ({ identity_issuer }: LtiPlatformDoc) =>
  LtiIdentityModel.countDocuments({ issuer: identity_issuer })

/**
 * New keys keep the people. `sharing`: tools that take the new addresses too, as they have the same people.
 * @throws {AppError} `validation_failed` for another issuer, once people are known
 */
export async function identityChangeByAdministrator(platform: LtiPlatformDoc, to: Partial<LtiPlatformDoc>) {
  const after = { ...platform, ...to }
  if (isSameProvider(platform, after)) return { identity_issuer: platform.identity_issuer, sharing: [] }
  const people = wasNeverActive(platform) ? 0 : await countPeople(platform)
  if (after.issuer !== platform.issuer && people > 0) throw issuerInUseError(people)
  if (people === 0) return { identity_issuer: await findOrCreateIdentityIssuer(after, platform._id), sharing: [] }
  return { identity_issuer: platform.identity_issuer, sharing: await findPlatformsOfSamePeople(platform) }
}

/**
 * An LMS's own values never change another tool's, or the sender would get its people.
 * @throws {AppError} `conflict` where another tool of this LMS has the same people and other keys
 */
export async function identityChangeByProposal(platform: LtiPlatformDoc, to: Partial<LtiPlatformDoc>) {
  const after = { ...platform, ...to }
  if (isSameProvider(platform, after)) return {}
  if (wasNeverActive(platform) || (await countPeople(platform)) === 0)
    return { identity_issuer: await findOrCreateIdentityIssuer(after, platform._id) }
  const [other] = await findPlatformsOfSamePeople(platform)
  if (!other) return {}
  throw new AppError(
    'conflict',
    `The new key set URL or authentication URL is not that of ${other.name} (client ID ${other.client_id}), which has the same people. If the LMS has moved, enter the new addresses here yourself, which changes them for both; then approve.`,
  )
}

function issuerInUseError(people: number): AppError {
  const msg = `${people} ${people === 1 ? 'person is' : 'people are'} known to Assay under this issuer. Register the new issuer as another LMS.`
  return invalidField('issuer', msg, 'in_use')
}
