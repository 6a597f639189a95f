import { getCsrfToken, getMe, signOut } from '@assay/shared/auth.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import { getLaunch, openInWindow, openLaunch, resumeLaunch } from '@assay/shared/lti/lti.ts'
import { expect, it } from 'vitest'
import type { Person } from '../../../../../tests/fake-lms/data/lms-data.ts'
import { CLAIM, type Claims, roleUri } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { LtiMemberModel } from '../../../records/lti/member.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { SessionModel } from '../../../records/people/session.model.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import {
  exchangeLaunchCode,
  launchAndSignIn,
  launchToHandoff,
  setUpCourse,
  startRegisteredLms,
  useRegisteredLms,
} from '../../../testing/registered-lms.ts'
import { useTestApi } from '../../../testing/server.ts'
import { endSessionsOfPlatform, requireLaunch } from './launch.service.ts'

const { api, server } = useTestApi()
const school = useRegisteredLms(server)

function classWithLink(students = 0) {
  const { lms, deployment } = school()
  const found = lms.classOf(students)
  return { ...found, link: lms.addLink(found.course, { deployment, title: 'Quiz 1' }) }
}

it('lets a teacher in as an instructor, and their student as a student who waits', async () => {
  const { lms } = school()
  const { course, teacher, students, link } = classWithLink(1)
  const first = await launchAndSignIn(school(), { as: teacher, link })
  expect(first.launch).toMatchObject({
    role: 'instructor',
    purpose: 'set_up',
    path: '/lti/set-up',
    context_title: course.title,
    link_title: 'Quiz 1',
    parent_origin: lms.url,
    lms_administrator: null,
    can_join_account: true,
  })
  expect((await first.caller.send(getMe)).body).toMatchObject({ role: 'instructor', full_name: teacher.name })
  const [student] = students
  if (!student) throw new Error('a student')
  const second = await launchAndSignIn(school(), { as: student, link })
  expect(second.launch).toMatchObject({ role: 'student', purpose: 'waiting', path: '/lti/waiting' })
  expect((await second.caller.send(getLaunch)).body).toEqual(second.launch)
})

it('leaves a teacher who switches to a lesser role what they are, alone or beside another', async () => {
  const { lms } = school()
  const room = await setUpCourse(school())
  const { courseId, course, link, teacherLaunch: sole } = room
  const other = lms.addUser()
  lms.enrol(course, other, 'Instructor')
  const added = await launchAndSignIn(school(), { as: other, link })
  const opened = async (as: Person, role?: string) => {
    const mutate = (claims: Claims) => role && Object.assign(claims, { [`${CLAIM}/roles`]: [role] })
    return (await launchAndSignIn(school(), { as, link, mutate })).launch
  }
  for (const as of [other, room.teacher]) {
    expect(await opened(as, roleUri('Learner'))).toMatchObject({ role: 'student', purpose: 'student_view' })
    expect(await opened(as, roleUri('Mentor'))).toMatchObject({ role: 'student', purpose: 'no_role' })
    for (const { caller } of [sole, added])
      expect((await caller.send(listCourseStudents, { params: { courseId } })).body).toEqual([])
    expect(await opened(as)).toMatchObject({ role: 'instructor', purpose: 'open' })
  }
  lms.enrol(course, other, 'Learner')
  const mended = lms.fail('members', { status: 500, times: 20 })
  expect(await opened(other)).toMatchObject({ role: 'student', purpose: 'student_view' })
  mended()
  expect(await opened(other)).toMatchObject({ role: 'student', purpose: 'open' })
  expect((await added.caller.send(listCourseStudents, { params: { courseId } })).status).toBe(404)
})

it('makes a student of a teacher who has come as one alone for a week, where the LMS lists nobody', async () => {
  const { lms } = school()
  const { courseId, course, link } = await setUpCourse(school())
  lms.fail('members', { status: 500, times: Infinity })
  const other = lms.addUser()
  const today = Math.floor(Date.now() / 86_400_000)
  const opened = async (role: 'Instructor' | 'Learner', before: number[]) => {
    lms.enrol(course, other, role)
    const days = before.map((days) => today - days)
    await LtiMemberModel.updateOne({ sub: other.id }, { $addToSet: { lesser_days: { $each: days } } })
    return launchAndSignIn(school(), { as: other, link })
  }
  const { caller } = await opened('Instructor', [])
  const list = async () => (await caller.send(listCourseStudents, { params: { courseId } })).status
  for (const days of [[6, 1], [8]]) {
    expect((await opened('Learner', days)).launch.purpose).toBe(days.length > 1 ? 'student_view' : 'open')
    expect(await list()).toBe(days.length > 1 ? 200 : 404)
  }
  expect((await opened('Instructor', [])).launch.purpose).toBe('open')
  expect((await opened('Learner', [7])).launch.purpose).toBe('student_view')
})

it('opens by its code once: of two who bring it at the same moment one gets in', async () => {
  const { teacher, link } = classWithLink()
  const { exchange } = await launchToHandoff(school(), { as: teacher, link })
  const replies = await Promise.all([1, 2, 3].map(exchange))
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  const { name } = school().platform
  expect(await exchange()).toMatchObject({
    status: 401,
    body: { detail: expect.stringContaining(`from your course in ${name}`), lms: name },
  })
})

it('reads what the page shows first with the session it opens, and leaves what fails to the page', async () => {
  const { teacher, link } = classWithLink()
  const { launchId, headers, location } = await launchToHandoff(school(), { as: teacher, link })
  const open = (first: string[]) =>
    api.nobody.send(openLaunch, { params: { launchId }, body: { code: location.split('#')[1] ?? '', first }, headers })
  for (const wrong of [
    ['/../admin'],
    ['/admin/users'],
    ['/assignments/1/submissions/2/file'],
    Array(7).fill('/courses/1'),
  ])
    expect((await open(wrong)).status).toBe(422)
  const { body } = await open(['/courses?skip=0&limit=5', '/assignments/999', '/student/dashboard'])
  expect(body.first_replies).toEqual([{ path: '/courses?skip=0&limit=5', total: 0, body: [] }])
})

it('opens by its code for a minute, and stores nothing of it in the clear', async () => {
  const { teacher, link } = classWithLink()
  const { location, launchId, headers, exchange } = await launchToHandoff(school(), { as: teacher, link })
  const stored = await LtiLaunchModel.findById(launchId).lean()
  for (const secret of [location.split('#')[1] ?? '', headers.cookie?.split('=')[1] ?? '']) {
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(stored)).not.toContain(secret)
  }
  const minute = (stored?.code_expires_at.getTime() ?? 0) - (stored?.created_at.getTime() ?? 0)
  expect(minute).toBe(60_000)
  await LtiLaunchModel.updateOne({ _id: launchId }, { $set: { code_expires_at: new Date(Date.now() - 1) } })
  expect((await exchange()).status).toBe(401)
  const guessed = await exchangeLaunchCode(server, `/l/${launchId}/enter#${launchId}`, headers)
  expect(guessed.status).toBe(401)
})

it('opens by its code in the browser that launched alone, and another’s try does not use it up', async () => {
  const { teacher, link } = classWithLink()
  const { location, exchange } = await launchToHandoff(school(), { as: teacher, link })
  const other = await launchToHandoff(school(), { as: teacher, link })
  for (const headers of [{}, other.headers]) {
    const reply = await exchangeLaunchCode(server, location, headers)
    expect(reply).toMatchObject({ status: 401, body: { detail: expect.stringContaining('another browser') } })
  }
  const elsewhere = location.replace(/\/l\/[\w-]+/, `/l/${other.launchId}`)
  expect((await exchangeLaunchCode(server, elsewhere, other.headers)).status).toBe(401)
  expect((await exchange()).status).toBe(200)
  expect((await other.exchange()).status).toBe(200)
})

it('sets a cookie that goes to its own launch alone, from a frame of another site too', async () => {
  const { teacher, link } = classWithLink()
  const { exchange, launchId } = await launchToHandoff(school(), { as: teacher, link })
  const { headers } = await exchange()
  const [cookie = ''] = headers.getSetCookie()
  const [pair, ...attributes] = cookie.split('; ')
  expect(pair).toMatch(/^assay_resume=[\w-]{43}$/)
  expect(attributes).toEqual(
    expect.arrayContaining([
      `Path=/api/v1/auth/lti/resume/${launchId}`,
      'HttpOnly',
      'Secure',
      'SameSite=None',
      'Partitioned',
    ]),
  )
  // The next person at the computer does not find it.
  expect(attributes.filter((attribute) => /^(max-age|expires)=/i.test(attribute))).toEqual([])
  expect(headers.get('cache-control')).toBe('no-store')
})

it('resumes by the cookie of the launch alone, the same session, and not once signed out', async () => {
  const { teacher, link } = classWithLink()
  const one = await launchAndSignIn(school(), { as: teacher, link })
  const other = await launchAndSignIn(school(), { as: teacher, link })
  const params = { launchId: one.launch.id }
  const resume = (cookie?: string) =>
    api.nobody.send(resumeLaunch, { params, ...(cookie ? { headers: { cookie } } : {}) })
  const sessions = await SessionModel.countDocuments({ user_id: one.userId })
  const resumed = await resume(one.cookie)
  expect(resumed).toMatchObject({ status: 200, body: { launch: one.launch } })
  expect((await api.withToken(resumed.body.access_token).send(getMe)).status).toBe(200)
  expect(await SessionModel.countDocuments({ user_id: one.userId })).toBe(sessions)
  const { name } = school().platform
  expect(await resume()).toMatchObject({
    status: 401,
    body: { detail: expect.stringContaining(`in ${name}.`), lms: name },
  })
  expect((await resume(other.cookie)).status).toBe(401)
  expect((await resume(`${one.cookie}x`)).status).toBe(401)
  await one.caller.send(signOut)
  expect(await resume(one.cookie)).toMatchObject({ status: 401, body: { error_code: 'auth_required' } })
  expect((await other.caller.send(getMe)).status).toBe(200)
})

it('has one launch for each session: another token of the same person knows another launch', async () => {
  const { lms, deployment } = school()
  const { teacher, course } = lms.classOf(0)
  const launches = await Promise.all(
    ['Quiz A', 'Quiz B'].map((title) =>
      launchAndSignIn(school(), { as: teacher, link: lms.addLink(course, { deployment, title }) }),
    ),
  )
  const titles = await Promise.all(launches.map(({ caller }) => caller.send(getLaunch)))
  expect(titles.map(({ body }) => body.link_title)).toEqual(['Quiz A', 'Quiz B'])
  const [one] = launches
  if (!one) throw new Error('a launch')
  const actor = { id: one.userId, role: 'instructor' as const, launchId: one.launch.id, sessionId: 'another' }
  await expect(requireLaunch(actor)).rejects.toMatchObject({ code: 'resource_not_found' })
  const person = await buildPerson('instructor')
  expect((await api.as(person).send(getLaunch)).status).toBe(404)
})

it('needs the CSRF token of its session for every change, like any sign-in', async () => {
  const { teacher, link } = classWithLink()
  const { token } = await launchAndSignIn(school(), { as: teacher, link })
  const url = `${server.running.url}/api/v1${signOut.path}`
  const bare = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  expect(bare.status).toBe(403)
  const { body } = await api.nobody.send(getCsrfToken)
  const headers = { authorization: `Bearer ${token}`, 'x-csrf-token': body.csrf_token }
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(403)
})

it('ends with its LMS: sessions, resuming and codes not yet traded, but nobody else’s', async () => {
  const gone = await startRegisteredLms(server)
  const { course, teacher } = gone.lms.classOf(0)
  const link = gone.lms.addLink(course, { deployment: gone.deployment })
  const open = await launchAndSignIn(gone, { as: teacher, link })
  const { exchange } = await launchToHandoff(gone, { as: teacher, link })
  const elsewhere = await launchAndSignIn(school(), { as: classWithLink().teacher, link: classWithLink().link })
  await LtiPlatformModel.updateOne({ _id: gone.platform._id }, { $set: { status: 'off' } })
  expect((await open.caller.send(getLaunch)).status).toBe(404)
  const resume = { params: { launchId: open.launch.id }, headers: { cookie: open.cookie } }
  expect((await api.nobody.send(resumeLaunch, resume)).status).toBe(403)
  expect((await exchange()).status).toBe(403)
  await endSessionsOfPlatform(gone.platform._id, server.running.services)
  expect((await open.caller.send(getMe)).status).toBe(401)
  await LtiPlatformModel.updateOne({ _id: gone.platform._id }, { $set: { status: 'active' } })
  expect((await api.nobody.send(resumeLaunch, resume)).status).toBe(401)
  expect((await exchange()).status).toBe(401)
  expect((await elsewhere.caller.send(getMe)).status).toBe(200)
  await gone.lms.close()
})

it('opens the same place for the same person in a session of its own, once', async () => {
  const { teacher, link } = classWithLink(1)
  const framed = await launchAndSignIn(school(), { as: teacher, link })
  const { body } = await framed.caller.send(openInWindow)
  expect(body.path).toMatch(/^\/l\/[\w-]{20,}\/enter#[\w-]{40,}$/)
  const { status, body: entered } = await exchangeLaunchCode(server, body.path)
  expect(status).toBe(200)
  const { id, ...rest } = entered.launch
  expect({ ...rest, id: framed.launch.id }).toEqual(framed.launch)
  expect(id).not.toBe(framed.launch.id)
  const window = api.withToken(entered.access_token)
  expect((await window.send(getMe)).body).toMatchObject({ id: framed.userId, role: 'instructor' })
  expect((await exchangeLaunchCode(server, body.path)).status).toBe(401)
  expect((await framed.caller.send(getLaunch)).body.id).toBe(framed.launch.id)
  expect((await window.send(getLaunch)).body.id).toBe(id)
  const again = await window.send(openInWindow)
  expect(again).toMatchObject({ status: 409, body: { detail: 'Assay is already open in its own window.' } })
})

it('leaves a deep link where the LMS waits for its answer', async () => {
  const { teacher, course } = classWithLink(1)
  const { deployment } = school()
  const options = { as: teacher, course, deployment, message: 'LtiDeepLinkingRequest' as const }
  const { caller } = await launchAndSignIn(school(), options)
  expect((await caller.send(openInWindow)).status).toBe(409)
})
