import { getAssignment, listAssignments } from '@assay/shared/assignments.ts'
import { getCsrfToken, getDemo, getMe } from '@assay/shared/auth.ts'
import { listCourses } from '@assay/shared/courses.ts'
import { getGradeApprovals } from '@assay/shared/grade-approvals.ts'
import type { BodyOf, Endpoint, ReplyOf } from '@assay/shared/http/endpoint.ts'
import { type ErrorCode, errorKinds } from '@assay/shared/http/errors.ts'
import { listLmsCourses } from '@assay/shared/lti/lti-roster.ts'
import type { Profile } from '@assay/shared/profile.ts'
import { announceGrading, listQuestions } from '@assay/shared/questions.ts'
import { listRubricItems } from '@assay/shared/rubric-items.ts'
import { listRuns } from '@assay/shared/runs.ts'
import { getPublicSettings } from '@assay/shared/settings.ts'
import type { Unbranded, User } from '@assay/shared/users.ts'
import { FetchInterceptor } from '@mswjs/interceptors/fetch/web'
import { XMLHttpRequestInterceptor } from '@mswjs/interceptors/XMLHttpRequest/web'
import { HttpResponse, http } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { tokenStore } from '../lib/session/browser-store.ts'
import { buildAssignment } from './build-course.ts'

const urlOf = (endpoint: Pick<Endpoint, 'path'>) => `*/api/v1${endpoint.path}`

/**
 * An unmocked request fails the test, except what any page may ask. Intercepts `fetch`: listening to sockets
 * (`setupServer`) takes a sixth of the tests' CPU.
 */
export const server = defineNetwork({
  sources: [new InterceptorSource({ interceptors: [new FetchInterceptor(), new XMLHttpRequestInterceptor()] })],
  handlers: [
    http.get(urlOf(getCsrfToken), () => ok(getCsrfToken, { csrf_token: 'csrf-1' })),
    http.get(urlOf(getDemo), () => ok(getDemo, { accounts: [] })),
    http.get(urlOf(getPublicSettings), () =>
      ok(getPublicSettings, { support_email: null, instructor_registration: 'open', test_pages: false }),
    ),
    http.get(urlOf(getAssignment), () => ok(getAssignment, buildAssignment())),
    http.get(urlOf(getGradeApprovals), () => ok(getGradeApprovals, { sure: 0, latest: null })),
    http.post(urlOf(announceGrading), () => ok(announceGrading, { graders: [] })),
    ...[listAssignments, listCourses, listLmsCourses, listQuestions, listRubricItems, listRuns].map((list) =>
      http.get(urlOf(list), () => HttpResponse.json([])),
    ),
  ],
  onUnhandledFrame: 'error',
  context: { quiet: true },
})

export function mockApi(): void {
  beforeAll(() => server.enable())
  afterEach(() => server.resetHandlers())
  afterAll(() => server.disable())
}

interface RecordedRequest {
  url: URL
  headers: Headers
  signal: AbortSignal
  json: () => Promise<unknown>
  text: () => Promise<string>
}

type JsonBody = Parameters<typeof HttpResponse.json>[0]
type ReplyFactory = (heard: RecordedRequest, count: number) => Response | Promise<Response>

/** Returns the requests so far. A reply that stays the same may be given as its body. */
export function mockEndpoint(endpoint: Pick<Endpoint, 'method' | 'path'>, how: ReplyFactory): RecordedRequest[]
export function mockEndpoint<E extends Endpoint>(endpoint: E, body: Unbranded<ReplyOf<E>>): RecordedRequest[]
export function mockEndpoint(endpoint: Pick<Endpoint, 'method' | 'path'>, how: unknown): RecordedRequest[] {
  const reply = typeof how === 'function' ? (how as ReplyFactory) : () => HttpResponse.json(how as JsonBody)
  const heard: RecordedRequest[] = []
  server.use(
    http[endpoint.method](urlOf(endpoint), ({ request }) => {
      const copy = request.clone()
      const one = {
        url: new URL(request.url),
        headers: request.headers,
        signal: request.signal,
        json: () => copy.json(),
        text: () => copy.text(),
      }
      heard.push(one)
      return reply(one, heard.length)
    }),
  )
  return heard
}

export function mockBodies<E extends Endpoint>(
  endpoint: E,
  how: (body: BodyOf<E>, count: number) => Response | Promise<Response>,
): BodyOf<E>[] {
  const bodies: BodyOf<E>[] = []
  mockEndpoint(endpoint, async ({ json }, count) => {
    const body = (await json()) as BodyOf<E>
    bodies.push(body)
    return how(body, count)
  })
  return bodies
}

export function ok<E extends Endpoint>(
  _endpoint: E,
  body: Unbranded<ReplyOf<E>>,
  headers?: Record<string, string>,
): Response {
  return HttpResponse.json(body as JsonBody, { headers })
}

/** Its body goes on until the caller aborts. */
export function unfinishedReply(begun: Uint8Array, { signal }: RecordedRequest, headers?: Record<string, string>) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(begun)
      signal.addEventListener('abort', () => controller.error(signal.reason))
    },
  })
  return new Response(body, { headers })
}

export function errorReply(code: ErrorCode, more: Record<string, unknown> = {}): Response {
  const { status, ...kind } = errorKinds[code]
  const body = { ...kind, detail: kind.message, error_code: code, request_id: 'r-1', timestamp: '2026-01-01T00:00:00Z' }
  return HttpResponse.json({ ...body, ...more }, { status })
}

/** As from a proxy: the screen's own words are shown. */
export const emptyErrorReply = (): Response => new HttpResponse(null, { status: 418 })

export const teacher: User = {
  id: 1,
  username: 'mkeller',
  email: 'm.keller@school.example',
  role: 'instructor',
  full_name: 'Martin Keller',
  institution: 'Lindenhof School',
  email_verified: true,
  from_lms: false,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
}

export const student: User = { ...teacher, id: 2, username: 'ada', role: 'student', full_name: 'Ada Mutombo' }
export const admin: User = { ...teacher, id: 9, username: 'alma', role: 'admin' }

const notifications = {
  emailNotifications: true,
  gradeNotifications: true,
  courseUpdates: true,
  assignmentReminders: true,
}
export const studentProfile: Profile = { ...student, notifications, has_password: true }

export function signInAs(user: User = teacher): void {
  tokenStore.set('token-1')
  mockEndpoint(getMe, () => ok(getMe, user))
}
