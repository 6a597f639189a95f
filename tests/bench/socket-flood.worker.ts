import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { SOCKET_PATH } from '@assay/shared/realtime.ts'
import { io } from 'socket.io-client'
import { WebSocket } from 'ws'
import { z } from 'zod'

const { url, token, ms } = z.object({ url: z.url(), token: z.string(), ms: z.number() }).parse(workerData)
const until = Date.now() + ms
const sent = { packets: 0 }
const attackers = [floodConnects(), floodConnects(), ...Array.from({ length: 4 }, floodWatches)]
await Promise.all(attackers)
parentPort?.postMessage(sent.packets)

/** Signs in with rubbish as fast as it can, over new connections as old ones are closed. */
async function floodConnects(): Promise<void> {
  while (Date.now() < until) {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${SOCKET_PATH}/?EIO=4&transport=websocket`)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.on('open', () => {
      for (let i = 0; i < 2000; i++) socket.send('40{"token":"rubbish"}')
      sent.packets += 2000
    })
    await Promise.race([ended, sleep(1000)])
    socket.terminate()
  }
}

async function floodWatches(): Promise<void> {
  while (Date.now() < until) {
    const socket = io(url, { auth: { token }, reconnection: false, forceNew: true, transports: ['websocket'] })
    const ended = new Promise((resolve) => {
      socket.once('disconnect', resolve)
      socket.once('connect_error', resolve)
    })
    socket.once('connect', () => {
      for (let i = 0; i < 2000; i++) socket.emit('watch_assignment', i + 1, () => {})
      sent.packets += 2000
    })
    await Promise.race([ended, sleep(1000)])
    socket.disconnect()
    await sleep(20)
  }
}
