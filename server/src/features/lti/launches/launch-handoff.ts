import { randomBytes } from 'node:crypto'
import { SESSION_SECONDS } from '@assay/shared/rules/limits.ts'
import { AppError } from '../../../lib/http/app-error.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { type LtiLaunchDoc, LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import type { Services } from '../../../services.ts'
import type { EntryCookie, PlatformStorageEntry } from '../launch-endpoints/launch-dependencies.ts'

/** 256 random bits for a URL or a cookie. */
export const newSecret = () => randomBytes(32).toString('base64url')
export const hashSecret = (secret: string) => hashOf(secret, 'base64url')

const CODE_TTL_MS = 60_000
/** Proves, beside the code, that this is the browser that launched. */
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
  /** `/l/{launch}/enter#{code}`. */
  location: string
  stored: Pick<LtiLaunchDoc, HandoffField>
}

/** A URL that opens a launch once; only a hash of its code is stored. */
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

/** Names the page that will probably open, whose program is sent along (`client-files.ts`). */
export function withPage(location: string, page: string): string {
  const url = new URL(location, 'http://here')
  url.searchParams.set('page', page)
  return url.pathname + url.search + url.hash
}

/** A leaked URL opens nothing elsewhere: it needs a cookie, or the LMS's storage entry, whose location is in it. */
export function createBrowserBoundHandoff(
  storage: PlatformStorageEntry | null,
  now: Date,
): LaunchHandoff & { cookie: EntryCookie | null } {
  const { location, stored } = createLaunchHandoff(now)
  if (storage) {
    const { secret, ...entry } = storage
    const withStorage = location.replace('#', `?${new URLSearchParams(entry)}#`)
    return { location: withStorage, stored: { ...stored, entry_hash: hashSecret(secret) }, cookie: null }
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

/**
 * Frame and window share no cookies. @returns the path with the one-time code
 * @throws {AppError} `conflict` in a new window, which would prolong the launch, and for deep linking
 */
export async function createWindowHandoff(launch: LtiLaunchDoc, { clock }: Services): Promise<string> {
  if (launch.via === 'window') throw new AppError('conflict', 'Assay is already open in its own window.')
  if (launch.deep_link)
    throw new AppError('conflict', 'Make your choice here. Your LMS is waiting for it in this window.')
  const { location, stored } = createLaunchHandoff(clock.now())
  await LtiLaunchModel.create({ ...launch, ...stored, via: 'window' })
  return location
}
