import { timingSafeEqual } from 'node:crypto'
import { Binary } from 'bson'
import type { Doc } from '../bson-values.ts'
import type { Request } from './message.ts'

const BEFORE_SIGN_IN = new Set(['hello', 'ismaster', 'isMaster', 'saslStart', 'ping'])

/** SASL PLAIN. Answers authentication itself; undefined lets a request through. */
export function createPasswordAuth(password: string): (request: Request) => Doc | undefined {
  let open = false
  return ({ body }) => {
    const [name = ''] = Object.keys(body)
    if (name === 'saslStart') {
      const payload = body.payload instanceof Binary ? Buffer.from(body.payload.value()).toString('utf8') : ''
      open = body.mechanism === 'PLAIN' && equalsInConstantTime(payload.split('\0').at(-1) ?? '', password)
      return open
        ? { conversationId: 1, done: true, payload: new Binary(Buffer.alloc(0)), ok: 1 }
        : { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' }
    }
    if (open || BEFORE_SIGN_IN.has(name)) return undefined
    return { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: `Command ${name} requires authentication` }
  }
}

function equalsInConstantTime(given: string, password: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(password)]
  return a.length === b.length && timingSafeEqual(a, b)
}
