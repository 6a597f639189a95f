import { MAX_RECONNECTS, PING_INTERVAL_MS, RECONNECT_DELAY_MS, type SocketMessage } from '@assay/shared/realtime.ts'
import type { ConnectionState } from '../../lib/api/realtime.ts'

/** RFC 6455, 7.4.1: normal closure. */
const NORMAL = 1000

interface Listener {
  state: (state: ConnectionState) => void
  note: (way: 'in' | 'out' | 'note', text: string) => void
}

/** A raw websocket as another client would use it: pings, and five reconnects after an abnormal end. */
export class RawSocket {
  readonly #address: () => string
  readonly #listener: Listener
  #socket: WebSocket | null = null
  #tries = 0
  #left = false
  #again: ReturnType<typeof setTimeout> | undefined
  #pings: ReturnType<typeof setInterval> | undefined

  constructor(address: () => string, listener: Listener) {
    this.#address = address
    this.#listener = listener
  }

  connect(): void {
    clearTimeout(this.#again)
    this.#listener.state('connecting')
    const socket = new WebSocket(this.#address())
    this.#socket = socket
    socket.onopen = () => {
      this.#tries = 0
      this.#listener.state('connected')
      this.#listener.note('note', 'Connected')
      this.#pings = setInterval(() => this.send({ type: 'ping' }), PING_INTERVAL_MS)
    }
    socket.onmessage = ({ data }) => this.#listener.note('in', String(data))
    socket.onclose = ({ code, reason }) => this.#closed(code, reason)
  }

  send(message: SocketMessage): void {
    const text = JSON.stringify(message)
    this.#socket?.send(text)
    this.#listener.note('out', text)
  }

  disconnect(): void {
    clearTimeout(this.#again)
    this.#left = true
    this.#socket?.close(NORMAL)
    // Between two attempts there is none to close.
    if (this.#socket?.readyState === WebSocket.CLOSED) this.#listener.state('disconnected')
  }

  #closed(code: number, reason: string): void {
    clearInterval(this.#pings)
    this.#listener.note('note', `Closed with ${code}${reason ? `: ${reason}` : ''}`)
    // Left while still connecting, the browser calls it abnormal.
    if (code === NORMAL || this.#left) {
      this.#listener.state('disconnected')
      return
    }
    if (this.#tries >= MAX_RECONNECTS) {
      this.#listener.state('error')
      return
    }
    const wait = RECONNECT_DELAY_MS * 2 ** this.#tries++
    this.#listener.state('connecting')
    this.#listener.note('note', `Reconnecting in ${wait / 1000} s, ${this.#tries} of ${MAX_RECONNECTS}`)
    this.#again = setTimeout(() => this.connect(), wait)
  }
}
