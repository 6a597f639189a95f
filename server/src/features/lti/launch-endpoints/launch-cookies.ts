import { createHmac } from 'node:crypto'
import type { CookieOptions, Request, Response } from 'express'
import { readCookie } from '../../../lib/http/cookies.ts'
import { hashOf, isSameSecret } from '../../../lib/security/hash-of.ts'
import type { EntryCookie } from './launch-dependencies.ts'
import { deriveFromState } from './login-state.ts'

/** For frames on other sites: a `Partitioned` jar for each LMS, allowed where third-party cookies are blocked. */
const frameCookieOptions: CookieOptions = {
  path: '/lti',
  secure: true,
  httpOnly: true,
  sameSite: 'none',
  partitioned: true,
}

/** Shows that this frame returns cookies. Read by the browser check's script, so it is not `HttpOnly`. */
const PROBE_COOKIE = 'assay_cookie_check'

export const setProbeCookie = (response: Response) =>
  response.cookie(PROBE_COOKIE, '1', { ...frameCookieOptions, httpOnly: false })

export const hasProbeCookie = (request: Request) => readCookie(request, PROBE_COOKIE) !== null

/** Hashed, as the state is too long. */
const stateCookieName = (state: string) => `state${hashOf(state)}`

/** ltijs expects the issuer under the state's name, signed as `cookie-signature` does. */
function signCookieValue(issuer: string, secret: string): string {
  const mac = createHmac('sha256', secret).update(issuer).digest('base64').replace(/=+$/, '')
  return `s:${issuer}.${mac}`
}

/** Derived from this state: the value of another login, which anybody can begin, is useless. */
export function setStateCookie(
  response: Response,
  state: string,
  { secretKey, maxAgeMs }: { secretKey: string; maxAgeMs: number },
): void {
  const value = deriveFromState(state, 'cookie', secretKey)
  response.cookie(stateCookieName(state), value, { ...frameCookieOptions, maxAge: maxAgeMs })
}

export const clearStateCookie = (response: Response, state: string) =>
  response.clearCookie(stateCookieName(state), frameCookieOptions)

/** For the one call that exchanges the launch's code. */
export const setEntryCookie = (response: Response, { name, value, path, maxAge }: EntryCookie) =>
  response.cookie(name, value, { ...frameCookieOptions, path, maxAge })

export function hasStateCookie(request: Request, state: string, secretKey: string): boolean {
  const sent = readCookie(request, stateCookieName(state))
  return sent !== null && isSameSecret(sent, deriveFromState(state, 'cookie', secretKey))
}

/** Passes our own check on to ltijs, which trusts only its cookie. `state` as passed to ltijs. */
export const stateCookieHeader = (state: string, issuer: string, secret: string) =>
  `state${state}=${encodeURIComponent(signCookieValue(issuer, secret))}`
