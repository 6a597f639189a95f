import type { Request, RequestHandler } from 'express'
import { ipKeyGenerator, rateLimit, type Store } from 'express-rate-limit'
import { decodeJwt } from 'jose'
import { tooManyRequests } from '../../lib/http/app-error.ts'
import { bearerTokenOf } from '../../lib/http/handle.ts'
import type { Redis } from './redis.ts'

interface RateLimit {
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

/** Unchecked: a forged token only fills a counter of its own address. */
export function keyByTokenSubject(request: Request): string {
  const token = bearerTokenOf(request)
  if (!token) return keyByIpAddress(request)
  try {
    return `${keyByIpAddress(request)} ${String(decodeJwt(token).sub ?? '').slice(0, 20)}`
  } catch {
    return keyByIpAddress(request)
  }
}

function createStore(name: string, windowMs: number, redis: Redis | null): Store {
  const counter = createWindowCounter(name, windowMs, redis)
  return {
    // Else a key that two limits count at one request is reported as counted twice.
    prefix: name,
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
    skipSuccessfulRequests: countOnlyStatus !== undefined,
    requestWasSuccessful: (_request, response) => response.statusCode !== countOnlyStatus,
    handler: (_request, response, next) => {
      const seconds = Number(response.getHeader('Retry-After')) || minutes * 60
      response.setHeader('Retry-After', String(seconds))
      next(tooManyRequests(seconds))
    },
  })
}

interface WindowCount {
  hits: number
  resetsAt: number
}

const MAX_KEYS = 1_000_000

/** If Redis has lost its data, continues from this process's count and the window's remaining ms. */
const HIT = `
local hits = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  if tonumber(ARGV[2]) > 0 then
    hits = tonumber(ARGV[2]) + 1
    left = tonumber(ARGV[3])
  end
  redis.call('SET', KEYS[1], hits, 'PX', left)
end
return {hits, left}`

const UNDO = `
if tonumber(redis.call('GET', KEYS[1]) or 0) > 0 then redis.call('DECR', KEYS[1]) end
return 1`

/** Windows begin with each key's first hit. While Redis is away each process continues from the last count it saw. */
export function createWindowCounter(name: string, windowMs: number, redis: Redis | null, now = Date.now) {
  const seen = new Map<string, WindowCount>()
  const redisKey = (key: string) => `limit:${name}:${redis?.hide(key)}`

  function seenNow(key: string): WindowCount | null {
    const known = seen.get(key)
    return known && known.resetsAt > now() ? known : null
  }

  function forgetEnded(): void {
    for (const [key, { resetsAt }] of seen) {
      if (resetsAt > now() && seen.size <= MAX_KEYS) return
      seen.delete(key)
    }
  }

  async function hitEverywhere(key: string, before: WindowCount | null): Promise<WindowCount | null> {
    const known = [windowMs, before?.hits ?? 0, before ? Math.ceil(before.resetsAt - now()) : 0]
    const told = await redis?.attempt((client) =>
      client.eval(HIT, { keys: [redisKey(key)], arguments: known.map(String) }),
    )
    if (!Array.isArray(told)) return null
    return { hits: Number(told[0]), resetsAt: now() + Number(told[1]) }
  }

  return {
    async hit(key: string): Promise<WindowCount> {
      const before = seenNow(key)
      if (!before) {
        seen.delete(key)
        forgetEnded()
      }
      // At once, so that concurrent hits see it.
      const here = before
        ? { hits: before.hits + 1, resetsAt: before.resetsAt }
        : { hits: 1, resetsAt: now() + windowMs }
      seen.set(key, here)
      const everywhere = redis && (await hitEverywhere(key, before))
      if (!everywhere) return here
      seen.set(key, everywhere)
      return everywhere
    },

    async undo(key: string) {
      const known = seenNow(key)
      if (known) seen.set(key, { ...known, hits: Math.max(0, known.hits - 1) })
      await redis?.attempt((client) => client.eval(UNDO, { keys: [redisKey(key)] }))
    },

    async forget(key: string) {
      seen.delete(key)
      await redis?.attempt((client) => client.del(redisKey(key)))
    },
  }
}
