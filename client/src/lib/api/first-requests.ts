import { CSRF_HEADER } from '@assay/shared/http/csrf.ts'
import type { LaunchSession } from '@assay/shared/lti/lti.ts'
import { tokenStore } from '../session/browser-store.ts'
import { API_BASE } from './api-base.ts'

/** What a screen shows first, by the router's path: asked for while the screen itself is still on its way. */
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

/** As in the contract, which is too much for what is written into the page. */
const ME = '/auth/users/me'

/** A reply that nobody has come for by then is out of date. On a slow line the program takes that long to come. */
const MAX_AGE_MS = 30_000

interface Pending {
  /** Null for what anybody may ask. */
  token: string | null
  askedAt: number
  reply: Promise<Response>
}

declare global {
  /** What the page has asked for; the program comes later, and with another copy of this module. */
  var assayFirstReplies: Map<string, Pending> | undefined
}
globalThis.assayFirstReplies ??= new Map()
const pending = globalThis.assayFirstReplies

/** Asks for the person and what the screen at `path` shows first; `takeFirstReply` hands the replies out. */
export function askForFirstData(path: string, { person }: { person: boolean }): void {
  const token = tokenStore.get()
  if (!token) return
  const urls = [...(person ? [ME] : []), ...firstUrlsOf(path)]
  for (const url of urls) {
    if (pending.get(keyOf('get', url))?.token === token) continue
    ask(url, { headers: { Accept: 'application/json', Authorization: `Bearer ${token}` } }, token)
  }
}

/** By method too: a change of what was read is another call. */
const keyOf = (method: string, url: string) => `${method} ${API_BASE}${url}`

function ask(url: string, request: RequestInit, token: string | null): void {
  const reply = fetch(API_BASE + url, request).then(withBody)
  // Whoever takes it is told.
  reply.catch(() => undefined)
  pending.set(keyOf(request.method ?? 'get', url), { token, askedAt: performance.now(), reply })
}

/**
 * Opens the launch of this address, and asks for what its page shows first, while the program is on its way: by the
 * code after `#`, or the cookie of a reload. Not by the LMS's storage, which has to be asked itself.
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

/** These have come with the session's token: whoever asks for them gets them. */
export function offerReplies({ user, csrf_token, first_replies }: LaunchSession): void {
  offer(ME, user, { [CSRF_HEADER]: csrf_token })
  for (const { path, total, body } of first_replies)
    offer(path, body, total === null ? {} : { 'X-Total-Count': String(total) })
}

function offer(url: string, body: unknown, headers: Record<string, string>): void {
  const reply = Promise.resolve(Response.json(body, { headers }))
  pending.set(keyOf('get', url), { token: tokenStore.get(), askedAt: performance.now(), reply })
}

/** A reply that is never read would keep its connection from other requests. */
async function withBody(reply: Response): Promise<Response> {
  const { status, statusText, headers } = reply
  return new Response(await reply.arrayBuffer(), { status, statusText, headers })
}

/** A filter or another page in the address asks for other data. */
function firstUrlsOf(path: string): string[] {
  if (path.includes('?')) return []
  for (const { pattern, urls } of screens) {
    const found = pattern.exec(path)
    const groups = found?.groups ?? {}
    if (found) return urls.map((url) => url.replaceAll(/:(\w+)/g, (_, name: string) => groups[name] ?? ''))
  }
  return []
}

/** The reply to a call that was asked for early, once; null where it was not, by somebody else or too long ago. */
export function takeFirstReply(method: string, url: string): Promise<Response> | null {
  const key = `${method} ${url}`
  const found = pending.get(key)
  pending.delete(key)
  const isFresh = found && performance.now() - found.askedAt < MAX_AGE_MS
  return isFresh && found.token === tokenStore.get() ? found.reply : null
}

export const forgetFirstReplies = (): void => pending.clear()

/** Screens of the document's first seconds may show what was asked for at its beginning. */
export const dataAskedAt = (): number => (performance.now() < MAX_AGE_MS ? 0 : performance.now())
