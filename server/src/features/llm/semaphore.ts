/** Lets so many in at once; the others wait their turn. */
export class Semaphore {
  #inside = 0
  /** As whoever came last was told: it holds for those who came before, too. */
  #most = 1
  readonly #waiting: (() => void)[] = []

  /**
   * @param most how many may be inside now: asked for each time, as settings change
   * @throws the signal's reason when it is stopped while it waits
   */
  async pass<T>(most: number, run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#most = most
    while (this.#inside >= this.#most) await this.#turn(signal)
    this.#inside++
    // There may be places for more than the one that was let in when another left.
    if (this.#inside < this.#most) this.#waiting.shift()?.()
    try {
      return await run()
    } finally {
      this.#inside--
      this.#waiting.shift()?.()
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const come = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        const at = this.#waiting.indexOf(come)
        if (at >= 0) this.#waiting.splice(at, 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(come)
    })
  }
}
