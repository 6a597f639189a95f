import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CookieOptions, Request, Response } from 'express'
import { readCookie } from '../../../lib/http/cookies.ts'
import type { EntryCookie } from './verified-launch.ts'

/**
 * All of them go into frames on other sites' pages. `Partitioned` gives each LMS a jar of its own, which browsers keep where they
 * block what is shared across sites.
 */
const frameCookieOptions: CookieOptions = {
  path: '/lti',
  secure: true,
  httpOnly: true,
  sameSite: 'none',
  partitioned: true,
}

/** Says that this browser keeps and returns cookies where it is. Its page looks for it, so scripts may see it. */
const PROBE_COOKIE = 'assay_door'

export const setProbeCookie = (response: Response) =>
  response.cookie(PROBE_COOKIE, '1', { ...frameCookieOptions, httpOnly: false })

export const hasProbeCookie = (request: Request) => readCookie(request, PROBE_COOKIE) !== null

/** ltijs looks for the issuer under the state's name, signed as `cookie-signature` does. */
const stateCookieName = (state: string) => `state${state}`

function signCookieValue(issuer: string, secret: string): string {
  const mac = createHmac('sha256', secret).update(issuer).digest('base64').replace(/=+$/, '')
  return `s:${issuer}.${mac}`
}

export function setStateCookie(
  response: Response,
  state: string,
  issuer: string,
  { secret, maxAgeMs }: { secret: string; maxAgeMs: number },
): void {
  response.cookie(stateCookieName(state), signCookieValue(issuer, secret), { ...frameCookieOptions, maxAge: maxAgeMs })
}

export const clearStateCookie = (response: Response, state: string) =>
  response.clearCookie(stateCookieName(state), frameCookieOptions)

/** For the one call that trades the launch's code. */
export const setEntryCookie = (response: Response, { name, value, path, maxAge }: EntryCookie) =>
  response.cookie(name, value, { ...frameCookieOptions, path, maxAge })

/** Whether this browser was given the state's cookie. */
export function hasStateCookie(request: Request, state: string, issuer: string, secret: string): boolean {
  const expected = Buffer.from(encodeURIComponent(signCookieValue(issuer, secret)))
  const given = Buffer.from(readCookie(request, stateCookieName(state)) ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The header by which ltijs is told what we have found out: it knows no other way than its cookie. */
export const stateCookieHeader = (state: string, issuer: string, secret: string) =>
  `${stateCookieName(state)}=${encodeURIComponent(signCookieValue(issuer, secret))}`
