import pLimit from 'p-limit'

/** Runs a limited number of calls at once; the others wait their turn. The limit may change, and waiting may be aborted. */
export class Semaphore {
  readonly #limit = pLimit(1)

  /**
   * @param max how many may run now; applies to those that wait already, too
   * @throws the signal's reason when it aborts before `call` has begun
   */
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
