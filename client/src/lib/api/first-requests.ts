import { CSRF_HEADER } from '@assay/shared/http/csrf.ts'
import type { User } from '@assay/shared/users.ts'
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
  token: string
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
    const headers = { Accept: 'application/json', Authorization: `Bearer ${token}` }
    const reply = fetch(API_BASE + url, { headers }).then(withBody)
    // Whoever takes it is told.
    reply.catch(() => undefined)
    pending.set(API_BASE + url, { token, askedAt: performance.now(), reply })
  }
}

/** The person has come with the session's token: whoever asks for them gets this reply. */
export function offerPerson(user: User, csrfToken: string): void {
  const token = tokenStore.get()
  if (!token) return
  const reply = Promise.resolve(Response.json(user, { headers: { [CSRF_HEADER]: csrfToken } }))
  pending.set(API_BASE + ME, { token, askedAt: performance.now(), reply })
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

/** The reply to a GET that was asked for early, once; null where it was not, by somebody else or too long ago. */
export function takeFirstReply(url: string): Promise<Response> | null {
  const found = pending.get(url)
  pending.delete(url)
  const isFresh = found && performance.now() - found.askedAt < MAX_AGE_MS
  return isFresh && found.token === tokenStore.get() ? found.reply : null
}

export const forgetFirstReplies = (): void => pending.clear()

/** Screens of the document's first seconds may show what was asked for at its beginning. */
export const dataAskedAt = (): number => (performance.now() < MAX_AGE_MS ? 0 : performance.now())
