import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { Semaphore } from '../../lib/semaphore.ts'
import type { Redis } from './redis.ts'

/** A dead process holds its slots this long; a live one renews them. */
const LEASE_MS = 30_000
/** Random, so that no process is always first. */
const LOOK_AGAIN_MS = { min: 50, max: 150 }

/** By Redis's own clock: the processes' clocks may differ. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

const TAKE = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`

const RENEW = `${NOW}
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`

/**
 * Only the longest waiting call of each process looks; processes take free slots in random order. No limit while Redis
 * is away.
 */
export function createSharedSlots(name: string, redis: Redis, leaseMs = LEASE_MS) {
  const turns = new Map<string, Semaphore>()

  async function take(redisKey: string, id: string, max: number, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const taken = await redis.attempt((client) =>
        client.eval(TAKE, { keys: [redisKey], arguments: [id, String(max), String(leaseMs)] }),
      )
      signal?.throwIfAborted()
      if (taken !== 0) return
      const { min, max: longest } = LOOK_AGAIN_MS
      await after(min + Math.random() * (longest - min), undefined, signal && { signal }).catch(() => {})
      signal?.throwIfAborted()
    }
  }

  return {
    /** `max` is the limit of this key now. @throws the signal's reason when it aborts before `call` has begun */
    async run<T>(key: string, max: number, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const [redisKey, id] = [`slots:${name}:${redis.hide(key)}`, randomUUID()]
      const turn = turns.get(key) ?? new Semaphore()
      turns.set(key, turn)
      let renewing: NodeJS.Timeout | undefined
      try {
        await turn.run(1, () => take(redisKey, id, max, signal), signal)
        renewing = setInterval(() => {
          void redis.attempt((client) => client.eval(RENEW, { keys: [redisKey], arguments: [id, String(leaseMs)] }))
        }, leaseMs / 3)
        return await call()
      } finally {
        clearInterval(renewing)
        await redis.attempt((client) => client.zRem(redisKey, id))
      }
    },
  }
}
