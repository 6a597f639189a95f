import type { IncomingMessage } from 'node:http'
import proxyAddress from 'proxy-addr'
import { ipNetworkOf } from '../../cluster/redis/rate-limit.ts'

export const MAX_CONNECTIONS_PER_SESSION = 20
/** A school's teachers may all come from one address. */
export const MAX_CONNECTIONS_PER_ADDRESS = 500
export const MAX_WAITING_PER_ADDRESS = 50

/** A client sends a few messages when a page opens, then a heartbeat every 30 s. */
const MESSAGE_BURST = 60
const MESSAGES_PER_SECOND = 5

export class TokenBucket {
  #tokens: number
  #filledAt = performance.now()
  readonly #burst: number
  readonly #perSecond: number

  constructor(burst = MESSAGE_BURST, perSecond = MESSAGES_PER_SECOND) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#tokens = burst
  }

  take(): boolean {
    const now = performance.now()
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.#perSecond)
    this.#filledAt = now
    if (this.#tokens < 1) return false
    this.#tokens--
    return true
  }
}

export interface ConnectionCounts {
  process: string
  counts: [counter: string, key: string, count: number][]
  isAll: boolean
}

/** By key, here and in the other processes (`share-counters.ts`). */
export class ConnectionCounter {
  readonly #open = new Map<string, number>()
  /** By process, then by key. */
  readonly elsewhere = new Map<string, Map<string, number>>()
  onChange: (key: string) => void = () => {}

  count(key: string): number {
    let count = this.countHere(key)
    for (const counts of this.elsewhere.values()) count += counts.get(key) ?? 0
    return count
  }

  countHere(key: string): number {
    return this.#open.get(key) ?? 0
  }

  keys(): Iterable<string> {
    return this.#open.keys()
  }

  add(key: string): () => void {
    this.#open.set(key, this.countHere(key) + 1)
    this.onChange(key)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const left = this.countHere(key) - 1
      if (left > 0) this.#open.set(key, left)
      else this.#open.delete(key)
      this.onChange(key)
    }
  }
}

/** The client's, as for HTTP calls (`TRUST_PROXY`); for limits, an IPv6 address by its network. */
export const addressOf = (request: IncomingMessage, trustedProxies: number): string =>
  ipNetworkOf(proxyAddress(request, (_address, hop) => hop < trustedProxies))
