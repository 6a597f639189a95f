import { getMe } from '@assay/shared/auth.ts'
import { getLaunch, openInWindow } from '@assay/shared/lti/lti.ts'
import { expect, it } from 'vitest'
import { exchangeLaunchCode, launchAndSignIn, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api, server } = useTestApi()
const school = useRegisteredLms(server)

function aClass() {
  const { lms, deployment } = school()
  const found = lms.classOf(1)
  return { ...found, link: lms.addLink(found.course, { deployment, title: 'Quiz 1', scoreMaximum: 20 }) }
}

it('opens the same place for the same person in a session of its own, once', async () => {
  const { teacher, link } = aClass()
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
})

it('opens no window from a window: what a launch lasts is the LMS’s to begin', async () => {
  const { teacher, link } = aClass()
  const framed = await launchAndSignIn(school(), { as: teacher, link })
  const { body } = await framed.caller.send(openInWindow)
  const entered = await exchangeLaunchCode(server, body.path)
  const again = await api.withToken(entered.body.access_token).send(openInWindow)
  expect(again).toMatchObject({ status: 409, body: { detail: 'Assay is already open in its own window.' } })
})

it('leaves a deep link where the LMS waits for its answer', async () => {
  const { teacher, course } = aClass()
  const { deployment } = school()
  const options = { as: teacher, course, deployment, message: 'LtiDeepLinkingRequest' as const }
  const { caller } = await launchAndSignIn(school(), options)
  expect((await caller.send(openInWindow)).status).toBe(409)
})
