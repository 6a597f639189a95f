import { expect } from 'vitest'
import { WebSocket } from 'ws'

interface Message {
  type: string
  data?: unknown
}

export interface RawSocket {
  socket: WebSocket
  next: () => Promise<Message>
  send: (text: string | object) => void
}

/** Or the HTTP status of the refusal. */
export function openRawSocket(
  server: { readonly running: { url: string } },
  path: string,
): Promise<RawSocket | number> {
  const socket = new WebSocket(server.running.url.replace('http', 'ws') + path)
  const messages: Message[] = []
  socket.on('message', (bytes) => messages.push(JSON.parse(String(bytes))))
  const next = async () => {
    await expect.poll(() => messages.length).toBeGreaterThan(0)
    return messages.shift() ?? { type: 'nothing' }
  }
  const say = (text: string | object) => socket.send(typeof text === 'string' ? text : JSON.stringify(text))
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve({ socket, next, send: say }))
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('error', reject)
  })
}
