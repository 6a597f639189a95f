import type { LtiContextDoc } from '../../../records/lti/context.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import { scopes } from '../scopes.ts'

/** For people, with what to do about it; null when the roster can be synced. */
export function findSyncBlocker(
  context: Pick<LtiContextDoc, 'memberships_url'>,
  platform: Pick<LtiPlatformDoc, 'name' | 'status' | 'scopes'> | null,
): string | null {
  if (platform?.status !== 'active')
    return `${platform?.name ?? 'The LMS'} is not active in Assay. An administrator can change that under LMS.`
  const refuses = platform.scopes !== null && !platform.scopes.includes(scopes.members)
  if (context.memberships_url === null || refuses)
    return `${platform.name} does not share its roster with Assay. Its administrator can allow “Names and Role Provisioning Services” for Assay; then open Assay from the course again. Until then, people are added when they open Assay from the course.`
  return null
}
