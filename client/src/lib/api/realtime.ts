import {
  type ClientEvents,
  MAX_RECONNECTS,
  RECONNECT_DELAY_MS,
  type ServerEvents,
  SOCKET_PATH,
} from '@assay/shared/realtime.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Socket } from 'socket.io-client'
import { useDrawn } from '../hooks/after-paint.ts'
import { tokenStore } from '../session/browser-store.ts'
import { dataAskedAt } from './first-requests.ts'

export type ConnectionState = 'disconnected' | 'connecting' | 'connected' | 'error'
type AssaySocket = Socket<ServerEvents, ClientEvents>

const IDLE_CLOSE_MS = 5000

/** The tab's one connection, open while a screen needs it. */
class Connection {
  private state: ConnectionState = 'disconnected'
  private socket: AssaySocket | null = null
  private users = 0
  private token: string | null = null
  private closeTimer: ReturnType<typeof setTimeout> | undefined
  private listeners = new Set<() => void>()

  currentState = (): ConnectionState => this.state
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Null when it was released before it was loaded. */
  async acquire(): Promise<AssaySocket | null> {
    this.users++
    clearTimeout(this.closeTimer)
    // A socket opened for another user stays theirs.
    if (this.token !== tokenStore.get()) this.close()
    if (this.socket) {
      this.reconnectAfterError()
      return this.socket
    }
    this.setState('connecting')
    const { io } = await import('socket.io-client')
    if (this.users === 0) return null
    this.socket ??= this.open(io)
    return this.socket
  }

  /** socket.io stops after its last attempt; another screen, or the network coming back, is a reason to go on. */
  private reconnectAfterError = (): void => {
    if (this.state !== 'error' || !this.socket) return
    this.setState('connecting')
    this.socket.connect()
  }

  private open(io: typeof import('socket.io-client').io): AssaySocket {
    this.token = tokenStore.get()
    const socket: AssaySocket = io({
      path: SOCKET_PATH,
      // Read at each attempt: the token may have changed.
      auth: (tell) => tell({ token: tokenStore.get() }),
      transports: ['websocket', 'polling'],
      reconnectionAttempts: MAX_RECONNECTS,
      reconnectionDelay: RECONNECT_DELAY_MS,
      reconnectionDelayMax: 16_000,
    })
    socket.on('connect', () => this.setState('connected'))
    socket.on('disconnect', () => this.setState(socket.active ? 'connecting' : 'disconnected'))
    socket.on('connect_error', () => this.setState(socket.active ? 'connecting' : 'error'))
    socket.io.on('reconnect_failed', () => this.setState('error'))
    window.addEventListener('online', this.reconnectAfterError)
    return socket
  }

  release(): void {
    this.users--
    if (this.users > 0) return
    clearTimeout(this.closeTimer)
    // From paper to paper it is released and acquired at once.
    if (this.token === tokenStore.get()) this.closeTimer = setTimeout(() => this.close(), IDLE_CLOSE_MS)
    else this.close()
  }

  private close(): void {
    window.removeEventListener('online', this.reconnectAfterError)
    this.socket?.disconnect()
    this.socket = null
    this.setState('disconnected')
  }

  private setState(state: ConnectionState): void {
    if (state === this.state) return
    this.state = state
    for (const listener of this.listeners) listener()
  }
}

const connection = new Connection()

function useConnectionState(): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.currentState)
}

/**
 * `handlers` must stay the same between renders. `onReturn` runs after each (re)connection by which events may have
 * been missed. Connects once `ready` is drawn, so that a screen's first data come first.
 */
export function useAssignmentEvents(
  assignmentId: number,
  handlers: Partial<ServerEvents>,
  onReturn: () => void,
  { ready = true }: { ready?: boolean } = {},
): ConnectionState {
  const state = useConnectionState()
  const drawn = useDrawn(ready)
  const [watching, setWatching] = useState(false)
  const [mountedAt] = useState(dataAskedAt)

  useEffect(() => {
    if (!drawn) return
    let over = false
    let undo = () => {}
    let askedAt: number | null = mountedAt
    connection
      .acquire()
      .then((socket) => {
        if (!socket || over) return
        const watch = () => {
          socket.emit('watch_assignment', assignmentId, (allowed, unchangedMs = 0) => {
            if (over) return
            setWatching(allowed)
            const isCurrent = askedAt !== null && performance.now() - askedAt < unchangedMs
            askedAt = null
            if (allowed && !isCurrent) onReturn()
          })
        }
        // The contract types what comes.
        const hear = (event: keyof ServerEvents, told: unknown) =>
          (handlers[event] as ((told: unknown) => void) | undefined)?.(told)
        socket.onAny(hear)
        socket.on('connect', watch)
        if (socket.connected) watch()
        undo = () => {
          if (socket.connected) socket.emit('leave_assignment', assignmentId)
          socket.offAny(hear)
          socket.off('connect', watch)
        }
      })
      // Without the library the screen polls.
      .catch(() => setWatching(false))
    return () => {
      over = true
      undo()
      connection.release()
    }
  }, [assignmentId, handlers, onReturn, drawn, mountedAt])

  return state === 'connected' && !watching ? 'connecting' : state
}
