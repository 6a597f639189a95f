import { AppError, invalidField } from '../../../lib/http/app-error.ts'
import { LtiIdentityModel } from '../../../records/lti/identity.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { findOrCreateIdentityIssuer, findPlatformsOfSamePeople, isSameProvider } from './identity-issuer.ts'

interface IdentityChange {
  identity_issuer: string
  /** Tools of the same LMS that take the new addresses too, as they have the same people. */
  sharing: LtiPlatformDoc[]
}

/** Nobody has used it, so it may become anybody's tool. */
const wasNeverActive = ({ status, approved_by }: LtiPlatformDoc) => status !== 'active' && approved_by === null

const countPeople = ({ identity_issuer }: LtiPlatformDoc) =>
  LtiIdentityModel.countDocuments({ issuer: identity_issuer })

/**
 * New keys keep the LMS's people, over all its tools.
 * @throws {AppError} `validation_failed` for another issuer, once people are known
 */
export async function identityChangeByAdministrator(
  platform: LtiPlatformDoc,
  to: Partial<LtiPlatformDoc>,
): Promise<IdentityChange> {
  const after = { ...platform, ...to }
  if (isSameProvider(platform, after)) return { identity_issuer: platform.identity_issuer, sharing: [] }
  const people = wasNeverActive(platform) ? 0 : await countPeople(platform)
  if (after.issuer !== platform.issuer && people > 0) throw issuerInUseError(people)
  if (people === 0) return { identity_issuer: await findOrCreateIdentityIssuer(after, platform._id), sharing: [] }
  return { identity_issuer: platform.identity_issuer, sharing: await findPlatformsOfSamePeople(platform) }
}

/**
 * Values sent by an LMS itself never change another tool's, or the sender would get its people.
 * @throws {AppError} `conflict` where another tool of this LMS has the same people and other keys
 */
export async function identityChangeByProposal(
  platform: LtiPlatformDoc,
  to: Partial<LtiPlatformDoc>,
): Promise<Partial<LtiPlatformDoc>> {
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

/** With another issuer everybody would lose their work. */
function issuerInUseError(people: number): AppError {
  const msg = `${people} ${people === 1 ? 'person is' : 'people are'} known to Assay under this issuer. Register the new issuer as another LMS.`
  return invalidField('issuer', msg, 'in_use')
}
