import type { AddressInfo, Server, Socket } from 'node:net'

/** Starts listening; the address it can be reached at from this machine. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${name === '127.0.0.1' ? 'localhost' : name}:${address.port}`
}

/** Closes open connections on request; Node's own `closeAllConnections` leaves websockets open. */
export function trackConnections(server: Server): { destroyAll(): void } {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return {
    destroyAll() {
      for (const socket of open) socket.destroy()
    },
  }
}
