import { useEffect, useState } from 'react'

/** Sends a screen's changes in order, also those that wait when the screen is left. */
class SendQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  isScreenLeft = false

  get isSending(): boolean {
    return this.#waiting > 0
  }

  add<T>(send: () => Promise<T>): Promise<T> {
    this.#waiting++
    const sent = this.#last.then(send).finally(() => this.#waiting--)
    this.#last = sent.catch(() => undefined)
    return sent
  }

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
