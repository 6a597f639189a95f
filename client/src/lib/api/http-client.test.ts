import { getCsrfToken } from '@assay/shared/auth.ts'
import { createCourse, listCourses } from '@assay/shared/courses.ts'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { buildCourse, buildCourseDetail } from '../../testing/build-course.ts'
import { errorReply, mockEndpoint, ok } from '../../testing/mock-api.ts'
import { csrfStore, tokenStore } from '../session/browser-store.ts'
import { ApiError } from './api-error.ts'
import { callApi } from './call-api.ts'
import { startCsrfRefresh } from './csrf.ts'
import { retryDelay, retryTimer } from './http-client.ts'

const course = buildCourse()
const opened = buildCourseDetail()
let waits: number[] = []

beforeEach(() => {
  waits = []
  retryTimer.wait = async (ms) => void waits.push(ms)
  tokenStore.set('token-1')
  csrfStore.set('csrf-1')
})

const failed = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  )
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${error}`)
  return error
}

it('who is calling does not sign a new session out over a late answer to the old one', async () => {
  mockEndpoint(listCourses, () => {
    tokenStore.set('token-2')
    return errorReply('auth_required')
  })
  expect((await failed(callApi(listCourses, {}))).status).toBe(401)
  expect(tokenStore.get()).toBe('token-2')
})

it('who is calling sends the token with reads, and the CSRF token with changes only', async () => {
  const reads = mockEndpoint(listCourses, () => ok(listCourses, [course], { 'X-Total-Count': '41' }))
  const changes = mockEndpoint(createCourse, () => ok(createCourse, opened))
  const list = await callApi(listCourses, { query: { skip: 40, limit: 1 } })
  await callApi(createCourse, { body: { name: 'Biology 8b' } })
  expect(list).toEqual({ body: [course], total: 41 })
  expect(reads[0]?.url.search).toBe('?skip=40&limit=1')
  expect(reads[0]?.headers.get('Authorization')).toBe('Bearer token-1')
  expect(reads[0]?.headers.has('X-CSRF-Token')).toBe(false)
  expect(changes[0]?.headers.get('X-CSRF-Token')).toBe('csrf-1')
})

it('who is calling fetches a new CSRF token after a refusal and repeats the change once', async () => {
  const asked = mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-2' }))
  const tries = mockEndpoint(createCourse, (_, count) =>
    count === 1 ? errorReply('csrf_failed', { type: 'csrf_error' }) : ok(createCourse, opened),
  )
  expect((await callApi(createCourse, { body: { name: 'Biology 8b' } })).body.id).toBe(7)
  expect(tries.map((one) => one.headers.get('X-CSRF-Token'))).toEqual(['csrf-1', 'csrf-2'])
  expect(asked).toHaveLength(1)
  expect(csrfStore.get()).toBe('csrf-2')
})

it('who is calling gives up when the new CSRF token is refused too', async () => {
  mockEndpoint(getCsrfToken, () => ok(getCsrfToken, { csrf_token: 'csrf-2' }))
  const tries = mockEndpoint(createCourse, () => errorReply('csrf_failed', { type: 'csrf_error' }))
  expect((await failed(callApi(createCourse, { body: { name: 'x' } }))).code).toBe('csrf_failed')
  expect(tries).toHaveLength(2)
})

it('who is calling does not take another 403 for a CSRF refusal', async () => {
  const tries = mockEndpoint(createCourse, () => errorReply('auth_insufficient_permissions'))
  expect((await failed(callApi(createCourse, { body: { name: 'x' } }))).status).toBe(403)
  expect(tries).toHaveLength(1)
  expect(tokenStore.get()).toBe('token-1')
})

it('who is calling signs out when the session has ended, but not on a wrong password', async () => {
  mockEndpoint(listCourses, () => errorReply('invalid_credentials'))
  await failed(callApi(listCourses, {}))
  expect(tokenStore.get()).toBe('token-1')
  mockEndpoint(listCourses, () => errorReply('auth_required'))
  await failed(callApi(listCourses, {}))
  expect(tokenStore.get()).toBeNull()
})

it('trying again repeats a read three times, then fails with what the server said', async () => {
  const tries = mockEndpoint(listCourses, () => errorReply('starting_up'))
  const error = await failed(callApi(listCourses, {}))
  expect(tries).toHaveLength(4)
  expect(waits).toHaveLength(3)
  expect(error.message).toBe('Assay is starting. Please try again in a moment.')
})

it('trying again succeeds when the network comes back', async () => {
  mockEndpoint(listCourses, (_, count) => (count < 3 ? HttpResponse.error() : ok(listCourses, [course])))
  expect((await callApi(listCourses, {})).body).toHaveLength(1)
  expect(waits).toHaveLength(2)
})

it.each(['bad_request', 'resource_not_found', 'validation_failed'] as const)(
  'trying again does not repeat a read after %s',
  async (code) => {
    const tries = mockEndpoint(listCourses, () => errorReply(code))
    await failed(callApi(listCourses, {}))
    expect(tries).toHaveLength(1)
  },
)

it('trying again never repeats a change: it may have happened', async () => {
  const tries = mockEndpoint(createCourse, () => errorReply('service_unavailable'))
  await failed(callApi(createCourse, { body: { name: 'x' } }))
  const lost = mockEndpoint(createCourse, () => HttpResponse.error())
  expect((await failed(callApi(createCourse, { body: { name: 'x' } }))).code).toBe('network_error')
  expect(tries).toHaveLength(1)
  expect(lost).toHaveLength(1)
})

it('trying again waits a second doubled each time, from half of it to all of it, ten seconds at most', () => {
  expect([0, 1, 2, 3].map((attempt) => retryDelay(attempt, 1))).toEqual([1000, 2000, 4000, 8000])
  expect(retryDelay(0, 0)).toBe(500)
  expect(retryDelay(9, 1)).toBe(10_000)
})

it('a call without an answer times out after 30 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const heard = mockEndpoint(createCourse, () => new Promise<Response>(() => {}))
  let error: ApiError | null = null
  const done = failed(callApi(createCourse, { body: { name: 'x' } })).then((cause) => {
    error = cause
  })
  await expect.poll(() => heard).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(25_000)
  expect(error).toBeNull()
  await vi.advanceTimersByTimeAsync(5000)
  await done
  expect(error).toMatchObject({ code: 'timeout', message: 'The server did not answer in time. Please try again.' })
})

describe('what a failure says', () => {
  const said = async (status: number, body: BodyInit, headers = {}) => {
    mockEndpoint(createCourse, () => new HttpResponse(body, { status, headers }))
    return failed(callApi(createCourse, { body: { name: 'x' } }))
  }

  it('shows messages at their fields', async () => {
    const detail = [
      { loc: ['body', 'name'], msg: 'Course name is required', type: 'too_small' },
      { loc: ['body', 'name'], msg: 'second', type: 'x' },
    ]
    mockEndpoint(createCourse, () => errorReply('validation_failed', { detail }))
    const error = await failed(callApi(createCourse, { body: { name: 'x' } }))
    expect(error.fields).toEqual({ name: 'Course name is required' })
    expect(error.message).toBe('Course name is required, second')
  })

  it('reads a page of a proxy as what its status means', async () => {
    const error = await said(502, '<html>Bad gateway</html>')
    expect(error.code).toBe('service_unavailable')
    expect(error.reply.contact_support).toBe(true)
    expect(error.message).toMatch(/^A server error occurred/)
  })

  it.each([
    ['{"detail":"No room"}', 'No room'],
    ['{"detail":[{"detail":"Inner"}]}', 'Inner'],
    ['{"detail":[{"detail":[{"msg":"a"},{"msg":"b"}]}]}', 'a, b'],
    ['{"detail":[{"msg":"a"},{"msg":"b"}]}', 'a, b'],
    ['{"detail":{"message":"Graded","validation_details":{"warnings":["28 grades"]}}}', 'Graded\nWarnings:\n28 grades'],
  ])('reads %s', async (body, message) => {
    expect((await said(400, body)).message).toBe(message)
  })

  it.each([
    [400, 'bad_request', 'The request contains invalid information. Please check your input and try again.'],
    [401, 'auth_required', 'You need to log in to access this resource.'],
    [403, 'auth_insufficient_permissions', "You don't have permission to perform this action."],
    [404, 'resource_not_found', 'The requested resource could not be found.'],
    [422, 'validation_failed', 'Please check your input and correct any errors before submitting.'],
    [429, 'rate_limit_exceeded', 'Too many requests. Please wait 60 seconds before trying again.'],
    ...[500, 502, 503, 504].map(
      (status) =>
        [
          status,
          'service_unavailable',
          'A server error occurred. Our team has been notified and is working to fix the issue.',
        ] as const,
    ),
    [418, 'unexpected_error', 'An unexpected error occurred. Please try again or contact support.'],
  ] as const)('makes of a bare %i %s', async (status, code, message) => {
    const { reply } = await said(status, '')
    expect(reply).toMatchObject({ error_code: code, message })
    expect(reply.can_retry).toBe(![401, 403, 404].includes(status))
    expect(reply.contact_support).toBe(status >= 500 || status === 418)
    if (status === 401) expect(reply.category).toBe('auth')
    if (status === 400) expect(reply.category).toBe('client')
  })

  it.each(['client', 'a category of its own'])(
    'offers to reload after a code of a later release, of %s',
    async (category) => {
      const { reply } = ApiError.of('conflict', 'Another paper was split.')
      const error = await said(409, JSON.stringify({ ...reply, error_code: 'told_later', category }))
      expect(error.code).toBe('told_later')
      expect(error.message).toMatch(/^Another paper was split\. Assay was updated .* reload it/)
    },
  )

  it('says how long to wait after too many requests', async () => {
    const error = await said(429, '', { 'Retry-After': '30' })
    expect(error.reply.message).toBe('Too many requests. Please wait 30 seconds before trying again.')
  })

  it('reports a success that breaks the contract as a failure', async () => {
    mockEndpoint(listCourses, () => HttpResponse.json([{ id: 'seven' }]))
    expect((await failed(callApi(listCourses, {}))).message).toBe('Invalid response from server. Please try again.')
  })
})

it('fetches a CSRF token at the start and every 1,800,000 ms, and stores it for the tab', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  tokenStore.set(null)
  const asked = mockEndpoint(getCsrfToken, (_, count) => ok(getCsrfToken, { csrf_token: `fresh-${count}` }))
  const stop = startCsrfRefresh()
  await expect.poll(() => sessionStorage.getItem('assay.csrf')).toBe('fresh-1')
  await vi.advanceTimersByTimeAsync(1_790_000)
  expect(asked).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(() => csrfStore.get()).toBe('fresh-2')
  stop()
  await vi.advanceTimersByTimeAsync(1_800_000)
  expect(asked).toHaveLength(2)
})
