import { fillPath } from '@assay/shared/http/endpoint.ts'
import { type Launch, type LaunchSession, openLaunch } from '@assay/shared/lti/lti.ts'
import { afterAll, beforeAll } from 'vitest'
import type { Deployment } from '../../../tests/fake-lms/data/lms-data.ts'
import { type FakeLms, type LmsOptions, startFakeLms } from '../../../tests/fake-lms/fake-lms.ts'
import type { LaunchOptions } from '../../../tests/fake-lms/launches/launcher.ts'
import { registeredCustomParameters } from '../features/lti/contexts/custom-parameters.ts'
import type { LtiPlatformDoc } from '../records/lti/platform.model.ts'
import type { RunningServer } from '../start.ts'
import { type Caller, createTestApi } from './api.ts'
import { registerLms, toolOf } from './lti-records.ts'

/** An LMS with a product, which may be another process. */
export interface LaunchingLms {
  lms: FakeLms
  deployment: Deployment
  server: { readonly running: { url: string } }
}

export interface RegisteredLms extends LaunchingLms {
  platform: LtiPlatformDoc
  server: { readonly running: RunningServer }
}

/** Registered with the test file's server: `const school = useRegisteredLms(server)`, `school().lms.classOf(3)`. */
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
  /** What the browser would send to resume: `assay_resume=…`. */
  cookie: string
}

/** Opens Assay from the LMS, up to the session: `(await launched(school(), { as: teacher, link })).caller.send(…)`. */
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

/** As the client does at its launch address. */
export function exchangeLaunchCode(
  server: LaunchingLms['server'],
  location: string,
  headers: Record<string, string> = {},
) {
  const [, launchId = 'no-such-launch'] = /\/l\/([\w-]+)\/enter/.exec(location) ?? []
  const body = { code: location.split('#')[1] ?? '' }
  return createTestApi(server).nobody.send(openLaunch, { params: { launchId }, body, headers })
}

/** Launches as a browser does, up to the address with the one-time code, which `exchange` exchanges for a session. */
export async function launchToHandoff({ lms, deployment, server }: LaunchingLms, options: LaunchOptions) {
  const defaults = { deployment: options.link?.deployment ?? deployment }
  const launcher = lms.launcher()
  const { login, reply } = await launcher.go({ ...defaults, ...options })
  const location = reply?.location ?? ''
  const launchId = /\/l\/([\w-]+)\/enter\?[^#]*#/.exec(location)?.[1]
  if (!launchId) throw new Error(`launch refused: ${(reply ?? login).text}`)
  const call = `${server.running.url}/api/v1${fillPath(openLaunch.path, { launchId })}`
  const headers = launcher.jar.headerFor(call)
  return { location, launchId, headers, exchange: () => exchangeLaunchCode(server, location, headers) }
}
