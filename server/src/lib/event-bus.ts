import { EventEmitter } from 'node:events'

/**
 * What has happened, published within this process; `realtime` carries it to browsers. Nothing is stored: who was not
 * listening reads the state from the database.
 */
export class EventBus<M extends Record<string, unknown>> {
  readonly #emitter = new EventEmitter({ captureRejections: false })

  emit<K extends keyof M & string>(name: K, payload: M[K]): void {
    this.#emitter.emit(name, payload)
  }

  on<K extends keyof M & string>(name: K, listen: (payload: M[K]) => void): void {
    this.#emitter.on(name, listen)
  }
}
