import { fillPath } from '@assay/shared/http/endpoint.ts'
import { type Launch, type LaunchSession, openLaunch, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { listLmsCourses, syncLmsRoster } from '@assay/shared/lti/lti-roster.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Course, Deployment } from '../../../tests/fake-lms/data/lms-data.ts'
import { type FakeLms, type LmsOptions, startFakeLms } from '../../../tests/fake-lms/fake-lms.ts'
import type { LaunchOptions, Reply } from '../../../tests/fake-lms/launches/launcher.ts'
import { registeredCustomParameters } from '../features/lti/contexts/resource-link.service.ts'
import type { RefusalCode } from '../features/lti/refusals.ts'
import { type LtiContextDoc, LtiContextModel } from '../records/lti/context.model.ts'
import { LtiIdentityModel } from '../records/lti/identity.model.ts'
import { LtiLaunchModel } from '../records/lti/launch.model.ts'
import { LtiLaunchLogModel } from '../records/lti/launch-log.model.ts'
import { LtiMemberModel } from '../records/lti/member.model.ts'
import type { LtiPlatformDoc } from '../records/lti/platform.model.ts'
import { LtiResourceLinkModel } from '../records/lti/resource-link.model.ts'
import { type UserDoc, UserModel } from '../records/people/user.model.ts'
import type { RunningServer } from '../start.ts'
import { buildAssignment, buildCourse, type UploadFile } from './build-course.ts'
import { linkCourse, registerLms, toolOf } from './lti-records.ts'
import { type Api, type Caller, createTestApi, type Person } from './server.ts'

interface LaunchingLms {
  lms: FakeLms
  deployment: Deployment
  server: { readonly running: { url: string } }
}

export interface RegisteredLms extends LaunchingLms {
  platform: LtiPlatformDoc
  server: { readonly running: RunningServer }
}

/** `const school = useRegisteredLms(server)`, `school().lms.classOf(3)` */
export function useRegisteredLms(
  server: { readonly running: RunningServer },
  options: LmsOptions = {},
): () => RegisteredLms {
  let school: RegisteredLms | undefined
  beforeAll(async () => {
    school = await startRegisteredLms(server, options)
  })
  afterAll(() => school?.lms.close())
  return () => {
    if (!school) throw new Error('only available after beforeAll')
    return school
  }
}

export async function startRegisteredLms(
  server: { readonly running: RunningServer },
  options: LmsOptions = {},
): Promise<RegisteredLms> {
  const lms = await startFakeLms(options)
  const platform = await registerLms(server.running, lms, { tool: { custom: registeredCustomParameters } })
  return { lms, deployment: lms.deploymentOf(toolOf(lms, platform)), platform, server }
}

export interface LaunchedCaller {
  caller: Caller
  launch: Launch
  token: string
  session: LaunchSession
  userId: number
  /** `assay_resume=…` */
  cookie: string
}

/** `(await launched(school(), { as: teacher, link })).caller.send(…)` */
export async function launchAndSignIn(school: LaunchingLms, options: LaunchOptions): Promise<LaunchedCaller> {
  const { exchange } = await launchToHandoff(school, options)
  const api = createTestApi(school.server)
  const { status, body, text, headers } = await exchange()
  if (status !== 200) throw new Error(`the launch was not opened: ${text}`)
  const [cookie = ''] = headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const { access_token: token, launch } = body
  const caller = api.withToken(token)
  return { caller, launch, token, session: body, userId: body.user.id, cookie }
}

export function exchangeLaunchCode(
  server: LaunchingLms['server'],
  location: string,
  headers: Record<string, string> = {},
) {
  const [, launchId = 'no-such-launch'] = /\/l\/([\w-]+)\/enter/.exec(location) ?? []
  const body = { code: location.split('#')[1] ?? '' }
  return createTestApi(server).nobody.send(openLaunch, { params: { launchId }, body, headers })
}

/** Up to the address with the one-time code, which `exchange` exchanges for a session. */
export async function launchToHandoff({ lms, deployment, server }: LaunchingLms, options: LaunchOptions) {
  const defaults = { deployment: options.link?.deployment ?? deployment }
  const launcher = lms.launcher()
  const { login, reply } = await launcher.go({ ...defaults, ...options })
  const location = reply?.location ?? ''
  const launchId = /\/l\/([\w-]+)\/enter\?[^#]*#/.exec(location)?.[1]
  if (!launchId) throw new Error(`launch refused: ${(reply ?? login).text}`)
  const call = `${server.running.url}/api/v1${fillPath(openLaunch.path, { launchId })}`
  const headers = launcher.jar.headerFor(call)
  const pageUrl = new URL(location.split('#')[0] ?? '', server.running.url).href
  const openPage = (cookies = launcher.jar.headerFor(pageUrl)) => fetch(pageUrl, { headers: cookies })
  return { location, launchId, headers, openPage, exchange: () => exchangeLaunchCode(server, location, headers) }
}

export interface LinkedCourse {
  api: Api
  courseId: number
  teacher: Caller
  teacherId: number
  instructor: Person
  context: LtiContextDoc
}

export async function buildLinkedCourse(
  { lms, platform, server }: RegisteredLms,
  course: Course,
  more: Partial<LtiContextDoc> = {},
): Promise<LinkedCourse> {
  const api = createTestApi(server)
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const context = await linkCourse(lms, platform, course, courseId, more)
  return { api, courseId, teacher: api.as(instructor), teacherId: instructor.id, instructor, context }
}

export async function setUpCourse(school: LaunchingLms, students = 0) {
  const room = school.lms.classOf(students)
  const link = school.lms.addLink(room.course, { deployment: school.deployment, title: 'Quiz 1', scoreMaximum: 20 })
  const teacherLaunch = await launchAndSignIn(school, { as: room.teacher, link })
  const course = { kind: 'new' as const, name: room.course.title }
  const set = await teacherLaunch.caller.send(setUpLaunch, { body: { course, assignment: { kind: 'none' } } })
  const courseId = set.body.course_id ?? 0
  // What the roster lists is stored before anybody launches.
  await waitForSync({ courseId, teacher: teacherLaunch.caller })
  return { ...room, link, courseId, teacherLaunch }
}

/** Which the teacher's link opens from now on. */
export async function buildLaunchedAssignment(
  api: Api,
  { teacherLaunch, courseId }: { teacherLaunch: LaunchedCaller; courseId: number },
  papers: UploadFile[] = [],
) {
  const asTeacher = { ...api, as: () => teacherLaunch.caller }
  const instructor = { id: teacherLaunch.userId, username: '', password: '' }
  const built = await buildAssignment(asTeacher, { instructor, courseId }, papers)
  const assignment = { kind: 'existing' as const, assignment_id: built.assignmentId }
  await teacherLaunch.caller.send(setUpLaunch, { body: { assignment } })
  return { ...built, asTeacher, instructor }
}

type LinkedCourseRef = Pick<LinkedCourse, 'courseId' | 'teacher'>

export async function waitForSync({ courseId, teacher }: LinkedCourseRef, meanwhile = async () => {}) {
  for (;;) {
    const { body } = await teacher.send(listLmsCourses, { params: { courseId } })
    if (!body.some(({ report }) => report?.state === 'running')) return body
    await meanwhile()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

export async function syncRoster(
  tied: LinkedCourseRef,
  body: { suspend_missing?: boolean } = {},
  meanwhile = async () => {},
) {
  const started = await tied.teacher.send(syncLmsRoster, { params: { courseId: tied.courseId }, body })
  if (started.status !== 202) throw new Error(`not synced: ${started.text}`)
  const [lmsCourse] = await waitForSync(tied, meanwhile)
  if (!lmsCourse?.report) throw new Error('the sync has no report')
  return lmsCourse.report
}

export async function findAccount(
  { identity_issuer: issuer }: LtiPlatformDoc,
  person: { id: string },
): Promise<UserDoc> {
  const identity = await LtiIdentityModel.findOne({ issuer, sub: person.id }).lean()
  const user = await UserModel.findById(identity?.user_id).lean()
  if (!user) throw new Error('this person of the LMS has no account')
  return user
}

export const findMember = (context: { _id: number }, person: { id: string }) =>
  LtiMemberModel.findById(`${context._id}/${person.id}`).lean()

export const reloadContext = (context: { _id: number }) => LtiContextModel.findById(context._id).lean()

export function createTestLink({ lms, deployment }: RegisteredLms) {
  const { course, teacher } = lms.classOf(1)
  return { as: teacher, link: lms.addLink(course, { deployment, scoreMaximum: 10 }) }
}

export async function beginLaunch(browser: ReturnType<RegisteredLms['lms']['launcher']>, options: LaunchOptions) {
  const { login, posted } = await browser.collect(options)
  if (!posted) throw new Error(`the LMS posted no launch: ${login.text}`)
  return { login, posted }
}

const countCreatedRecords = () =>
  Promise.all(
    [UserModel, LtiIdentityModel, LtiContextModel, LtiResourceLinkModel, LtiLaunchModel, LtiMemberModel].map((model) =>
      model.countDocuments(),
    ),
  )

export function useLaunchRefusals() {
  let before: number[] = []
  let entries = 0
  async function resetBaseline(): Promise<void> {
    before = await countCreatedRecords()
    entries = await LtiLaunchLogModel.countDocuments()
  }
  beforeEach(resetBaseline)
  afterEach(async () => {
    expect(await countCreatedRecords()).toEqual(before)
  })

  /** Expects an error page with a request id, and returns the matching entry in the launch log. */
  async function expectRefusal(reply: Reply | null, code: RefusalCode, status: number, detail?: RegExp) {
    expect(reply?.status).toBe(status)
    const text = reply?.text ?? ''
    expect(reply?.headers.get('content-type')).toContain('text/html')
    expect(text).toContain('<h1>Assay could not be opened</h1>')
    expect(text).toContain(`<dd>${code}</dd>`)
    expect(text).toContain(`<dd>${reply?.headers.get('x-request-id')}</dd>`)
    expect(reply?.headers.get('cache-control')).toBe('no-store')
    expect(text).not.toContain('<script')
    const [entry, ...others] = await LtiLaunchLogModel.find().sort({ _id: 1 }).skip(entries).lean()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ outcome: 'refused', code, role: null })
    if (detail) {
      expect(entry?.detail).toMatch(detail)
      expect(text).toMatch(detail)
    }
    return entry
  }
  return { expectRefusal, resetBaseline }
}
