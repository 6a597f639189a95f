import { nextId } from '../../../lib/database/database.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'

/** All three together: every Canvas signs the same issuer, and anybody can claim one (docs/decisions/0017). */
export type IdentityProvider = Pick<LtiPlatformDoc, 'issuer' | 'auth_endpoint' | 'jwks_url'>

export const isSameProvider = (one: IdentityProvider, other: IdentityProvider): boolean =>
  one.issuer === other.issuer && one.auth_endpoint === other.auth_endpoint && one.jwks_url === other.jwks_url

const providerOf = ({ issuer, auth_endpoint, jwks_url }: IdentityProvider): IdentityProvider => ({
  issuer,
  auth_endpoint,
  jwks_url,
})

/** Shared with another tool of the same LMS, else an issuer with a number, which no real issuer has. */
export async function findOrCreateIdentityIssuer(provider: IdentityProvider, platformId: number): Promise<string> {
  const sameLms = await LtiPlatformModel.findOne({ ...providerOf(provider), _id: { $ne: platformId } })
    .sort({ _id: 1 })
    .lean()
  return sameLms?.identity_issuer ?? newIdentityIssuer(provider.issuer)
}

async function newIdentityIssuer(issuer: string): Promise<string> {
  return `${issuer} ${await nextId('lti_identity_issuers')}`
}

/** For a platform stored while the other tool of its LMS was given other keys. */
export async function separateIfProviderChanged(platform: LtiPlatformDoc): Promise<LtiPlatformDoc> {
  const sharing = await findPlatformsOfSamePeople(platform)
  if (sharing.every((other) => isSameProvider(platform, other))) return platform
  const identity_issuer = await newIdentityIssuer(platform.issuer)
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $set: { identity_issuer } })
  return { ...platform, identity_issuer }
}

/** Other tools of the same LMS, with the same accounts. */
export function findPlatformsOfSamePeople({
  _id,
  identity_issuer,
}: Pick<LtiPlatformDoc, '_id' | 'identity_issuer'>): Promise<LtiPlatformDoc[]> {
  return LtiPlatformModel.find({ identity_issuer, _id: { $ne: _id } })
    .sort({ _id: 1 })
    .lean()
}
