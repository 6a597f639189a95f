import type { LtiLaunchDoc } from '../../../records/lti/launch.model.ts'
import type { LtiPlatformDoc } from '../../../records/lti/platform.model.ts'
import type { LaunchFacts } from '../launch-claims.ts'

/** What has passed the door: signed by the platform, new, and of this browser. */
export interface VerifiedLaunch {
  platform: LtiPlatformDoc
  facts: LaunchFacts
  via: LtiLaunchDoc['via']
  /** What the LMS's storage keeps for this browser, and where; null where a cookie does. */
  storage: PlatformStorageEntry | null
}

export interface PlatformStorageEntry {
  frame: string
  origin: string
  key: string
  secret: string
}

/** Beside the code of the address, for this browser: `Partitioned`, and sent nowhere but to `path`. */
export interface EntryCookie {
  name: string
  value: string
  path: string
  /** In ms. */
  maxAge: number
}

/**
 * Makes a launch of our own of it.
 * @returns where the browser goes, a path of ours: `/l/{launch}/enter#{code}`
 * @throws {LtiRefusal}
 */
export type HandOffLaunch = (
  verified: VerifiedLaunch,
) => Promise<{ location: string; launch: LtiLaunchDoc; cookie: EntryCookie | null }>
