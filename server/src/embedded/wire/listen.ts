import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Doc } from '../bson-values.ts'
import type { Engine } from '../engine/engine.ts'
import { Connection } from './connection.ts'
import type { Request } from './message.ts'
import { createPasswordAuth } from './password-auth.ts'

export interface Address {
  /** In a directory that only its owner can access. */
  socketPath?: string
  /** Without unix sockets: loopback TCP, which any local user can connect to. */
  password?: string
}

interface Listener {
  port: number | undefined
  close(): Promise<void>
}

export async function listen(engine: Engine, address: Address): Promise<Listener> {
  if (address.socketPath) prepareSocketPath(address.socketPath)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    const gate: ((request: Request) => Doc | undefined) | undefined =
      address.password === undefined ? undefined : createPasswordAuth(address.password)
    new Connection(socket, engine, gate)
  })
  await started(server, address)
  const bound = server.address()
  return {
    port: typeof bound === 'object' && bound ? bound.port : undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroySoon()
        // A client that keeps its end open must not delay the stop.
        setTimeout(() => sockets.forEach((socket) => void socket.destroy()), 200).unref()
      }),
  }
}

/** The folder is locked, so an existing socket was left by a killed process. */
function prepareSocketPath(socketPath: string): void {
  const directory = dirname(socketPath)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  rmSync(socketPath, { force: true })
}

function started(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    if (address.socketPath) server.listen(address.socketPath, resolve)
    else server.listen(0, '127.0.0.1', resolve)
  })
}
