import { createHmac, randomBytes } from 'node:crypto'
import type { CookieOptions } from 'express'
import type { Config } from '../../config.ts'
import { isSameSecret } from '../../lib/security/hash-of.ts'
import type { UserDoc } from '../../records/people/user.model.ts'

/** With it a browser may sign in while strangers guess the password, until that changes (OWASP, “device cookies”). */
export const DEVICE_COOKIE = 'assay-devices'

const LIFETIME_MS = 180 * 24 * 60 * 60 * 1000

const MAX_ACCOUNTS = 5

type Secrets = Pick<Config, 'secretKey'>

function sign(text: string, { password_hash }: UserDoc, { secretKey }: Secrets): Buffer {
  return createHmac('sha256', `${secretKey}/device`).update(`${text}.${password_hash}`).digest()
}

/** `user.nonce.expiry.signature`, for each account. */
const entriesOf = (cookie: string | null) => (cookie ?? '').split('~').filter((entry) => entry.split('.').length === 4)

/** The device's random id if the cookie was made for this account and its present password. */
export function knownDeviceOf(user: UserDoc | null, cookie: string | null, secrets: Secrets, now: Date): string | null {
  if (user?.password_hash == null) return null
  for (const entry of entriesOf(cookie).slice(0, MAX_ACCOUNTS)) {
    const [id, nonce = '', expires, signature = ''] = entry.split('.')
    if (id !== String(user._id) || !(Number(expires) > now.getTime())) continue
    const right = sign(`${id}.${nonce}.${expires}`, user, secrets)
    if (isSameSecret(Buffer.from(signature, 'base64url'), right)) return nonce
  }
  return null
}

/** The cookie and its options, with this account added or renewed. */
export function deviceCookieFor(
  user: UserDoc,
  cookie: string | null,
  config: Pick<Config, 'secretKey' | 'publicUrl'>,
  now: Date,
): [name: string, value: string, options: CookieOptions] {
  const text = `${user._id}.${randomBytes(12).toString('base64url')}.${now.getTime() + LIFETIME_MS}`
  const mine = `${text}.${sign(text, user, config).toString('base64url')}`
  const others = entriesOf(cookie).filter((entry) => !entry.startsWith(`${user._id}.`))
  return [
    DEVICE_COOKIE,
    [mine, ...others].slice(0, MAX_ACCOUNTS).join('~'),
    {
      // Also where the account is deleted, which asks for the password again.
      path: '/api/v1',
      httpOnly: true,
      secure: config.publicUrl.startsWith('https:'),
      sameSite: 'strict',
      maxAge: LIFETIME_MS,
    },
  ]
}
