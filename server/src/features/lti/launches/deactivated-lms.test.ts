import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getMe } from '@assay/shared/auth.ts'
import { resumeLaunch } from '@assay/shared/lti/lti.ts'
import { createPlatform, deactivatePlatform, reactivatePlatform } from '@assay/shared/lti/lti-platforms.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { type LaunchedCaller, launchAndSignIn, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { type Caller, useTestApi } from '../../../testing/server.ts'
import { endSessionsOfUser } from '../../auth/session.service.ts'

const clientFolder = mkdtempSync(join(tmpdir(), 'assay-client-'))
writeFileSync(join(clientFolder, 'index.html'), '<!doctype html><title>The client</title>')
afterAll(() => rmSync(clientFolder, { recursive: true }))

const { api, server } = useTestApi({}, { clientFolder })
const school = useRegisteredLms(server)
let admin: Caller
let platformId: number
beforeAll(async () => {
  admin = api.as(await buildPerson('admin'))
  platformId = school().platform._id
  await LtiPlatformModel.updateOne({ _id: platformId }, { $set: { approved_by: 1 } })
})

async function launched(): Promise<LaunchedCaller> {
  const { course, teacher } = school().lms.classOf(0)
  return launchAndSignIn(school(), {
    as: teacher,
    link: school().lms.addLink(course, { deployment: school().deployment }),
  })
}
const resume = (launchId: string, cookie?: string) =>
  api.nobody.send(resumeLaunch, { params: { launchId }, ...(cookie ? { headers: { Cookie: cookie } } : {}) })

async function pageOf(launchId: string, path = '/assignments/1') {
  const reply = await fetch(`${server.running.url}/l/${launchId}${path}`)
  const policy = reply.headers.get('content-security-policy') ?? ''
  return {
    status: reply.status,
    text: await reply.text(),
    ancestors: /frame-ancestors ([^;]*)/.exec(policy)?.[1],
    options: reply.headers.get('x-frame-options'),
  }
}

it('says so to whoever reloads, with the cookie of the launch or without, and does not send them back to be refused', async () => {
  const { launch, caller, cookie } = await launched()
  expect((await resume(launch.id, cookie)).status).toBe(200)
  await admin.send(deactivatePlatform, { params: { platformId } })
  expect((await caller.send(getMe)).status).toBe(401)
  for (const reply of [await resume(launch.id, cookie), await resume(launch.id)]) {
    expect(reply).toMatchObject({ status: 403, body: { error_code: 'lms_deactivated', lms: school().platform.name } })
    expect(reply.body.detail).toContain(`${school().platform.name} has been deactivated in Assay`)
    expect(reply.body.detail).not.toMatch(/open it again/i)
  }
  await admin.send(reactivatePlatform, { params: { platformId } })
  expect(await resume(launch.id, cookie)).toMatchObject({
    status: 401,
    body: { detail: expect.stringContaining('Open it again from your course in') },
  })
})

it('puts a page that any LMS may frame in place of the client, also while other LMSs are active', async () => {
  const { launch } = await launched()
  expect(await pageOf(launch.id)).toMatchObject({ status: 200, text: expect.stringContaining('The client') })
  const other = { name: 'North', lms: 'other' as const, issuer: 'https://north.example', client_id: 'assay' }
  const address = 'https://north.example/x'
  const urls = { auth_endpoint: address, token_endpoint: address, jwks_url: address }
  await admin.send(createPlatform, { body: { ...other, ...urls } })
  await admin.send(deactivatePlatform, { params: { platformId } })
  for (const path of ['', '/', '/enter', '/assignments/1?x=y']) {
    const page = await pageOf(launch.id, path)
    expect(page).toMatchObject({ status: 403, ancestors: '*', options: null })
    expect(page.text).toContain('This LMS has been deactivated in Assay.')
    expect(page.text).not.toContain('The client')
    expect(page.text).not.toMatch(/<script|<form|<a /)
  }
  expect((await pageOf('another-launch')).text).toContain('The client')
  await admin.send(reactivatePlatform, { params: { platformId } })
  expect((await pageOf(launch.id)).text).toContain('The client')
})

it('tells a gateway which pages to refuse', async () => {
  const { launch } = await launched()
  const refusedPage = (id: string) => fetch(`${server.running.url}/lti/refused-page/${id}`)
  expect((await refusedPage(launch.id)).status).toBe(204)
  await admin.send(deactivatePlatform, { params: { platformId } })
  const refused = await refusedPage(launch.id)
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('deactivated in Assay')])
  await admin.send(reactivatePlatform, { params: { platformId } })
})

it('tells somebody whose account was deactivated, in their own browser only', async () => {
  const { launch, cookie, userId } = await launched()
  await UserModel.updateOne({ _id: userId }, { $set: { account: 'deactivated' } })
  await endSessionsOfUser(userId, server.running.services)
  expect(await resume(launch.id, cookie)).toMatchObject({ status: 403, body: { error_code: 'account_deactivated' } })
  expect(await resume(launch.id)).toMatchObject({ status: 401, body: { error_code: 'auth_required' } })
})
