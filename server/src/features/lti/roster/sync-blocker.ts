import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { scopes } from '../scopes.ts'

/** Why a course's roster cannot be synced and what to do about it, in words; null when it can. */
export function findSyncBlocker(
  context: Pick<LtiContextDoc, 'memberships_url'>,
  platform: Pick<LtiPlatformDoc, 'name' | 'status' | 'scopes'> | null,
): string | null {
  if (platform?.status !== 'active')
    return `${platform?.name ?? 'The LMS'} is not switched on in Assay. An administrator can do that under LMS platforms.`
  const refuses = platform.scopes !== null && !platform.scopes.includes(scopes.members)
  if (context.memberships_url === null || refuses)
    return `${platform.name} does not tell Assay who is in the course. Its administrator can allow “Names and Role Provisioning Services” for Assay; then open Assay from the course once more. Until then, people come in as they open Assay from the course.`
  return null
}
