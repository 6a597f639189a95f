import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CookieOptions, Request, Response } from 'express'
import { cookieOf } from '../../../lib/cookies.ts'
import type { EntryCookie } from './verified-launch.ts'

/**
 * All of them go into frames on other sites' pages. `Partitioned` gives each LMS a jar of its own, which browsers keep where they
 * block what is shared across sites.
 */
const framed: CookieOptions = {
  path: '/lti',
  secure: true,
  httpOnly: true,
  sameSite: 'none',
  partitioned: true,
}

/** Says that this browser keeps and returns cookies where it is. Its page looks for it, so scripts may see it. */
const PROBE = 'assay_door'

export const setProbe = (response: Response) => response.cookie(PROBE, '1', { ...framed, httpOnly: false })

export const hasProbe = (request: Request) => cookieOf(request, PROBE) !== null

/** ltijs looks for the issuer under the state's name, signed as `cookie-signature` does. */
const nameFor = (state: string) => `state${state}`

function signed(issuer: string, secret: string): string {
  const mac = createHmac('sha256', secret).update(issuer).digest('base64').replace(/=+$/, '')
  return `s:${issuer}.${mac}`
}

export function setStateCookie(
  response: Response,
  state: string,
  issuer: string,
  { secret, maxAgeMs }: { secret: string; maxAgeMs: number },
): void {
  response.cookie(nameFor(state), signed(issuer, secret), { ...framed, maxAge: maxAgeMs })
}

export const clearStateCookie = (response: Response, state: string) =>
  response.clearCookie(nameFor(state), framed)

/** For the one call that trades the launch's code. */
export const setEntryCookie = (response: Response, { name, value, path, maxAge }: EntryCookie) =>
  response.cookie(name, value, { ...framed, path, maxAge })

/** Whether this browser was given the state's cookie. */
export function hasStateCookie(request: Request, state: string, issuer: string, secret: string): boolean {
  const expected = Buffer.from(encodeURIComponent(signed(issuer, secret)))
  const given = Buffer.from(cookieOf(request, nameFor(state)) ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The header by which ltijs is told what we have found out: it knows no other way than its cookie. */
export const stateCookieHeader = (state: string, issuer: string, secret: string) =>
  `${nameFor(state)}=${encodeURIComponent(signed(issuer, secret))}`
