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

/** How long it stays open when no screen needs it. */
const IDLE_CLOSE_MS = 5000

/** The one connection of this tab, open while a screen needs it. */
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

  /** Opens it if need be. The promise brings the socket, or null when it was let go before it was loaded. */
  async acquire(): Promise<AssaySocket | null> {
    this.users++
    clearTimeout(this.closeTimer)
    // One opened for somebody else stays theirs.
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

  /** After the last attempt socket.io rests for good; another screen, or the network coming back, is a new reason. */
  private reconnectAfterError = (): void => {
    if (this.state !== 'error' || !this.socket) return
    this.setState('connecting')
    this.socket.connect()
  }

  private open(io: typeof import('socket.io-client').io): AssaySocket {
    this.token = tokenStore.get()
    const socket: AssaySocket = io({
      path: SOCKET_PATH,
      // Asked again at each attempt: the token may have changed.
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
    // From paper to paper it is let go and taken again at once.
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
 * Hears what happens to one assignment while the screen is open. `handlers` must stay the same between renders.
 * `onReturn` runs after each (re)connection by which something may have been missed. It connects once `ready` is drawn,
 * so that a screen's first data come first.
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
        // What comes is as the contract says.
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
      // The program part did not load: the screen asks by polling instead.
      .catch(() => setWatching(false))
    return () => {
      over = true
      undo()
      connection.release()
    }
  }, [assignmentId, handlers, onReturn, drawn, mountedAt])

  return state === 'connected' && !watching ? 'connecting' : state
}
