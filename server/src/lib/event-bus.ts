import { EventEmitter } from 'node:events'

/** What survives JSON unchanged: no dates, maps or functions. */
type JsonSafe<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends
        | Date
        | ((...of: never) => unknown)
        | bigint
        | symbol
        | ReadonlyMap<unknown, unknown>
        | ReadonlySet<unknown>
    ? never
    : { [K in keyof T]: JsonSafe<T[K]> }

export interface EventRelay {
  /** In order; what cannot be sent is lost. */
  send(message: { name: string; payload: unknown }): void
  onMessage(listener: (message: { name: string; payload: unknown }) => void): void
  /** Called when events may have been lost. */
  onGap(listener: () => void): void
  isUp(): boolean
}

/** Nothing is stored: who was not listening reads the database instead. */
export class EventBus<M extends { [K in keyof M]: JsonSafe<M[K]> }> {
  readonly #local = new EventEmitter({ captureRejections: false })
  readonly #any = new EventEmitter({ captureRejections: false })
  readonly #relay: EventRelay | null
  readonly #worksAlone: () => boolean

  /** @param worksAlone whether no other process publishes */
  constructor(relay: EventRelay | null = null, worksAlone: () => boolean = () => true) {
    this.#relay = relay
    this.#worksAlone = worksAlone
    relay?.onMessage(({ name, payload }) => this.#any.emit(name, payload))
  }

  emit<K extends keyof M & string>(name: K, payload: M[K]): void {
    this.#local.emit(name, payload)
    this.#any.emit(name, payload)
    this.#relay?.send({ name, payload })
  }

  /** Only this process's events, for what is done once, such as queueing a job. */
  onLocal<K extends keyof M & string>(name: K, listen: (payload: M[K]) => void): void {
    this.#local.on(name, listen)
  }

  /** Events of any process, for each process's own sockets and caches. */
  onAny<K extends keyof M & string>(name: K, listen: (payload: M[K]) => void): void {
    this.#any.on(name, listen)
  }

  get isShared(): boolean {
    return this.#relay !== null
  }

  hearsAll(): boolean {
    return this.#relay ? this.#relay.isUp() : this.#worksAlone()
  }

  onGap(listen: () => void): void {
    this.#relay?.onGap(listen)
  }
}
