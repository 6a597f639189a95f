import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : JSON.parse(text)
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Pauses before each piece; stops when the client disconnects. */
export async function sendSlowly(
  response: ServerResponse,
  body: string,
  { pieces, pauseMs }: { pieces: number; pauseMs: number },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  const size = Math.ceil(body.length / pieces)
  for (let at = 0; at < body.length && !response.destroyed; at += size) {
    await sleep(pauseMs)
    response.write(body.slice(at, at + size))
  }
  response.end()
}
