import { getAssignment } from '@assay/shared/assignments.ts'
import { getMe } from '@assay/shared/auth.ts'
import { openLaunch, resumeLaunch } from '@assay/shared/lti/lti.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { errorReply, mockBodies, mockEndpoint, ok, teacher } from '../../testing/mock-api.ts'
import { buildLaunch, LAUNCH_ID, launchTokenReply } from '../../testing/render-launched.tsx'
import { csrfStore, tokenStore } from '../session/browser-store.ts'
import { callApi } from './call-api.ts'
import { askForFirstData, askForLaunch, offerReplies } from './first-requests.ts'

const params = { assignmentId: 7 }
const firstPage = { skip: 0, limit: 50 }
const listOf = () => mockEndpoint(listSubmissions, () => ok(listSubmissions, [], { 'X-Total-Count': '0' }))
function answerTheRest() {
  mockEndpoint({ method: 'get', path: '/assignments/:id' }, () => HttpResponse.json({}))
  mockEndpoint({ method: 'get', path: '/assignments/:id/submissions/counts' }, () => HttpResponse.json({}))
  return mockEndpoint(getMe, () => ok(getMe, teacher, { 'X-CSRF-Token': 'csrf-of-the-session' }))
}

beforeEach(() => tokenStore.set('token-1'))

it('asks for the person and for what a screen shows first, and gives each reply to whoever asks next, once', async () => {
  const [me, list] = [answerTheRest(), listOf()]
  askForFirstData('/assignments/7/submissions', { person: true })
  expect((await callApi(getMe, {})).body.id).toBe(teacher.id)
  expect((await callApi(listSubmissions, { params, query: firstPage })).total).toBe(0)
  expect([me.length, list.length]).toEqual([1, 1])
  expect(list[0]?.headers.get('Authorization')).toBe('Bearer token-1')
  await callApi(listSubmissions, { params, query: firstPage })
  expect(list).toHaveLength(2)
})

it('has the CSRF token of the session from the person’s reply', async () => {
  answerTheRest()
  askForFirstData('/', { person: true })
  await callApi(getMe, {})
  expect(csrfStore.get()).toBe('csrf-of-the-session')
})

it('asks for nothing that the address’s filter leaves out, nor for anybody who is not signed in', async () => {
  const list = listOf()
  askForFirstData('/assignments/7/submissions?status=flagged', { person: false })
  tokenStore.set(null)
  askForFirstData('/assignments/7/submissions', { person: true })
  tokenStore.set('token-1')
  await callApi(listSubmissions, { params, query: firstPage })
  expect(list).toHaveLength(1)
})

it('gives nobody what another session asked for, nor what is out of date', async () => {
  answerTheRest()
  const list = listOf()
  askForFirstData('/assignments/7/submissions', { person: false })
  await expect.poll(() => list.length).toBe(1)
  tokenStore.set('token-2')
  await callApi(listSubmissions, { params, query: firstPage })
  expect(list.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer token-1', 'Bearer token-2'])
  vi.useFakeTimers({ toFake: ['performance'] })
  askForFirstData('/assignments/7/submissions', { person: false })
  vi.advanceTimersByTime(30_000)
  await callApi(listSubmissions, { params, query: firstPage })
  expect(list).toHaveLength(4)
})

it('tries again where the early request failed, as after any other failure', async () => {
  const tries = mockEndpoint(getAssignment, (_, count) =>
    count === 1 ? errorReply('starting_up') : errorReply('resource_not_found'),
  )
  mockEndpoint({ method: 'get', path: '/assignments/:id/submissions/:sid' }, () => HttpResponse.json({}))
  askForFirstData('/assignments/7/submissions/3', { person: false })
  await expect(callApi(getAssignment, { params })).rejects.toMatchObject({ status: 404 })
  expect(tries).toHaveLength(2)
})

describe('of a launch', () => {
  const path = '/assignments/7/submissions?skip=0&limit=50'
  const reply = { ...launchTokenReply(buildLaunch()), first_replies: [{ path, total: 3, body: [] }] }
  const openAt = (url: string) => askForLaunch(LAUNCH_ID, new URL(`/l/${LAUNCH_ID}${url}`, location.href))
  beforeEach(() => tokenStore.set(null))

  it('opens the session with what its page shows, which is then not asked again', async () => {
    const [opened, list] = [mockBodies(openLaunch, () => HttpResponse.json(reply)), listOf()]
    const page = encodeURIComponent('/assignments/7/submissions')
    openAt(`/enter?page=${page}#the-code`)
    const { body } = await callApi(openLaunch, { params: { launchId: LAUNCH_ID }, body: { code: 'the-code' } })
    expect(opened).toEqual([
      { code: 'the-code', first: expect.arrayContaining(['/assignments/7', '/assignments/7/submissions/counts']) },
    ])
    tokenStore.set(body.access_token)
    offerReplies(body)
    askForFirstData('/assignments/7/submissions', { person: false })
    expect((await callApi(listSubmissions, { params, query: firstPage })).total).toBe(3)
    expect(list).toEqual([])
    expect((await callApi(getMe, {})).body.id).toBe(teacher.id)
    expect(csrfStore.get()).toBe('csrf-of-launch')
  })

  it('resumes it after a reload, and leaves one to the program that the LMS’s storage is to be asked for', async () => {
    const opened = mockBodies(openLaunch, () => HttpResponse.json(reply))
    const resumed = mockBodies(resumeLaunch, () => HttpResponse.json(reply))
    openAt('/enter?frame=_parent&page=%2Fdashboard#the-code')
    openAt('/student/dashboard')
    await expect.poll(() => resumed).toEqual([{ first: ['/student/dashboard'] }])
    expect(opened).toEqual([])
  })
})
