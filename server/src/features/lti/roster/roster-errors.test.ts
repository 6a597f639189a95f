import { once } from 'node:events'
import { createServer } from 'node:http'
import { deleteCourse, listCourseStudents } from '@assay/shared/courses.ts'
import { listLmsCourses, stopLmsSync, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { beforeEach, expect, it } from 'vitest'
import { JobModel } from '../../../lib/jobs/job.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { linkAssignment } from '../../../testing/lti-records.ts'
import {
  buildLinkedCourse,
  findMember,
  type LinkedCourse,
  launchAndSignIn,
  reloadContext,
  syncRoster,
  useRegisteredLms,
  waitForSync,
} from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'
import { queueRosterSync } from './roster-sync.ts'

/** In ms. */
let ahead = 0
const server = useServer({}, { clock: { now: () => new Date(Date.now() + ahead) } })
beforeEach(() => {
  ahead = 0
})
const school = useRegisteredLms(server, { kind: 'canvas', pageSize: 2 })

const enrolled = async ({ teacher, courseId }: LinkedCourse) =>
  (await teacher.send(listCourseStudents, { params: { courseId } })).body.length

async function startOther() {
  let heard = 0
  const other = createServer((_request, response) => {
    heard += 1
    response.end('{"members": []}')
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  if (typeof address !== 'object' || !address) throw new Error('it listens on a port')
  return { url: `http://127.0.0.1:${address.port}`, heard: () => heard, close: () => other.close() }
}

const jobOf = ({ context }: LinkedCourse) => ({ name: 'sync-lms-roster', 'payload.contextId': context._id })

async function passWait(tied: LinkedCourse) {
  const job = await JobModel.findOne({ ...jobOf(tied), status: 'queued' }).lean()
  if (job) ahead = Math.max(ahead, job.run_at.getTime() - Date.now())
}
const syncInTime = (tied: LinkedCourse) => syncRoster(tied, {}, () => passWait(tied))

const isPage = (n: number) => (request: { url: string }) =>
  Number(new URL(request.url, 'http://lms').searchParams.get('from') ?? 0) === (n - 1) * 2

async function classThatLostOne() {
  const { lms } = school()
  const { course, students } = lms.classOf(5)
  lms.requestLog.clear()
  const tied = await buildLinkedCourse(school(), course)
  expect(await syncRoster(tied)).toMatchObject({ state: 'done', created: 6 })
  const [gone] = students
  if (!gone) throw new Error('a student')
  lms.unenrol(course, gone)
  return { lms, course, tied, gone }
}

async function nobodyIsSuspended({ tied, gone }: Awaited<ReturnType<typeof classThatLostOne>>) {
  expect(await findMember(tied.context, gone)).toMatchObject({ status: 'active' })
  expect(await enrolled(tied)).toBe(5)
}

it('reads every page, and says which one is missing; nobody is suspended by a partial list', async () => {
  const world = await classThatLostOne()
  const { lms, course, tied } = world
  lms.enrol(course, lms.addUser({ name: 'Early Comer' }), 'Learner')
  const stop = lms.fail('members', { status: 404, when: isPage(3), times: 99 })
  const failed = await syncRoster(tied)
  expect(failed).toMatchObject({ state: 'failed', suspended: 0 })
  expect(failed.problem).toMatch(/^Page 3 of the roster could not be read: 127\.0\.0\.1:\d+ answered 404/)
  await nobodyIsSuspended(world)
  stop()
  expect(await syncRoster(tied)).toMatchObject({ state: 'done', suspended: 1, created: 1 })
  expect(await enrolled(tied)).toBe(5)
})

it('retries automatically after errors of the LMS, resumes where it was, and has nobody twice', async () => {
  const world = await classThatLostOne()
  const { lms, tied } = world
  const users = await UserModel.countDocuments()
  lms.fail('members', { status: 500, when: isPage(2), times: 1 })
  lms.fail('members', { reset: 'after', when: isPage(3), times: 1 })
  lms.requestLog.requests.length = 0
  expect(await syncInTime(tied)).toMatchObject({ state: 'done', suspended: 1, unchanged: 5, listed: 5, problem: null })
  expect(lms.requestsTo('members').filter(isPage(1))).toHaveLength(1)
  expect(lms.requestsTo('members')).toHaveLength(5)
  expect(await UserModel.countDocuments()).toBe(users)
})

it('says while it runs why it retries, and can be stopped', async () => {
  const world = await classThatLostOne()
  const { lms, tied } = world
  lms.fail('members', { status: 503, reason: 'Be right back', times: 99 })
  const params = { courseId: tied.courseId }
  await tied.teacher.send(syncLmsRoster, { params, body: {} })
  const report = async () => (await tied.teacher.send(listLmsCourses, { params })).body[0]?.report
  await expect.poll(report).toMatchObject({ state: 'running', problem: expect.stringMatching(/503 Be right back/) })
  const stopped = await tied.teacher.send(stopLmsSync, { params })
  expect(stopped.body[0]?.report).toMatchObject({ state: 'stopped', problem: null })
  await nobodyIsSuspended(world)
  lms.requestLog.clear()
  expect(await syncRoster(tied)).toMatchObject({ state: 'done', suspended: 1 })
})

it('ends when its course is deleted, and leaves nothing for the next', async () => {
  const { lms, tied } = await classThatLostOne()
  lms.fail('members', { status: 503, reason: 'Be right back', times: 99 })
  const params = { courseId: tied.courseId }
  await tied.teacher.send(syncLmsRoster, { params, body: {} })
  await expect.poll(() => lms.requestsTo('members').length).toBeGreaterThan(0)
  expect((await tied.teacher.send(deleteCourse, { params })).status).toBe(200)
  lms.requestLog.clear()
  expect(await reloadContext(tied.context)).toMatchObject({ course_id: null, roster: null })
  await expect.poll(() => passWait(tied).then(() => JobModel.countDocuments(jobOf(tied)))).toBe(0)
  expect(await reloadContext(tied.context)).toMatchObject({ course_id: null, roster: null })
})

it('fails after a while, says why, and is due again within hours', async () => {
  const world = await classThatLostOne()
  const { lms, tied } = world
  lms.fail('token', { status: 500, times: 99 })
  lms.tokens.revokeAll()
  const failed = await syncInTime(tied)
  const times = lms.requestsTo('token').map(({ at }) => at.getTime())
  // 1 + 2 + 4 + 8 s.
  expect(times).toHaveLength(5)
  expect(ahead + (times[4] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(15_000)
  lms.requestLog.clear()
  expect(failed.state).toBe('failed')
  expect(failed.problem).toMatch(/Page 1 .* denied access \(500/)
  await nobodyIsSuspended(world)
  const due = (await reloadContext(tied.context))?.sync_due_at?.getTime() ?? 0
  const now = Date.now() + ahead
  expect(due).toBeGreaterThan(now)
  expect(due).toBeLessThan(now + 2 * 60 * 60 * 1000)
})

it.each([
  ['a redirect', { redirect: 'https://elsewhere.example/members' }, /redirect/],
  ['something else than a roster', { status: 200, body: '<html>Log in</html>' }, /did not return a list of members/],
  ['too much', { status: 200, body: `"${'x'.repeat(17 * 1024 * 1024)}"` }, /a reply that is too large/],
  ['a refusal', { status: 403, body: 'no' }, /Names and Role Provisioning Services/],
])('takes %s for no roster, and does not ask for it again and again', async (_, fault, words) => {
  const world = await classThatLostOne()
  const { lms, tied } = world
  lms.requestLog.requests.length = 0
  lms.fail('members', { ...fault, when: isPage(2), times: 99 })
  const failed = await syncRoster(tied)
  expect(failed).toMatchObject({ state: 'failed', suspended: 0 })
  expect(failed.problem).toMatch(words)
  expect(lms.requestsTo('members').length).toBe(2)
  await nobodyIsSuspended(world)
})

it('does not follow a next page to another host', async () => {
  const world = await classThatLostOne()
  const { lms, tied } = world
  const other = await startOther()
  const body = { members: [] }
  const headers = { link: `<${other.url}/members?from=2>; rel="next"` }
  lms.fail('members', { status: 200, headers, body, when: isPage(2), times: 99 })
  const failed = await syncRoster(tied)
  other.close()
  expect(failed.state).toBe('failed')
  expect(failed.problem).toMatch(/its next page is at 127\.0\.0\.1:\d+ instead of 127\.0\.0\.1:\d+/)
  expect(other.heard()).toBe(0)
  await nobodyIsSuspended(world)
})

it('rejects a list whose pages repeat', async () => {
  const world = await classThatLostOne()
  const { lms, tied } = world
  lms.settings.endlessRoster = true
  const failed = await syncRoster(tied)
  lms.settings.endlessRoster = false
  expect(failed).toMatchObject({ state: 'failed' })
  expect(failed.problem).toMatch(/endlessly/)
  await nobodyIsSuspended(world)
})

it('names an entry that cannot be read, and continues with the others', async () => {
  const { lms } = school()
  const { course, students } = lms.classOf(3)
  const tied = await buildLinkedCourse(school(), course)
  await syncRoster(tied)
  const [broken, one] = students
  if (!broken || !one) throw new Error('students')
  const entry = (person: { id: string; name: string }) => ({
    user_id: person.id,
    name: person.name,
    roles: ['Learner'],
  })
  const members = [
    { user_id: broken.id, name: 'Broken Entry' },
    { name: 'No Id', roles: ['Learner'] },
    'nonsense',
    ...students.slice(1).map(entry),
    { ...entry({ id: '4711', name: 'New One' }), email: 12, status: 'Active' },
  ]
  lms.fail('members', { status: 200, body: { members } })
  const report = await syncRoster(tied)
  expect(report).toMatchObject({ state: 'done', unreadable: 3, created: 1, listed: 6 })
  expect(report.notes).toEqual([
    'Broken Entry: “roles” is missing or wrong.',
    'No Id: “user_id” is missing or wrong.',
    'Entry 3 is not a roster entry.',
  ])
  // Only the teacher was left out.
  expect(await findMember(tied.context, broken)).toMatchObject({ status: 'active' })
  expect(report.suspended).toBe(1)
  expect(await enrolled(tied)).toBe(4)
})

it('says that a page is longer than an LMS would send it, and suspends nobody', async () => {
  const { lms } = school()
  const { course } = lms.classOf(5)
  const tied = await buildLinkedCourse(school(), course)
  await syncRoster(tied)
  const members = Array.from({ length: 60_000 }, () => ({}))
  lms.fail('members', { status: 200, body: { members } })
  expect(await syncRoster(tied)).toMatchObject({
    state: 'failed',
    problem: 'Page 1 of the roster could not be read: the LMS listed more than 50,000 entries on one page.',
  })
  expect(await enrolled(tied)).toBe(5)
})

it('lists by link where the LMS has no other list, and then suspends only members listed as inactive', async () => {
  const { lms, deployment } = school()
  const { course, students } = lms.classOf(3)
  const tied = await buildLinkedCourse(school(), course)
  await linkAssignment(lms, tied.context, lms.addLink(course, { deployment }), null)
  await linkAssignment(lms, tied.context, lms.addLink(course, { deployment }), null)
  const withoutLink = (request: { url: string }) => !request.url.includes('rlid=')
  const stop = lms.fail('members', { status: 400, when: withoutLink, times: 99 })
  const report = await syncRoster(tied)
  expect(report).toMatchObject({ state: 'done', created: 4, listed: 8 })
  expect(report.notes[0]).toMatch(/per link only/)
  const [gone, inactive] = students
  if (!gone || !inactive) throw new Error('students')
  lms.unenrol(course, gone)
  lms.enrol(course, inactive, 'Learner', 'Inactive')
  expect(await syncRoster(tied)).toMatchObject({ state: 'done', suspended: 1 })
  stop()
  expect(await findMember(tied.context, gone)).toMatchObject({ status: 'active' })
  expect(await findMember(tied.context, inactive)).toMatchObject({ status: 'suspended' })
})

it('runs once for two requests at the same moment', async () => {
  const { lms } = school()
  const { course } = lms.classOf(3)
  const tied = await buildLinkedCourse(school(), course)
  lms.requestLog.requests.length = 0
  const gate = Promise.withResolvers<void>()
  const end = lms.fail('members', { before: () => gate.promise, times: Infinity })
  const asked = await Promise.all([1, 2, 3].map(() => queueRosterSync(tied.context._id, server.running.services)))
  expect(asked.filter(Boolean)).toHaveLength(1)
  const params = { courseId: tied.courseId }
  expect((await tied.teacher.send(syncLmsRoster, { params, body: {} })).status).toBe(202)
  end()
  gate.resolve()
  const [lmsCourse] = await waitForSync(tied)
  expect(lmsCourse?.report).toMatchObject({ state: 'done', created: 4 })
  expect(lms.requestsTo('members')).toHaveLength(2)
})

it('does not suspend members who launched while the list was being read', async () => {
  const { lms } = school()
  const { course, students } = lms.classOf(5)
  const [late] = students
  if (!late) throw new Error('a student')
  lms.unenrol(course, late)
  const tied = await buildLinkedCourse(school(), course)
  await syncRoster(tied)
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const before = () => {
    reached.resolve()
    return gate.promise
  }
  lms.fail('members', { before, when: isPage(3) })
  const params = { courseId: tied.courseId }
  await tied.teacher.send(syncLmsRoster, { params, body: {} })
  await reached.promise
  const report = async () => (await tied.teacher.send(listLmsCourses, { params })).body[0]?.report
  const halfway = { state: 'running', listed: 4, unchanged: 4 }
  await expect.poll(report).toMatchObject(halfway)
  lms.enrol(course, late, 'Learner')
  await launchAndSignIn(school(), { as: late, course, message: 'LtiDeepLinkingRequest' })
  lms.unenrol(course, late)
  gate.resolve()
  await waitForSync(tied)
  expect(await findMember(tied.context, late)).toMatchObject({ status: 'active' })
})
