import { once } from 'node:events'
import { PING_SOCKET_PATH, SOCKET_PATH } from '@assay/shared/realtime.ts'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { useServer } from '../../testing/server.ts'

const MAX = 3
const server = useServer({}, { maxSocketsPerAddress: MAX })
const sockets: WebSocket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})

/** Or the status of its refusal. */
async function open(path: string): Promise<WebSocket | number> {
  const socket = new WebSocket(server.running.url.replace('http', 'ws') + path)
  sockets.push(socket)
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.once('message', () => resolve(socket))
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
  })
}

it.each([
  ['raw websockets', PING_SOCKET_PATH, 429],
  ['those of socket.io', `${SOCKET_PATH}/?EIO=4&transport=websocket`, 400],
  ['those that pretend to go on', `${SOCKET_PATH}/?EIO=4&transport=websocket&sid=`, 400],
  ['those with another question mark', `${SOCKET_PATH}/?EIO=4&transport=websocket&x?sid=1`, 400],
])('lets one address have so many open of %s, and more once one is closed', async (_kind, path, refusal) => {
  const opened = await Promise.all(Array.from({ length: MAX }, () => open(path)))
  expect(opened.filter((socket) => typeof socket === 'number')).toEqual([])
  expect(await open(path)).toBe(refusal)
  const [first] = opened
  if (!(first instanceof WebSocket)) throw new Error('refused')
  first.close()
  await once(first, 'close')
  await expect.poll(() => open(path)).toBeInstanceOf(WebSocket)
})
