/**
 * A value that may be some seconds old: the last one is returned at once, and when it is too old a newer one is fetched in the
 * background. If the fetch fails, the last value stays.
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

  /** Fetches it now, after a fetch in progress, which may have begun before the change. Never rejects. */
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
