import type { LaunchLogEntry, Platform } from '@assay/shared/lti/lti-platforms.ts'
import { type LtiLaunchLogDoc, LtiLaunchLogModel, newestFirst } from '../../../records/lti/launch-log.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { LtiPlatformKeyModel } from '../../../records/lti/platform-key.model.ts'
import { explainRefusal } from '../refusals.ts'
import { findPlatformsOfSameIssuer } from './same-issuer.ts'

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

export function presentPlatforms(platforms: LtiPlatformDoc[]): Promise<Platform[]> {
  return Promise.all(platforms.map(presentPlatform))
}

export function presentLaunchLogEntry(entry: LtiLaunchLogDoc): LaunchLogEntry {
  const { _id, at, clock_offset, scopes, platform_id, ...rest } = entry
  const { message = null, fix = null } = explainRefusal(entry.code) ?? {}
  return { ...rest, id: String(_id), at: at.toISOString(), message, fix }
}
