import pLimit from 'p-limit'

/** The limit may change, and waiting may be aborted. */
export class Semaphore {
  readonly #limit = pLimit(1)

  /** `max` also applies to calls already waiting. @throws the signal's reason when it aborts before `call` has begun */
  run<T>(max: number, call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#limit.concurrency = max
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal?.reason)
      if (signal?.aborted) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      this.#limit(() => {
        signal?.removeEventListener('abort', abort)
        signal?.throwIfAborted()
        return call()
      }).then(resolve, reject)
    })
  }
}
