import { randomBytes } from 'node:crypto'
import { SESSION_SECONDS } from '@assay/shared/rules/limits.ts'
import type { LtiLaunchDoc } from '../../../records/lti/launch.model.ts'
import type { EntryCookie, PlatformStorageEntry } from '../launch-endpoints/verified-launch.ts'
import { hashSecret, newSecret } from './launch-secrets.ts'

/** How long the code in the address may be traded for a session, in ms. */
const CODE_TTL_MS = 60_000
/** What the browser that launched shows beside the code. */
export const ENTRY_COOKIE = 'assay_entry'

type HandoffField =
  | '_id'
  | 'code_hash'
  | 'code_expires_at'
  | 'entry_hash'
  | 'resume_hash'
  | 'session_id'
  | 'created_at'
  | 'expires_at'

interface LaunchHandoff {
  /** A path of ours: `/l/{launch}/enter#{code}`. */
  location: string
  stored: Pick<LtiLaunchDoc, HandoffField>
}

/** An address that opens a launch once, and what is kept of it: the code itself is not. */
export function createLaunchHandoff(now: Date): LaunchHandoff {
  const id = randomBytes(16).toString('base64url')
  const code = newSecret()
  const stored = {
    _id: id,
    code_hash: hashSecret(code),
    code_expires_at: new Date(now.getTime() + CODE_TTL_MS),
    entry_hash: null,
    resume_hash: null,
    session_id: null,
    created_at: now,
    expires_at: new Date(now.getTime() + CODE_TTL_MS + SESSION_SECONDS * 1000),
  }
  return { location: `/l/${id}/enter#${code}`, stored }
}

/**
 * A way in for one browser alone, so that an address somebody has seen, or was sent, opens nothing elsewhere. It is known by what the door
 * knew it by: a cookie, or what the LMS's storage keeps; where that is stands in the address, for our page there to ask.
 */
export function createBrowserBoundHandoff(
  storage: PlatformStorageEntry | null,
  now: Date,
): LaunchHandoff & { cookie: EntryCookie | null } {
  const { location, stored } = createLaunchHandoff(now)
  if (storage) {
    const { secret, ...place } = storage
    const asking = location.replace('#', `?${new URLSearchParams(place)}#`)
    return { location: asking, stored: { ...stored, entry_hash: hashSecret(secret) }, cookie: null }
  }
  const secret = newSecret()
  const cookie = {
    name: ENTRY_COOKIE,
    value: secret,
    path: `/api/v1/auth/lti/session/${stored._id}`,
    maxAge: CODE_TTL_MS,
  }
  return { location, stored: { ...stored, entry_hash: hashSecret(secret) }, cookie }
}
