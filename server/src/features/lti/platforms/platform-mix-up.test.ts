import { getMe } from '@assay/shared/auth.ts'
import { joinAccount, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { approvePlatform, changePlatform, createPlatform, listPlatforms } from '@assay/shared/lti/lti-platforms.ts'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Person as LmsPerson } from '../../../../../tests/fake-lms/data/lms-data.ts'
import { CLAIM, type Claims } from '../../../../../tests/fake-lms/lms-kinds.ts'
import { AuditModel } from '../../../audit/audit.service.ts'
import { EnrollmentModel } from '../../../records/courses/course.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { LtiScoreModel } from '../../../records/lti/score.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { buildLmsClass, gradebookOf, publishAndDeliver } from '../../../testing/lms-class.ts'
import { registerLms, toolOf } from '../../../testing/lti-records.ts'
import {
  launchAndSignIn,
  type RegisteredLms,
  setUpCourse,
  startRegisteredLms,
  useRegisteredLms,
  waitForSync,
} from '../../../testing/registered-lms.ts'
import { createTestApi, type Person, useServer } from '../../../testing/server.ts'
import { parseMembersPage } from '../roster/nrps/parse-members-page.ts'
import { logSharedIssuers } from './change-identity-provider.ts'

/*
 * The attack: a second platform with the first one’s issuer and keys of its own signs the `sub` of one of its people.
 */

const ISSUER = 'https://lms.school.example'
const server = useServer()
const school = useRegisteredLms(server, { issuer: ISSUER })
const api = createTestApi(server)
let admin: Person
beforeAll(async () => {
  admin = await buildPerson('admin')
})

async function otherLms(): Promise<RegisteredLms> {
  const evil = await startRegisteredLms(server, { issuer: ISSUER })
  onTestFinished(() => evil.lms.close())
  return evil
}

const copyOf = (lms: RegisteredLms['lms'], { id, name, email, username }: LmsPerson) =>
  lms.addUser({ id, name, email, username })

async function readyCourse(at: RegisteredLms) {
  const { teacherLaunch: launch, ...room } = await setUpCourse(at, 1)
  const [student = room.teacher] = room.students
  return { ...room, student, launch }
}

describe('a second platform with the issuer of the first, and other keys', () => {
  it('does not get the first’s accounts by launching as their people', async () => {
    const room = await readyCourse(school())
    const evil = await otherLms()
    const course = evil.lms.addCourse({ id: room.course.id })
    const link = evil.lms.addLink(course, { deployment: evil.deployment })
    const impostor = copyOf(evil.lms, room.teacher)
    evil.lms.enrol(course, impostor, 'Instructor')
    const mutate = (claims: Claims) => {
      claims[`${CLAIM}/deployment_id`] = school().deployment.id
    }
    const launched = await launchAndSignIn(evil, { as: impostor, link, mutate })
    expect(launched.userId).not.toBe(room.launch.userId)
    expect(launched.launch).toMatchObject({ purpose: 'set_up', course_id: null })
    const taken = {
      course: { kind: 'existing' as const, course_id: room.courseId },
      assignment: { kind: 'none' as const },
    }
    expect((await launched.caller.send(setUpLaunch, { body: taken })).status).toBe(404)
    expect((await launchAndSignIn(school(), { as: room.teacher, link: room.link })).userId).toBe(room.launch.userId)
    expect((await launchAndSignIn(evil, { as: impostor, link })).userId).toBe(launched.userId)
  })

  it('does not rename or enrol them by its roster', async () => {
    const room = await readyCourse(school())
    const student = await launchAndSignIn(school(), { as: room.student, link: room.link })
    const before = await UserModel.findById(student.userId).lean()
    const evil = await otherLms()
    const { course, teacher } = evil.lms.classOf(0)
    const victim = copyOf(evil.lms, { ...room.student, name: 'Renamed', email: 'attacker@evil.example' })
    evil.lms.enrol(course, victim, 'Instructor')
    const link = evil.lms.addLink(course, { deployment: evil.deployment })
    const launch = await launchAndSignIn(evil, { as: teacher, link })
    const body = { course: { kind: 'new' as const, name: 'Evil' }, assignment: { kind: 'none' as const } }
    const courseId = (await launch.caller.send(setUpLaunch, { body })).body.course_id ?? 0
    const [synced] = await waitForSync({ courseId, teacher: launch.caller })
    expect(synced?.report).toMatchObject({ state: 'done' })
    expect(await UserModel.findById(student.userId).lean()).toEqual(before)
    expect(await EnrollmentModel.countDocuments({ course_id: courseId, user_id: student.userId })).toBe(0)
  })

  it('does not get an account its owner has merged', async () => {
    const room = await readyCourse(school())
    const student = await launchAndSignIn(school(), { as: room.student, link: room.link })
    const mine = await buildPerson('student')
    const { username, password } = mine
    expect((await student.caller.send(joinAccount, { body: { username, password } })).status).toBe(200)
    const evil = await otherLms()
    const { course } = evil.lms.classOf(0)
    const impostor = copyOf(evil.lms, room.student)
    evil.lms.enrol(course, impostor, 'Learner')
    const link = evil.lms.addLink(course, { deployment: evil.deployment })
    const { caller } = await launchAndSignIn(evil, { as: impostor, link })
    expect((await caller.send(getMe)).body.id).not.toBe(mine.id)
  })

  it('gets none of their scores, and sends none in their name', async () => {
    const one = await buildLmsClass(server, api, school().lms, { students: 1, platform: school().platform })
    const [victim] = one.students
    if (!victim) throw new Error('a student')
    const evil = await otherLms()
    const room = evil.lms.classOf(0)
    const impostor = copyOf(evil.lms, victim.person)
    evil.lms.enrol(room.course, impostor, 'Learner')
    const link = evil.lms.addLink(room.course, { deployment: evil.deployment, scoreMaximum: 20 })
    const teacher = await launchAndSignIn(evil, { as: room.teacher, link })
    const body = { course: { kind: 'new' as const, name: 'Evil' }, assignment: { kind: 'later' as const } }
    const courseId = (await teacher.caller.send(setUpLaunch, { body })).body.course_id ?? 0
    await waitForSync({ courseId, teacher: teacher.caller })
    await launchAndSignIn(evil, { as: impostor, link })
    await publishAndDeliver(api, one)
    expect(gradebookOf(one)).toEqual([expect.any(Number)])
    expect(evil.lms.requestsTo('scores')).toEqual([])
    expect(
      (await LtiScoreModel.find({ user_id: victim.account._id }).lean()).map(({ platform_id }) => platform_id),
    ).toEqual([school().platform._id])
  })

  it('keeps what is its own: its people come back to the same accounts', async () => {
    const evil = await otherLms()
    const room = await readyCourse(evil)
    const again = await launchAndSignIn(evil, { as: room.teacher, link: room.link })
    expect(again.userId).toBe(room.launch.userId)
    expect(again.launch.course_id).toBe(room.courseId)
  })
})

describe('two tools of one LMS', () => {
  async function secondTool(): Promise<RegisteredLms> {
    const { lms } = school()
    const platform = await registerLms(server.running, lms)
    return { lms, platform, deployment: lms.deploymentOf(toolOf(lms, platform)), server }
  }

  it('are told apart from another LMS with their issuer: on their pages, and in the log at start', async () => {
    const second = await secondTool()
    const evil = await otherLms()
    const listed = (await api.as(admin).send(listPlatforms)).body
    const seen = listed.find(({ id }) => id === school().platform._id)?.same_issuer
    const of = ({ _id: id, name, client_id }: RegisteredLms['platform']) => ({ id, name, client_id })
    expect(seen).toContainEqual({ ...of(second.platform), same_people: true })
    expect(seen).toContainEqual({ ...of(evil.platform), same_people: false })
    const log = { warn: vi.fn() }
    await logSharedIssuers({ log: log as unknown as Services['log'] })
    const ours = log.warn.mock.calls.filter(([what]) => what.issuer === ISSUER)
    expect(ours).toHaveLength(1)
    expect(ours[0]?.[0].platforms).toContainEqual(expect.objectContaining(of(evil.platform)))
  })

  it('have the same people', async () => {
    const room = await readyCourse(school())
    const second = await secondTool()
    const link = second.lms.addLink(room.course, { deployment: second.deployment })
    expect((await launchAndSignIn(second, { as: room.teacher, link })).userId).toBe(room.launch.userId)
  })

  it('take another key set together when an administrator enters it, as the LMS has moved', async () => {
    await readyCourse(school())
    const second = await secondTool()
    const jwks_url = `${second.platform.jwks_url}?moved`
    const params = { platformId: second.platform._id }
    const changed = await api.as(admin).send(changePlatform, { params, body: { jwks_url } })
    expect(changed).toMatchObject({ status: 200, body: { jwks_url } })
    const listed = (await api.as(admin).send(listPlatforms)).body
    expect(listed.find(({ id }) => id === school().platform._id)).toMatchObject({ jwks_url })
    const changes = { 'subject.platform_id': school().platform._id, action: 'lms.changed' }
    expect(await AuditModel.findOne(changes).lean()).toMatchObject({ after: { jwks_url } })
    const back = { jwks_url: second.platform.jwks_url }
    await api.as(admin).send(changePlatform, { params, body: back })
  })

  it('do not take another key set from a registration of one of them', async () => {
    await readyCourse(school())
    const second = await secondTool()
    const { _id, issuer, client_id, auth_endpoint, token_endpoint } = second.platform
    const values = { issuer, client_id, auth_endpoint, token_endpoint, token_audience: null, scopes: null }
    const jwks_url = 'https://keys.evil.example/jwks'
    const proposed = { ...values, at: new Date(), jwks_url, deployments: [], registration: null }
    await LtiPlatformModel.updateOne({ _id }, { $set: { proposed } })
    const refused = await api.as(admin).send(approvePlatform, { params: { platformId: _id } })
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining('the same people') } })
    expect(await LtiPlatformModel.countDocuments({ jwks_url })).toBe(0)
  })

  it('are two LMSs once a tool nobody has approved names other keys', async () => {
    await readyCourse(school())
    const second = await secondTool()
    await LtiPlatformModel.updateOne({ _id: second.platform._id }, { $set: { status: 'pending', approved_by: null } })
    const body = { jwks_url: 'https://keys.evil.example/jwks' }
    await api.as(admin).send(changePlatform, { params: { platformId: second.platform._id }, body })
    const [mine, theirs] = await Promise.all(
      [school().platform, second.platform].map(({ _id }) => LtiPlatformModel.findById(_id).lean()),
    )
    expect(mine?.jwks_url).toBe(school().platform.jwks_url)
    expect(theirs?.identity_issuer).not.toBe(mine?.identity_issuer)
  })
})

it('takes a sub to the letter: another case, or a space more, is another person', async () => {
  const { course, link } = await readyCourse(school())
  const ids = ['ann', 'Ann', 'ann ', ' ann', 'an\u0301n']
  const people = ids.map((id) => school().lms.addUser({ id, username: `ann-${ids.indexOf(id)}` }))
  for (const person of people) school().lms.enrol(course, person, 'Learner')
  const launched = []
  for (const as of people) launched.push((await launchAndSignIn(school(), { as, link })).userId)
  expect(new Set(launched).size).toBe(ids.length)
  const { members } = await parseMembersPage(
    JSON.stringify({ members: ids.map((user_id) => ({ user_id, roles: [] })) }),
  )
  expect(members.map(({ sub }) => sub)).toEqual(ids)
})

it('leaves the people of two platforms registered at the same moment apart', async () => {
  const site = 'https://race.school.example'
  const values = (n: number) => ({
    name: `Race ${n}`,
    lms: 'canvas' as const,
    issuer: site,
    client_id: `race-${n}`,
    auth_endpoint: `${site}/auth`,
    token_endpoint: `${site}/token`,
    jwks_url: `${site}/jwks/${n}`,
  })
  await Promise.all([1, 2, 3].map((n) => api.as(admin).send(createPlatform, { body: values(n) })))
  const stored = await LtiPlatformModel.find({ issuer: site }).lean()
  expect(new Set(stored.map(({ identity_issuer }) => identity_issuer)).size).toBe(3)
})
