import { randomBytes } from 'node:crypto'
import { SESSION_SECONDS } from '@assay/shared/rules/limits.ts'
import type { LtiLaunchDoc } from './launch.model.ts'
import { hashOf, newSecret } from './secrets.ts'

/** How long the code in the address may be traded for a session, in ms. */
const CODE_MS = 60_000

type OfWayIn =
  | '_id'
  | 'code_hash'
  | 'code_expires_at'
  | 'resume_hash'
  | 'session_id'
  | 'created_at'
  | 'expires_at'

/** An address that opens a launch once, and what is kept of it: the code itself is not. */
export function newWayIn(now: Date): { location: string; stored: Pick<LtiLaunchDoc, OfWayIn> } {
  const id = randomBytes(16).toString('base64url')
  const code = newSecret()
  const stored = {
    _id: id,
    code_hash: hashOf(code),
    code_expires_at: new Date(now.getTime() + CODE_MS),
    resume_hash: null,
    session_id: null,
    created_at: now,
    expires_at: new Date(now.getTime() + CODE_MS + SESSION_SECONDS * 1000),
  }
  return { location: `/l/${id}/enter#${code}`, stored }
}
