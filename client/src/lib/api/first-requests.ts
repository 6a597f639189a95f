import { CSRF_HEADER } from '@assay/shared/http/csrf.ts'
import type { LaunchSession } from '@assay/shared/lti/lti.ts'
import { tokenStore } from '../session/browser-store.ts'
import { API_BASE } from './api-base.ts'

/** What a screen shows first, by route path: requested while its code still loads. */
const firstData: Readonly<Record<string, readonly string[]>> = {
  '/dashboard': ['/assignments?skip=0&limit=500'],
  '/courses': ['/courses?skip=0&limit=500'],
  '/courses/:courseId': ['/courses/:courseId'],
  '/assignments/:assignmentId/submissions': [
    '/assignments/:assignmentId/submissions?skip=0&limit=50',
    '/assignments/:assignmentId',
    '/assignments/:assignmentId/submissions/counts',
    '/assignments/:assignmentId/runs',
  ],
  '/assignments/:assignmentId/submissions/:submissionId': [
    '/assignments/:assignmentId/submissions/:submissionId',
    '/assignments/:assignmentId',
  ],
  '/assignments/:assignmentId/questions': ['/assignments/:assignmentId/questions', '/assignments/:assignmentId'],
  '/student/dashboard': ['/student/dashboard'],
  '/student/assignments/:assignmentId': ['/student/assignments/:assignmentId'],
}

const screens = Object.entries(firstData).map(([path, urls]) => ({
  pattern: new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>\\d+)')}/?$`),
  urls,
}))

/** Copied, since the contract is too much to inline into the page. */
const ME = '/auth/users/me'

/** Older replies are out of date; on a slow line the program takes that long to come. */
const MAX_AGE_MS = 30_000

interface Pending {
  /** Null for public data. */
  token: string | null
  askedAt: number
  reply: Promise<Response>
}

declare global {
  /** A global, since the program has another copy of this module. */
  var assayFirstReplies: Map<string, Pending> | undefined
}
globalThis.assayFirstReplies ??= new Map()
const pending = globalThis.assayFirstReplies

/** `takeFirstReply` hands the replies out. */
export function askForFirstData(path: string, { person }: { person: boolean }): void {
  const token = tokenStore.get()
  if (!token) return
  const urls = [...(person ? [ME] : []), ...firstUrlsOf(path)]
  for (const url of urls) {
    if (pending.get(keyOf('get', url))?.token === token) continue
    ask(url, { headers: { Accept: 'application/json', Authorization: `Bearer ${token}` } }, token)
  }
}

const keyOf = (method: string, url: string) => `${method} ${API_BASE}${url}`

function ask(url: string, request: RequestInit, token: string | null): void {
  const reply = fetch(API_BASE + url, request).then(withBody)
  // Whoever takes it gets the error.
  reply.catch(() => undefined)
  pending.set(keyOf(request.method ?? 'get', url), { token, askedAt: performance.now(), reply })
}

/**
 * Opens the launch of this address by the code after `#` or the cookie of a reload, and asks for its page's first data.
 * The LMS's storage is read later.
 */
export function askForLaunch(
  id: string,
  { pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>,
): void {
  const query = new URLSearchParams(search)
  const below = pathname.slice(`/l/${id}`.length)
  const isHandoff = below === '/enter' && hash.length > 1
  if (isHandoff && query.has('frame')) return
  const first = firstUrlsOf(isHandoff ? (query.get('page') ?? '') : below + search)
  const [url, body] = isHandoff
    ? [`/auth/lti/session/${id}`, { code: hash.slice(1), first }]
    : [`/auth/lti/resume/${id}`, { first }]
  ask(
    url,
    { method: 'post', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
    tokenStore.get(),
  )
}

/** These came with the session's token. */
export function offerReplies({ user, csrf_token, first_replies }: LaunchSession): void {
  offer(ME, user, { [CSRF_HEADER]: csrf_token })
  for (const { path, total, body } of first_replies)
    offer(path, body, total === null ? {} : { 'X-Total-Count': String(total) })
}

function offer(url: string, body: unknown, headers: Record<string, string>): void {
  const reply = Promise.resolve(Response.json(body, { headers }))
  pending.set(keyOf('get', url), { token: tokenStore.get(), askedAt: performance.now(), reply })
}

/** A reply that is never read would keep its connection busy. */
async function withBody(reply: Response): Promise<Response> {
  const { status, statusText, headers } = reply
  return new Response(await reply.arrayBuffer(), { status, statusText, headers })
}

function firstUrlsOf(path: string): string[] {
  if (path.includes('?')) return []
  for (const { pattern, urls } of screens) {
    const found = pattern.exec(path)
    const groups = found?.groups ?? {}
    if (found) return urls.map((url) => url.replaceAll(/:(\w+)/g, (_, name: string) => groups[name] ?? ''))
  }
  return []
}

/** A call asked for early, once; null where it was not, by somebody else, or too long ago. */
export function takeFirstReply(method: string, url: string): Promise<Response> | null {
  const key = `${method} ${url}`
  const found = pending.get(key)
  pending.delete(key)
  const isFresh = found && performance.now() - found.askedAt < MAX_AGE_MS
  return isFresh && found.token === tokenStore.get() ? found.reply : null
}

export const forgetFirstReplies = (): void => pending.clear()

/** In the document's first seconds, data from its beginning still count as new. */
export const dataAskedAt = (): number => (performance.now() < MAX_AGE_MS ? 0 : performance.now())
