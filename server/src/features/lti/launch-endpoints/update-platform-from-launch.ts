import { isCspSource } from '../../../lib/security/security-headers.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { platformOrigins } from '../platforms/platform.service.ts'

/** Canvas may have one for every course; further ones are accepted but not listed. */
const MAX_DEPLOYMENTS = 1000
const MAX_ORIGINS = 20

/**
 * Stores what only launches say about a platform: its deployments, and the origin of its pages, which is not always that of its
 * issuer (Canvas has one issuer for all schools). Signed by the platform.
 */
export async function updatePlatformFromLaunch(
  { deploymentId, presentation }: LaunchFacts,
  platform: LtiPlatformDoc,
  { services, framing }: { services: Services; framing: { refresh(): Promise<unknown> } },
): Promise<void> {
  const { deployments, origins } = platform
  const now = services.clock.now()
  const listed = deployments.find(({ id }) => id === deploymentId)
  if (!listed && deployments.length < MAX_DEPLOYMENTS)
    // Two concurrent first launches list it once.
    await LtiPlatformModel.updateOne(
      { _id: platform._id, 'deployments.id': { $ne: deploymentId } },
      { $push: { deployments: { id: deploymentId, first_seen_at: now } } },
    )
  else if (listed?.first_seen_at === null)
    await LtiPlatformModel.updateOne(
      { _id: platform._id, 'deployments.id': deploymentId },
      { $set: { 'deployments.$.first_seen_at': now } },
    )
  const page = URL.parse(presentation?.return_url ?? '')
  const known = page && platformOrigins(platform).includes(page.origin)
  if (!page || known || origins.length >= MAX_ORIGINS) return
  if (page.protocol !== 'https:' && !services.config.ltiPlainHttp) return
  // A page has one origin: “https://*” would let any page frame ours.
  if (page.hostname.includes('*') || !isCspSource(page.origin)) return
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $addToSet: { origins: page.origin } })
  // Before the redirect: the next page is framed by that origin.
  await framing.refresh()
}
