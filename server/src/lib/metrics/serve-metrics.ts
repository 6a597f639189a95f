import { timingSafeEqual } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { RequestHandler } from 'express'
import { AppError, notFound } from '../http/app-error.ts'
import { bearerTokenOf } from '../http/handle.ts'
import type { Log } from '../log.ts'
import { hashOf } from '../security/hash-of.ts'
import type { Metrics } from './metrics.ts'

/** Shorter than the ten seconds that Prometheus waits. */
const TIMEOUT_MS = 3_000

/** Looks up what is not counted as it happens, and sets its gauges. */
export type Collectors = Record<string, () => Promise<void> | void>

/** Hashes have one length, so neither the comparison's time nor its failure tells anything of the token. */
const isSame = (one: string, other: string) => timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)))

/** `GET /metrics` for whoever has the token; without one configured there is none. A part that fails is missing, and counted. */
export function serveMetrics(
  token: string | null,
  metrics: Pick<Metrics, 'registry' | 'scrapeFailures'>,
  collectors: Collectors,
  log: Log,
): RequestHandler {
  const collect = async (part: string, work: Collectors[string]) => {
    const stop = new AbortController()
    const tooLate = after(TIMEOUT_MS, null, { signal: stop.signal }).then(() => {
      throw new Error(`no answer within ${TIMEOUT_MS} ms`)
    })
    try {
      // Begun within the race: one that throws at once must not leave the timer's end to nobody.
      await Promise.race([Promise.resolve().then(work), tooLate])
    } catch (error) {
      metrics.scrapeFailures.inc({ part })
      log.warn({ err: error, part }, 'a part of the metrics could not be collected')
    } finally {
      stop.abort()
    }
  }
  return async (request, response) => {
    if (token === null) throw notFound()
    const sent = bearerTokenOf(request)
    if (sent === null || !isSame(sent, token)) throw new AppError('auth_required')
    await Promise.all(Object.entries(collectors).map(([part, work]) => collect(part, work)))
    response.set({ 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' })
    response.send(await metrics.registry.metrics())
  }
}
