import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CookieOptions, Request, Response } from 'express'
import { readCookie } from '../../../lib/http/cookies.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import { deriveFromState } from './login-state.ts'
import type { EntryCookie } from './verified-launch.ts'

/**
 * All of them are for frames on other sites' pages. `Partitioned` gives each LMS its own cookie jar, which browsers allow where they
 * block third-party cookies.
 */
const frameCookieOptions: CookieOptions = {
  path: '/lti',
  secure: true,
  httpOnly: true,
  sameSite: 'none',
  partitioned: true,
}

/** Shows that this browser returns cookies in this frame. The browser check's script reads it, so it is not `HttpOnly`. */
const PROBE_COOKIE = 'assay_cookie_check'

export const setProbeCookie = (response: Response) =>
  response.cookie(PROBE_COOKIE, '1', { ...frameCookieOptions, httpOnly: false })

export const hasProbeCookie = (request: Request) => readCookie(request, PROBE_COOKIE) !== null

/** Short, unlike the state. */
const stateCookieName = (state: string) => `state${hashOf(state)}`

/** ltijs expects the issuer under the state's name, signed as `cookie-signature` does. */
function signCookieValue(issuer: string, secret: string): string {
  const mac = createHmac('sha256', secret).update(issuer).digest('base64').replace(/=+$/, '')
  return `s:${issuer}.${mac}`
}

/** The value belongs to this state: that of another login, which anybody can begin, is no use. */
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

/** Whether this browser has the state's cookie. */
export function hasStateCookie(request: Request, state: string, secretKey: string): boolean {
  const expected = Buffer.from(deriveFromState(state, 'cookie', secretKey))
  const actual = Buffer.from(readCookie(request, stateCookieName(state)) ?? '')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

/** Passes our own check on to ltijs, which trusts nothing but its cookie. `state` as ltijs is told. */
export const stateCookieHeader = (state: string, issuer: string, secret: string) =>
  `state${state}=${encodeURIComponent(signCookieValue(issuer, secret))}`
