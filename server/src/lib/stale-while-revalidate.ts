/**
 * A value from elsewhere that may be some seconds old: the last one known is at hand at once, and a newer one is fetched in the
 * background when it is asked for and has grown too old. What cannot be fetched stays as it was.
 */
export class StaleWhileRevalidate<T> {
  readonly #load: () => Promise<T>
  readonly #maxAgeMs: number
  readonly #onError: (error: unknown) => void
  #value: T
  #requestedAt = Number.NEGATIVE_INFINITY
  #pending = Promise.resolve()

  constructor(
    first: T,
    load: () => Promise<T>,
    { maxAgeMs, failed }: { maxAgeMs: number; failed: (error: unknown) => void },
  ) {
    this.#value = first
    this.#load = load
    this.#maxAgeMs = maxAgeMs
    this.#onError = failed
  }

  current(): T {
    if (performance.now() - this.#requestedAt >= this.#maxAgeMs) void this.refresh()
    return this.#value
  }

  /** Fetches it now, after a fetch under way: that one may have begun before what changed. Never rejects. */
  refresh(): Promise<void> {
    this.#requestedAt = performance.now()
    this.#pending = this.#pending.then(async () => {
      try {
        this.#value = await this.#load()
      } catch (error) {
        this.#onError(error)
      }
    })
    return this.#pending
  }
}
