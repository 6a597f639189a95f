import { randomUUID } from 'node:crypto'
import type { EventRelay } from '../../lib/event-bus.ts'
import type { Log } from '../../lib/log.ts'
import { decryptSecret, encryptSecret } from '../../lib/security/secret-encryption.ts'
import type { Redis } from './redis.ts'

const CHANNEL = 'events'
const PURPOSE = 'events between processes'

/** An older event may be replayed by whoever can publish; clocks agree within seconds. */
const OLD_MS = 60_000
/** A flapping connection must not make all browsers reconnect each time. */
const GAP_EVERY_MS = 30_000

interface Envelope {
  from: string
  /** In ms since 1970. */
  at: number
  /** Null: the sender may have failed to send some. */
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
