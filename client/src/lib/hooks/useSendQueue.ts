import { useEffect, useState } from 'react'

/** Changes of one screen, sent one after the other in the order they were made; also what waits when the screen is left. */
class SendQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  /** What fails from then on is no longer seen where it was made. */
  isScreenLeft = false

  get isSending(): boolean {
    return this.#waiting > 0
  }

  /** Sends after all that was added before, whether or not that failed. */
  add<T>(send: () => Promise<T>): Promise<T> {
    this.#waiting++
    const sent = this.#last.then(send).finally(() => this.#waiting--)
    this.#last = sent.catch(() => undefined)
    return sent
  }

  /** Resolves when all that was added by now was sent. */
  async settle(): Promise<void> {
    await this.#last
  }
}

export function useSendQueue(): SendQueue {
  const [queue] = useState(() => new SendQueue())
  useEffect(() => {
    queue.isScreenLeft = false
    return () => {
      queue.isScreenLeft = true
    }
  }, [queue])
  return queue
}
