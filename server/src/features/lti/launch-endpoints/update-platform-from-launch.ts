import { type LtiPlatformDoc, LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { platformOrigins } from '../platforms/platform.service.ts'
import type { LaunchDependencies } from './launch-dependencies.ts'

/** Canvas may have one for every course; those beyond are let in as well, and not listed. */
const MAX_DEPLOYMENTS = 1000
const MAX_ORIGINS = 20

/**
 * What only launches say of a platform: its deployments, and where its pages stand, which is not always where it issues tokens (Canvas
 * issues for every school from one address). Signed by the platform.
 */
export async function updatePlatformFromLaunch(
  { deploymentId, presentation }: LaunchFacts,
  platform: LtiPlatformDoc,
  { services, framing }: Pick<LaunchDependencies, 'services' | 'framing'>,
): Promise<void> {
  const { deployments, origins } = platform
  const now = services.clock.now()
  const listed = deployments.find(({ id }) => id === deploymentId)
  if (!listed && deployments.length < MAX_DEPLOYMENTS)
    // Two first launches at once list it once.
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
  await LtiPlatformModel.updateOne({ _id: platform._id }, { $addToSet: { origins: page.origin } })
  // Before the browser goes on: its next page stands in a frame there.
  await framing.refresh()
}
