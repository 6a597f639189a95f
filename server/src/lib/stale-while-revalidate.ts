/** After a failure the value may be missing, so the next fetch does not wait until it is too old. */
const RETRY_MS = 5_000

/** Returns the last value at once and fetches a newer one in the background when it is too old. */
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

  /** After a fetch in progress, which may predate the change. Never rejects. */
  refresh(): Promise<void> {
    this.#requestedAt = performance.now()
    this.#pending = this.#pending.then(async () => {
      try {
        this.#value = await this.#load()
      } catch (error) {
        this.#requestedAt = Math.min(this.#requestedAt, performance.now() - this.#maxAgeMs + RETRY_MS)
        this.#onError(error)
      }
    })
    return this.#pending
  }
}
