import type { FrameAncestors } from '../../../lib/security/security-headers.ts'
import type { StaleWhileRevalidate } from '../../../lib/stale-while-revalidate.ts'
import type { Services } from '../../../services.ts'
import { createJwksCache, type JwksCache } from './jwks-cache.ts'
import { createLtijs, type Ltijs } from './ltijs/ltijs-provider.ts'
import type { HandOffLaunch } from './verified-launch.ts'

export interface LaunchDependencies {
  services: Services
  ltijs: Ltijs
  jwksCache: JwksCache
  framing: StaleWhileRevalidate<FrameAncestors>
  handOffLaunch: HandOffLaunch
}

export const createLaunchDependencies = (
  services: Services,
  framing: StaleWhileRevalidate<FrameAncestors>,
  handOffLaunch: HandOffLaunch,
): LaunchDependencies => ({
  services,
  framing,
  handOffLaunch,
  ltijs: createLtijs(services),
  jwksCache: createJwksCache(services),
})
