import { PING_SOCKET_PATH } from '@assay/shared/realtime.ts'
import { getPublicSettings } from '@assay/shared/settings.ts'
import { failOnPurpose } from '@assay/shared/test-pages.ts'
import { expect, it } from 'vitest'
import { buildPerson } from '../../../testing/build-course.ts'
import { openRawSocket } from '../../../testing/raw-socket.ts'
import { createTestApi, useServer } from '../../../testing/server.ts'

const server = useServer({
  NODE_ENV: 'production',
  SECRET_KEY: 'a-key-for-a-test-and-nothing-else-at-all',
  TEST_PAGES: 'on',
})
const api = createTestApi(server)

async function statusesFor(role: 'admin' | 'instructor') {
  const caller = api.as(await buildPerson(role))
  const token = await caller.token()
  const headers = { authorization: `Bearer ${token}` }
  const settings = await caller.send(getPublicSettings, { headers })
  const fails = await caller.send(failOnPurpose, { params: { kind: '409' }, headers })
  const line = await openRawSocket(server, `${PING_SOCKET_PATH}?token=${token}`)
  if (typeof line !== 'number') line.socket.terminate()
  return [settings.body.test_pages, fails.status, typeof line === 'number' ? line : 101]
}

it('limits the test pages to administrators in production, where they are turned on', async () => {
  expect(await statusesFor('admin')).toEqual([true, 409, 101])
  expect(await statusesFor('instructor')).toEqual([false, 404, 404])
  expect(await openRawSocket(server, PING_SOCKET_PATH)).toBe(404)
})
