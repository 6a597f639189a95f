import type { StaleWhileRevalidate } from '../../../lib/cache/stale-while-revalidate.ts'
import type { FrameAncestors } from '../../../lib/security/security-headers.ts'
import type { Services } from '../../../services.ts'
import { createJwksCache, type JwksCache } from './jwks-cache.ts'
import { createLtijs, type Ltijs } from './ltijs/ltijs-provider.ts'
import type { HandOffLaunch } from './verified-launch.ts'

/** What the door is made of, one for each server. */
export interface LaunchDependencies {
  services: Services
  ltijs: Ltijs
  keySets: JwksCache
  framing: StaleWhileRevalidate<FrameAncestors>
  enter: HandOffLaunch
}

export const createLaunchDependencies = (
  services: Services,
  framing: StaleWhileRevalidate<FrameAncestors>,
  enter: HandOffLaunch,
): LaunchDependencies => ({
  services,
  framing,
  enter,
  ltijs: createLtijs(services),
  keySets: createJwksCache(services),
})
