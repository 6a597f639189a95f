import { PING_SOCKET_PATH } from '@assay/shared/realtime.ts'
import { getPublicSettings } from '@assay/shared/settings.ts'
import { failOnPurpose } from '@assay/shared/test-pages.ts'
import { expect, it } from 'vitest'
import { openRawSocket } from '../../../testing/raw-socket.ts'
import { createTestApi, useServer } from '../../../testing/server.ts'

const server = useServer({ TEST_PAGES: 'off' })

it('answers 404 at the test pages’ addresses where they are turned off', async () => {
  const { nobody } = createTestApi(server)
  expect((await nobody.send(getPublicSettings)).body.test_pages).toBe(false)
  expect((await nobody.send(failOnPurpose, { params: { kind: '409' } })).status).toBe(404)
  expect(await openRawSocket(server, PING_SOCKET_PATH)).toBe(404)
})
