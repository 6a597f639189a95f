import type { Request, RequestHandler } from 'express'
import { ipKeyGenerator, rateLimit, type Store } from 'express-rate-limit'
import { tooManyRequests } from '../../lib/http/app-error.ts'
import { bearerTokenOf } from '../../lib/http/handle.ts'
import type { Redis } from './redis.ts'
import { createWindowCounter } from './window-counter.ts'

interface RateLimit {
  /** Unique: processes share a count by it. */
  name: string
  /** Calls in `minutes`; a function is asked at each call. */
  limit: number | (() => Promise<number>)
  minutes?: number
  key?: (request: Request) => string
  only?: (request: Request) => boolean
  /** Without it every call counts. */
  countOnlyStatus?: number
}

/** IPv6 by network, since one home has many addresses. */
export const ipNetworkOf = (address: string) => ipKeyGenerator(address)

/** express-rate-limit looks for `ipKeyGenerator` by name in what it is given. */
export const keyByIpAddress = (request: Request) => ipKeyGenerator(request.ip ?? '')

/** The token's user, unchecked: a forged one only fills a counter of its own address. */
export function keyByTokenSubject(request: Request): string {
  const payload = bearerTokenOf(request)?.split('.')[1]
  if (!payload) return keyByIpAddress(request)
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))
    const subject = typeof claims === 'object' && claims !== null && 'sub' in claims ? String(claims.sub) : ''
    return `${keyByIpAddress(request)} ${subject.slice(0, 20)}`
  } catch {
    return keyByIpAddress(request)
  }
}

function createStore(name: string, windowMs: number, redis: Redis | null): Store {
  const counter = createWindowCounter({ name, windowMs, redis })
  return {
    async increment(key) {
      const { hits, resetsAt } = await counter.hit(key)
      return { totalHits: hits, resetTime: new Date(resetsAt) }
    },
    decrement: (key) => counter.undo(key),
    resetKey: (key) => counter.forget(key),
  }
}

export function limitRequests({ redis }: { redis: Redis | null }, rule: RateLimit): RequestHandler {
  const { limit, minutes = 60, key = keyByTokenSubject, only = () => true, countOnlyStatus } = rule
  const windowMs = minutes * 60_000
  return rateLimit({
    store: createStore(rule.name, windowMs, redis),
    windowMs,
    limit,
    keyGenerator: key,
    skip: (request) => !only(request),
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    ...(countOnlyStatus === undefined
      ? {}
      : {
          skipSuccessfulRequests: true,
          requestWasSuccessful: (_request, response) => response.statusCode !== countOnlyStatus,
        }),
    handler: (_request, response, next) => {
      const seconds = Number(response.getHeader('Retry-After')) || minutes * 60
      response.setHeader('Retry-After', String(seconds))
      next(tooManyRequests(seconds))
    },
  })
}
