import { EventEmitter } from 'node:events'

/** What JSON brings to another process as it is: no dates, maps or functions. */
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

/** Carries events between the processes on one database. */
export interface EventRelay {
  /** To the other processes, in order; what cannot be sent is lost. */
  send(message: { name: string; payload: unknown }): void
  /** Called with what others have sent. */
  onMessage(listener: (message: { name: string; payload: unknown }) => void): void
  /** Called when events of other processes may have been lost; what comes later is heard again. */
  onGap(listener: () => void): void
  /** Whether others can be heard just now. */
  isUp(): boolean
}

/**
 * What has happened, published by any process on the database; `realtime` carries it to browsers. Nothing is stored: who was not listening
 * reads the state from the database. Without a relay there is only this process.
 */
export class EventBus<M extends { [K in keyof M]: JsonSafe<M[K]> }> {
  readonly #local = new EventEmitter({ captureRejections: false })
  readonly #any = new EventEmitter({ captureRejections: false })
  readonly #relay: EventRelay | null
  readonly #worksAlone: () => boolean

  /** @param worksAlone whether no other process publishes anything just now; where there is no relay, their events are not heard */
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

  /** For what is to be done once, such as queueing a job: hears only what this process publishes. */
  onLocal<K extends keyof M & string>(name: K, listen: (payload: M[K]) => void): void {
    this.#local.on(name, listen)
  }

  /** For what each process has of its own, such as sockets and caches: hears what any process publishes. */
  onAny<K extends keyof M & string>(name: K, listen: (payload: M[K]) => void): void {
    this.#any.on(name, listen)
  }

  /** Whether other processes may be listening. */
  get isShared(): boolean {
    return this.#relay !== null
  }

  /** False while what other processes publish is lost. */
  hearsAll(): boolean {
    return this.#relay ? this.#relay.isUp() : this.#worksAlone()
  }

  /** For what would be wrong after an event was missed. */
  onGap(listen: () => void): void {
    this.#relay?.onGap(listen)
  }
}
