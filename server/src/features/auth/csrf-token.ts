import { createHmac } from 'node:crypto'
import { CSRF_SECONDS } from '@assay/shared/rules/limits.ts'
import { isSameSecret } from '../../lib/security/hash-of.ts'

const ANONYMOUS = 'nobody'

function sign(text: string, secret: string): Buffer {
  return createHmac('sha256', `${secret}/csrf`).update(text).digest()
}

/** `expiry.signature`, valid for one hour and one session (or none, before signing in). */
export function createCsrfToken(sessionId: string | null, secret: string, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + CSRF_SECONDS
  return `${expires}.${sign(`${expires}.${sessionId ?? ANONYMOUS}`, secret).toString('base64url')}`
}

export function isValidCsrfToken(token: string | undefined, sessionId: string, secret: string, now: Date): boolean {
  const [expires, signature] = token?.split('.') ?? []
  if (!expires || !signature || !/^\d{1,12}$/.test(expires)) return false
  if (Number(expires) * 1000 <= now.getTime()) return false
  return isSameSecret(Buffer.from(signature, 'base64url'), sign(`${expires}.${sessionId}`, secret))
}
