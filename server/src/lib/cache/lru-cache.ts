/** Some values by key that can be had again: those most recently asked for are at hand. */
export class LruCache<T> {
  readonly #values = new Map<string, T>()
  readonly #maxSize: number

  constructor(most: number) {
    this.#maxSize = most
  }

  get(key: string): T | undefined {
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: string, value: T): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#maxSize) break
      this.#values.delete(oldest)
    }
  }

  /** Only as long as it is still this one. */
  deleteIfSame(key: string, value: T): void {
    if (this.#values.get(key) === value) this.#values.delete(key)
  }
}

/** How many runs are graded beside each other without their classes being loaded anew for each paper. A big class is a few MB. */
export const CACHED_RUNS = 16
