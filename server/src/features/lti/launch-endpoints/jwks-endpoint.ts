import type { RequestHandler } from 'express'
import type { Ltijs } from './ltijs/ltijs-provider.ts'

/** Our public keys for all platforms, retired ones included. Platforms fetch them again for an unknown `kid`. */
export function serveJwks(ltijs: Ltijs): RequestHandler {
  return async (_request, response) => {
    const { status, body } = await ltijs.request({ path: '/keys' })
    if (status !== 200) throw new Error(`ltijs made no key set (${status})`)
    response.set({ 'Cache-Control': 'public, max-age=60', 'Access-Control-Allow-Origin': '*' }).type('json').send(body)
  }
}
