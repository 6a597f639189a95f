import type { Request } from 'express'

/** Null without one. The first of two by one name has the narrower path (RFC 6265, 5.4). */
export function readCookie(request: Request, name: string): string | null {
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const [key, ...value] = pair.split('=')
    if (key?.trim() === name) return value.join('=').trim()
  }
  return null
}
