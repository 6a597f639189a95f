import type { FrameAncestors } from '../../../lib/security/security-headers.ts'
import type { StaleWhileRevalidate } from '../../../lib/stale-while-revalidate.ts'
import type { LtiLaunchDoc } from '../../../records/lti/launch.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { Services } from '../../../services.ts'
import type { LaunchFacts } from '../launch-claims.ts'
import { createJwksCache, type JwksCache } from './jwks-cache.ts'
import { createLtijs, type Ltijs } from './ltijs/ltijs-provider.ts'

/** Signed by the platform, no replay, and from the browser that logged in. */
interface VerifiedLaunch {
  platform: LtiPlatformDoc
  facts: LaunchFacts
  via: LtiLaunchDoc['via']
  storage: PlatformStorageEntry | null
}

export interface PlatformStorageEntry {
  frame: string
  origin: string
  key: string
  secret: string
}

/** Proves, with the one-time code, that this is the same browser. */
export interface EntryCookie {
  name: string
  value: string
  paths: readonly string[]
  /** In ms. */
  maxAge: number
}

/** @returns the path to redirect to: `/l/{launch}/enter?page={page}#{code}`. @throws {LtiRefusal} */
export type HandOffLaunch = (
  verified: VerifiedLaunch,
) => Promise<{ location: string; launch: LtiLaunchDoc; cookie: EntryCookie | null }>

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
