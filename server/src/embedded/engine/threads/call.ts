import { Interruption } from '../../command-limits.ts'
import type { Answer, Work } from './thread-messages.ts'

/** Who waits for a command, and for how long. */
export interface Caller {
  /** Aborted when the client has disconnected. */
  signal: AbortSignal | undefined
  /** When the command's maxTimeMS is over, in `performance.now()`. */
  endsAt: number
}

export const NOBODY: Caller = { signal: undefined, endsAt: Number.POSITIVE_INFINITY }

let lastNumber = 0

/** Work for a thread: waiting, then running, then settled. */
export class Call {
  readonly number = ++lastNumber
  readonly work: Work
  readonly answer: Promise<Answer>
  /** When it was told to end, if it was. */
  endedAt: number | undefined
  endReason: Interruption | undefined
  onEnd: (() => void) | undefined
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined
  #stopWaiting: () => void

  constructor(work: Work, caller: Caller) {
    this.work = work
    this.answer = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    this.#stopWaiting = whenOver(caller, (reason) => this.end(reason))
  }

  get settled(): boolean {
    return this.#settle === undefined
  }

  /** Takes it out of the queue, or has the thread told. */
  end(reason: Interruption): void {
    this.endedAt ??= performance.now()
    this.endReason ??= reason
    if (this.onEnd) this.onEnd()
    else this.reject(reason)
  }

  resolve(answer: Answer): void {
    this.#stopWaiting()
    this.#settle?.resolve(answer)
    this.#settle = undefined
  }

  reject(error: Error): void {
    this.#stopWaiting()
    this.#settle?.reject(error)
    this.#settle = undefined
  }
}

/** Calls back once when the caller has gone or the time is over, unless told to stop waiting. */
export function whenOver({ signal, endsAt }: Caller, over: (reason: Interruption) => void): () => void {
  const gone = () => over(new Interruption('Interrupted'))
  const timer = Number.isFinite(endsAt)
    ? setTimeout(() => over(new Interruption('MaxTimeMSExpired')), Math.max(0, endsAt - performance.now()))
    : undefined
  signal?.addEventListener('abort', gone, { once: true })
  // Not within the caller's turn, so that whoever asks has time to listen.
  if (signal?.aborted) queueMicrotask(gone)
  return () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', gone)
  }
}
