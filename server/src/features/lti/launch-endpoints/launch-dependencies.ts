import type { FrameAncestors } from '../../../lib/security/security-headers.ts'
import type { StaleWhileRevalidate } from '../../../lib/stale-while-revalidate.ts'
import type { Services } from '../../../services.ts'
import type { JwksCache } from './jwks-cache.ts'
import type { Ltijs } from './ltijs/ltijs-provider.ts'

/** `origin` is the one that answers, `key` the entry's. */
export interface PlatformStorage {
  frame: string
  origin: string
  key: string
}

export type PlatformStorageEntry = PlatformStorage & { secret: string }

/** Proves, with the one-time code, that this is the same browser. */
export interface EntryCookie {
  name: string
  value: string
  paths: readonly string[]
  /** In ms. */
  maxAge: number
}

export interface LaunchDependencies {
  services: Services
  ltijs: Ltijs
  jwksCache: JwksCache
  framing: StaleWhileRevalidate<FrameAncestors>
}
