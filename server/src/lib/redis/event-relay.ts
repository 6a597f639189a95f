import { randomUUID } from 'node:crypto'
import type { EventRelay } from '../event-bus.ts'
import type { Log } from '../log.ts'
import { decryptSecret, encryptSecret } from '../security/secret-encryption.ts'
import type { Redis } from './redis.ts'

const CHANNEL = 'events'
const PURPOSE = 'events between processes'

interface Envelope {
  /** The process. */
  from: string
  /** Null says that the sender may have failed to send some. */
  event: { name: string; payload: unknown } | null
}

/**
 * Carries events over Redis, encrypted with SECRET_KEY: they name students and scores, and whoever reaches Redis must neither read nor
 * invent them. Redis keeps none of them.
 */
export function createEventRelay(redis: Redis, { secretKey, log }: { secretKey: string; log: Log }): EventRelay {
  const self = randomUUID()
  const heard: Parameters<EventRelay['onMessage']>[0][] = []
  const gaps: (() => void)[] = []
  let lostSome = false

  async function send(event: Envelope['event']): Promise<void> {
    const message = encryptSecret(JSON.stringify({ from: self, event } satisfies Envelope), secretKey, PURPOSE)
    if (!(await redis.publish(CHANNEL, message))) lostSome = true
  }

  redis.listen(CHANNEL, (message) => {
    const text = decryptSecret(message, secretKey, PURPOSE)
    if (text === null) return
    const { from, event } = JSON.parse(text) as Envelope
    if (from === self) return
    try {
      if (event) for (const hear of heard) hear(event)
      else for (const tell of gaps) tell()
    } catch (error) {
      log.error({ err: error, event: event?.name }, 'an event of another process was not handled')
    }
  })
  redis.onReturn(() => {
    for (const tell of gaps) tell()
    // Others were perhaps connected all along.
    if (!lostSome) return
    lostSome = false
    void send(null)
  })

  return {
    send: (event) => void send(event),
    onMessage: (hear) => void heard.push(hear),
    onGap: (tell) => void gaps.push(tell),
    isUp: () => redis.isUp(),
  }
}
