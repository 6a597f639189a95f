import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { createClient } from '@redis/client'
import type { EventRelay } from '../../lib/event-bus.ts'
import { exponentialBackoff } from '../../lib/exponential-backoff.ts'
import type { Log } from '../../lib/log.ts'
import type { Metrics } from '../../lib/metrics/metrics.ts'
import { decryptSecret, deriveKey, encryptSecret } from '../../lib/security/secret-encryption.ts'

/** A request waits no longer, and then uses what its process knows. */
const COMMAND_MS = 300
const CONNECT_MS = 2_000
const PING_MS = 1_000
const SILENT_MS = 3_000
const BACKOFF = { initialMs: 100, maxMs: 5_000, jitter: 0.5 }
const START_MS = 2_000
const WARN_EVERY_MS = 60_000

type Client = ReturnType<typeof createClient>

export type Redis = Awaited<ReturnType<typeof connectToRedis>>

interface RedisOptions {
  url: string
  secretKey: string
  log: Pick<Log, 'warn' | 'info'>
  metrics: Pick<Metrics, 'redisUp'>
}

/** Redis may lose its state at any time. Resolves within two seconds, connected or not. */
export async function connectToRedis({ url, secretKey, log, metrics }: RedisOptions) {
  const key = deriveKey(secretKey, 'redis')
  const hide = (part: string) => createHmac('sha256', key).update(part).digest('base64url').slice(0, 22)
  // Installations sharing a Redis differ in SECRET_KEY. Channels ignore database numbers and client prefixes.
  const prefix = `assay:${hide('installation')}:`
  const { createClient } = await import('@redis/client')
  const client: Client = createClient({
    url,
    keyPrefix: prefix,
    disableOfflineQueue: true,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    pingInterval: PING_MS,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries) => exponentialBackoff(retries + 1, BACKOFF),
    },
  })

  let state: 'starting' | 'up' | 'away' = 'starting'
  let closed = false
  let warnedAt = Number.NEGATIVE_INFINITY
  const returned: (() => void)[] = []
  metrics.redisUp.set(0)
  const lost = (error: unknown) => {
    if (state === 'away' || closed) return
    if (client.isReady) return warnOfRefusal(error)
    state = 'away'
    metrics.redisUp.set(0)
    log.warn({ why: whyOf(error) }, 'Redis is away: limits and live updates are of each process alone until it is back')
  }
  // An `error` without a listener would end the process. Emitted at each attempt.
  client.on('error', lost)
  client.on('ready', async () => {
    const wasAway = state === 'away'
    state = 'up'
    metrics.redisUp.set(1)
    if (wasAway) log.info('Redis is back')
    await subscribe()
    if (wasAway) for (const listener of returned) listener()
  })

  /** Requested while Redis was away; once subscribed, the client renews it with each connection. */
  const unsubscribed = new Map<string, (message: string) => void>()
  async function subscribe(): Promise<void> {
    for (const [channel, heard] of unsubscribed) {
      if (!(await attempt((one) => one.subscribe(channel, heard).then(() => true)))) return
      unsubscribed.delete(channel)
    }
  }

  const connected = client.connect().catch(() => {})
  await Promise.race([connected, after(START_MS, null, { ref: false })])
  if (!client.isReady) lost(new Error('no connection'))

  function warnOfRefusal(error: unknown): void {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log.warn({ why: whyOf(error) }, 'Redis did not do what it was asked')
  }

  /** Null where Redis is away, refuses, or does not answer within 300 ms. Commands must not answer null. */
  async function attempt<T>(command: (client: Client) => Promise<T>): Promise<T | null> {
    if (!client.isReady) return null
    const stop = new AbortController()
    try {
      const tooLate = after(COMMAND_MS, null, { signal: stop.signal })
      const answer = command(client)
      tooLate.catch(() => {})
      answer.catch(() => {})
      return await Promise.race([answer, tooLate])
    } catch (error) {
      if (client.isReady) warnOfRefusal(error)
      return null
    } finally {
      stop.abort()
    }
  }

  return {
    isUp: () => client.isReady,
    attempt,
    hide,
    /** Includes this process's own messages. */
    listen(channel: string, heard: (message: string) => void): void {
      unsubscribed.set(prefix + channel, heard)
      void subscribe()
    },
    publish: async (channel: string, message: string) =>
      (await attempt((one) => one.publish(prefix + channel, message))) !== null,
    onReturn: (listener: () => void) => void returned.push(listener),
    async close(): Promise<void> {
      closed = true
      if (client.isReady) await Promise.race([client.close().catch(() => {}), after(COMMAND_MS, null, { ref: false })])
      if (client.isOpen) client.destroy()
      metrics.redisUp.remove()
    },
  }
}

/** Never the address, which may hold a password; the client's messages name only the host. */
const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const CHANNEL = 'events'
const PURPOSE = 'events between processes'
/** Whoever can publish may replay older events; clocks agree within seconds. */
const OLD_MS = 60_000
/** A flapping connection must not make all browsers reconnect each time. */
const GAP_EVERY_MS = 30_000

interface Envelope {
  from: string
  /** In ms since 1970. */
  at: number
  event: { name: string; payload: unknown } | null
}

/** Encrypted with SECRET_KEY: events name students and scores, which nobody on Redis may read or forge. */
export function createEventRelay(redis: Redis, { secretKey, log }: { secretKey: string; log: Log }): EventRelay {
  const self = randomUUID()
  const listeners: Parameters<EventRelay['onMessage']>[0][] = []
  const gaps: (() => void)[] = []
  let lostSome = false

  async function send(event: Envelope['event']): Promise<void> {
    const message = encryptSecret(
      JSON.stringify({ from: self, at: Date.now(), event } satisfies Envelope),
      secretKey,
      PURPOSE,
    )
    if (!(await redis.publish(CHANNEL, message))) {
      if (event) lostSome = true
    } else if (event && lostSome) {
      lostSome = false
      void send(null)
    }
  }

  let gapAt = Number.NEGATIVE_INFINITY
  let gapTimer: NodeJS.Timeout | null = null
  function notifyGap(): void {
    if (gapTimer) return
    const wait = gapAt + GAP_EVERY_MS - performance.now()
    const notify = () => {
      gapTimer = null
      gapAt = performance.now()
      for (const one of gaps) one()
    }
    if (wait <= 0) notify()
    else gapTimer = setTimeout(notify, wait).unref()
  }

  redis.listen(CHANNEL, (message) => {
    const text = decryptSecret(message, secretKey, PURPOSE)
    if (text === null) return
    const { from, at, event } = JSON.parse(text) as Envelope
    if (from === self || Math.abs(Date.now() - at) > OLD_MS) return
    try {
      if (event) for (const listener of listeners) listener(event)
      else notifyGap()
    } catch (error) {
      log.error({ err: error, event: event?.name }, 'an event of another process was not handled')
    }
  })
  redis.onReturn(() => {
    notifyGap()
    // Others may have been connected all along.
    if (!lostSome) return
    lostSome = false
    void send(null)
  })

  return {
    send: (event) => void send(event),
    onMessage: (listener) => void listeners.push(listener),
    onGap: (listener) => void gaps.push(listener),
    isUp: () => redis.isUp(),
  }
}
