import { LRUCache } from 'lru-cache'

/** Failures are forgotten. `ttl` in ms. */
export class PromiseCache<K extends string | number, V> {
  readonly #made: LRUCache<K, Promise<V>>

  constructor(limits: { max: number; ttl?: number }) {
    this.#made = new LRUCache(limits)
  }

  get(key: K, make: () => Promise<V>): Promise<V> {
    const known = this.#made.get(key)
    if (known) return known
    const made = make()
    this.#made.set(key, made)
    made.catch(() => this.#made.peek(key) === made && this.#made.delete(key))
    return made
  }
}
